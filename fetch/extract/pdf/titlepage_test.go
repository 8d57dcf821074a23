package pdf

import (
	"strings"
	"testing"
)

func TestPublished(t *testing.T) {
	for _, tt := range []struct{ name, page, want string }{
		{"a volume and pages, whose year may be that of another", "J. Tides 12 (2022) 101–110\n© The Authors 2019", ""},
		{"published", "Received 1 May 2020. Published online: 3 May 2022", "2022-05-03"},
		{"received alone", "Received 1 May 2020, accepted 2 June 2020", ""},
		{"a stamp", "arXiv:2203.01234v2 [cs.CL] 5 Mar 2022", "2022-03-05"},
		{"a stamp without a day", "arXiv:2203.01234v2 [cs.CL]", "2022-03"},
		{"another preprint", "as arXiv:1706.03762 shows", ""},
		{"prose that cites", "As they show (Writer 2012), tides rise.", ""},
		{"a version", "Version 2.1 (2022-06-23) of the program", ""},
	} {
		if got := (titlePage{lines: strings.Split(tt.page, "\n")}).published(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
