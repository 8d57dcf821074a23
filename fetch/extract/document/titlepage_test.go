package document

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPublished(t *testing.T) {
	for _, tt := range []struct{ name, page, want string }{
		{"a volume and pages", "J. Tides 12 (2022) 101–110", "2022"},
		{"a year first", "BMJ 2021;12(3):101-110", "2021"},
		{"a year last", "Nature 590, 84–89 (2021)", "2021"},
		{"a month and a volume", "Journal of Tides, January 2005, Volume 14, Issue 6.", "2005"},
		{"copyright", "© The Authors 2019", "2019"},
		{"copyright by somebody", "Copyright (c) 2018 Harbour Press", "2018"},
		{"a span of years", "Copyright 2010–2022 Harbour Press", ""},
		{"two years", "© 2019 A\n© 2021 B", ""},
		{"two articles", "J. Tides 12 (2022) 101–110\nJ. Ships 3 (2001) 1–9", ""},
		{"published", "Received 1 May 2020. Published online: 3 May 2022", "2022-05-03"},
		{"received alone", "Received 1 May 2020, accepted 2 June 2020", ""},
		{"a stamp", "arXiv:2203.01234v2 [cs.CL] 5 Mar 2022", "2022-03-05"},
		{"a stamp without a day", "arXiv:2203.01234v2 [cs.CL]", "2022-03"},
		{"another preprint", "as arXiv:1706.03762 shows", ""},
		{"prose that cites", "As they show (Writer 2012), tides rise.", ""},
		{"a version", "Version 2.1 (2022-06-23) of the program", ""},
		{"the day below the title", "Tides\nMarch 5, 2022", "2022-03-05"},
		{"a day further down", "Tides\nIt was on the day below that the harbour was closed to all ships, and to the boats of the town.\nMarch 5, 2022", ""},
		{"a year that agrees with the day", "Tides\nMay 2022\n© 2022 A", "2022-05"},
	} {
		if got := (TitlePage{Title: "Tides", Lines: strings.Split(tt.page, "\n"), Text: tt.page}).Published(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestBlock(t *testing.T) {
	for _, tt := range []struct {
		name, page string
		want       []string
	}{
		{"names and a day", "Tides of a harbour\nAda Writer and Bo van Other\nMay 2022", []string{"Ada Writer", "Bo van Other"}},
		{"names with marks", "Tides of a harbour\nAda Writer1*, Bo Other2†\nAbstract. We show", []string{"Ada Writer", "Bo Other"}},
		{"a title on two lines", "Tides of\na harbour\nAda Writer\nMay 2022", []string{"Ada Writer"}},
		{"names one below the other", "Tides of a harbour\nAda Writer\nUniversité de Port\nBo Other\nMay 2022", nil},
		{"by", "# Tides of a harbour\n*By Ada Writer*\nProse.", []string{"Ada Writer"}},
		{"by, with a day", "# Tides of a harbour\nBy Ada Writer, 3 May 2022", []string{"Ada Writer"}},
		{"nothing shows a title page", "Tides of a harbour\nAda Writer\nProse.", nil},
		{"words of the text", "Tides of a harbour\nUser Guide\nMay 2022\nThis guide is for a user.", nil},
		{"fields of reStructuredText", "Tides of a harbour\n:Author: Ada Writer\n:Date: 2022-05-03", []string{"Ada Writer"}},
		{"a heading", "# Tides of a harbour\n## Ada Writer\nMay 2022", nil},
		{"no title", "Ada Writer\nMay 2022", nil},
		{"a sentence", "Tides of a harbour\nby hand\nMay 2022", nil},
	} {
		got, _ := TitlePage{Title: "Tides of a harbour", Lines: strings.Split(tt.page, "\n"), Text: tt.page}.Block()
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}
