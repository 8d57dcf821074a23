package tools

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// The head of a source is its front matter, or its properties, and belongs to the beginning of its text.
func TestHeadOfASource(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("The lamp burns oil. ", 20)
	paper := loopstate.Source{Title: "Lamps", Authors: []string{"Ann Lee", "Bo Ek"}, PublishedAt: "2020-01-02",
		Publisher: "Annals of Light", Keywords: "oil, wick"}
	for _, tt := range []struct {
		name, kind, text string
		src              loopstate.Source
		offset           int
		want             string
	}{
		{"a PDF", "application/pdf", text, paper, 0,
			"title: Lamps\nauthors: Ann Lee; Bo Ek\ndate: 2020-01-02\npublisher: Annals of Light\nkeywords: oil, wick"},
		{"a page", "text/html", text, paper, 0, "publisher: Annals of Light\nkeywords: oil, wick"},
		{"front matter", "text/markdown", "---\ntitle: Lamps\nstatus: Withdrawn\n---\n" + text,
			loopstate.Source{Title: "Lamps", DocStatus: "Withdrawn"}, 0, "---\ntitle: Lamps\nstatus: Withdrawn\n---"},
		{"a preamble", "text/plain", "Title: Lamps\nStatus: Final\n\n" + text, loopstate.Source{Title: "Lamps", DocStatus: "Final"}, 0,
			"Title: Lamps\nStatus: Final"},
		{"nothing", "text/plain", text, loopstate.Source{Title: "Lamps"}, 0, ""},
		{"a later part", "application/pdf", text, paper, 100, ""},
		{"a long one", "application/pdf", text, loopstate.Source{Title: strings.Repeat("a", 700)}, 0, "title: " + strings.Repeat("a", 593) +
			"…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.src.ContentType, tt.src.Chars = tt.kind, len(tt.text)
			p := loops.PageOutcome{Status: fetch.StatusRead, Text: tt.text, Source: tt.src}
			asked := fetchAsked{offset: tt.offset}
			if got := layOut([]loops.PageOutcome{p}, asked).show(0, p, asked); got.Head != tt.want {
				t.Errorf("head %q, want %q", got.Head, tt.want)
			}
		})
	}
}

// A passage of a PDF has its page; one of another text has none.
func TestPassagesHavePages(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("The harbour is old. ", 60) + "\n\nThe channel is 9 metres deep at low water."
	p := loops.PageOutcome{Status: fetch.StatusRead, Text: text, Source: loopstate.Source{ID: "S1", Pages: loopstate.Pages{0, 600, 1202}}}
	for name, tt := range map[string]struct {
		pages loopstate.Pages
		want  int
	}{"a PDF": {p.Pages, 3}, "a text without pages": {nil, 0}} {
		p.Pages = tt.pages
		asked := fetchAsked{query: "channel metres deep", chars: 1000}
		got := layOut([]loops.PageOutcome{p}, asked).show(0, p, asked)
		if len(got.Passages) == 0 || got.Passages[0].Page != tt.want {
			t.Errorf("%s: %+v, want page %d", name, got.Passages, tt.want)
		}
		body, err := MarshalAnswer(got)
		if err != nil || strings.Contains(string(body), `"page":`) != (tt.want > 0) {
			t.Errorf("%s: %s, %v", name, body, err)
		}
	}
}
