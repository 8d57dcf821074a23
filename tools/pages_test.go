package tools

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

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
