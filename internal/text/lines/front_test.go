package lines

import (
	"strings"
	"testing"
)

// Each form of a head is one block at the beginning, and keeps the numbers of its lines.
func TestFront(t *testing.T) {
	memo := "\n\nHarbour Working Group                                       A. Keeper\nRequest for Comments: 90001                   " +
		"               Aldmoor Light\nObsoletes: 80001                                               B. Wick\nCategory: " +
		"Informational                                       June 2019\n\n\n                       The Lamp Signal " +
		"Protocol\n\nAbstract\n"
	for _, tt := range []struct {
		name, text  string
		first, last int // 0: none
	}{
		{"YAML", "---\ntitle: Lamps\nstatus: Final\n---\n\n# Lamps", 1, 4},
		{"YAML in Russian", "---\nстатус: Черновик\nавтор_дела: Анна\n---\n\n# Лампа", 1, 4},
		{"YAML, ended by dots", "---\ntitle: Lamps\n...\nText.", 1, 3},
		{"Jekyll, Windows", "---\r\nlayout: post\r\ntitle: \"Lamps\"\r\n---\r\nText.", 1, 4},
		{"YAML after blank lines", "\n\n---\ntitle: Lamps\n---\nText.", 3, 5},
		{"TOML", "+++\ntitle = \"Lamps\"\n\n[extra]\nkeeper = 1\n+++\n\nText.", 1, 6},
		{"Pandoc", "% Lamps\n  of the coast\n% Ann Lee; Bo Ek\n% 2026-01-02\n\nText.", 1, 4},
		{"MultiMarkdown", "Title: Lamps\nAuthor: Ann Lee,\n    Bo Ek\nDate: 2026-01-02\n\nText.", 1, 4},
		{"a proposal for Python", "PEP: 90001\nTitle: Lamps\nAuthor: Ann Lee <ann@harbour.example>,\n        Bo Ek\nStatus: " +
			"Withdrawn\nPost-History:\n\nAbstract\n========", 1, 6},
		{"mail", "From: Ann Lee\nDate: 2026-01-02\nSubject: The lamp\n\nIt is lit.", 1, 3},
		{"Org", "#+TITLE: Lamps\n#+AUTHOR: Ann Lee\n\n* Oil", 1, 2},
		{"reStructuredText", ":Author: Ann Lee\n:Status: Draft\n\nText.", 1, 2},
		{"RFC", memo, 3, 6},
		{"Internet-Draft", "Network Working Group          A. Keeper\nInternet-Draft              Aldmoor Light\nExpires: May 2027    " +
			"      November 2026\n\n  Lamps\n", 1, 3},
		{"a file of statements alone", "title: Lamps\nauthors:\n  - \"@ann\"\nstatus: implementable\n\n# The stage of this " +
			"cycle.\nstage: beta\n\nmilestone:\n  alpha: \"v1\"\n", 1, 10},
		{"statements, then text", "title: Lamps\nstatus: Draft\n\nkeeper: Ann\nIt burns.", 1, 2},
		{"a rule", "---\n\nIt burns oil.\n\n---\n\nMore of it.", 0, 0},
		{"no end", "---\ntitle: Lamps\n\nText.", 0, 0},
		{"one statement", "Title: Lamps\n\nText.", 0, 0},
		{"a dialogue", "Keeper: Is it lit?\nPilot: It is.\n\nThey left.", 0, 0},
		{"statements and text", "Title: Lamps\nAuthor: Ann\nIt burns oil.\n\nText.", 0, 0},
		{"settings", "host: harbour\nport: 80\n\nlog: yes\n", 0, 0},
		{"comments of TeX", "% a\n% b\n% c\n% d\n\n\\begin{document}", 0, 0},
		{"too long", "Title: Lamps\nStatus: Draft\n" + strings.Repeat("a: b\n", maxFrontLines), 0, 0},
		{"a heading", "# Lamps\nTitle: Lamps\nStatus: Draft\n\nText.", 0, 0},
		{"JSON", "{\n  \"title\": \"Lamps\"\n}", 0, 0},
		{"nothing", "", 0, 0}, {"blank lines", "\n\n\n", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := New(tt.text)
			r, ok := frontOf(text)
			if ok != (tt.first > 0) || r.First != tt.first || r.Last != tt.last {
				t.Errorf("lines %d to %d, want %d to %d", r.First, r.Last, tt.first, tt.last)
			}
			head, rest := Head(tt.text)
			if _, _, want := text.Span(r); ok && head != want {
				t.Errorf("Head is %q, want %q", head, want)
			} else if !ok && (head != "" || rest != tt.text) {
				t.Errorf("Head is %q, then %q", head, rest)
			}
		})
	}
}

func frontOf(t *Text) (r Range, ok bool) {
	if len(t.blocks) == 0 || t.blocks[0].Kind != Front {
		return r, false
	}
	return Range{t.blocks[0].First, t.blocks[0].Last}, true
}
