package tools

import (
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// manualPage is a page in the layout of a reference manual: terms, each with several paragraphs.
func manualPage() string {
	var b strings.Builder
	b.WriteString("HARBOUR\n\nHARBOUR — change a harbour\n\nHARBOUR ATTACH pier\nHARBOUR DETACH pier [ QUIETLY ]\nHARBOUR SET OPTION " +
		"lock\n\n")
	for i := range 12 {
		fmt.Fprintf(&b, "SET OPTION%d value\n\nThis form sets the option of the harbour. It needs a lock on the harbour.\n\n", i)
	}
	b.WriteString("ATTACH pier\n\nThis form attaches a pier to the harbour.\n\nThe board must wait until every boat has left. " +
		strings.Repeat("The boats are counted at the gate of the board. ", 8) +
		"A lamp is lit at the end.\n\nTip\n\nThe lamp may be lit before the boats leave.\n\n")
	b.WriteString("DETACH pier [ QUIETLY ]\n\nThis form detaches a pier.\n\nIf this is asked for, two steps are taken, and boats may " +
		"pass between them. The first step needs a weak lock only.\n\n")
	b.WriteString(strings.Repeat("Nobody went to sea that day, and the town slept until the evening bells.\n\n", 12))
	return b.String()
}

func TestSelectParts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, query string
		limit       int
		want        []string // each in one of the parts
	}{
		{"a paragraph below its heading", "detach pier quietly: lock of the first step", 3,
			[]string{"This form detaches a pier", "two steps are taken"}},
		{"a whole paragraph", "wait until boats have left lamp", 1, []string{"The board must wait", "A lamp is lit at the end."}},
		{"each subject of a query", "attach pier; detach pier quietly; set option7", 4,
			[]string{"attaches a pier", "DETACH pier [ QUIETLY ]", "SET OPTION7 value\n\nThis form sets"}},
		{"each subject that the text has, by turns",
			"quantum entanglement of neutrinos; set option3; which lamp is lit before the boats leave?", 2,
			[]string{"SET OPTION3 value", "The lamp may be lit"}},
		{"few words of the query", "quantum entanglement of neutrinos in a harbour", 3, nil},
	}
	text := manualPage()
	runes := []rune(text)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := selectParts(text, tt.query, tt.limit, 100_000)
			all := ""
			for _, s := range got {
				if string(runes[s.Start:s.End]) != s.Text {
					t.Errorf("%d-%d is not %q", s.Start, s.End, s.Text)
				}
				all += s.Text + "\n----\n"
			}
			for _, w := range tt.want {
				if !strings.Contains(all, w) {
					t.Errorf("the parts lack %q:\n%s", w, all)
				}
			}
			if tt.want == nil && len(got) > 0 {
				t.Errorf("the parts are:\n%s", all)
			}
		})
	}
}

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
			"publisher: Annals of Light\nkeywords: oil, wick"},
		{"front matter", "text/markdown", "---\ntitle: Lamps\nstatus: Withdrawn\n---\n" + text,
			loopstate.Source{Title: "Lamps", DocStatus: "Withdrawn"}, 0, "---\ntitle: Lamps\nstatus: Withdrawn\n---"},
		{"a preamble", "text/plain", "Title: Lamps\nStatus: Final\n\n" + text, loopstate.Source{Title: "Lamps", DocStatus: "Final"}, 0,
			"Title: Lamps\nStatus: Final"},
		{"nothing", "text/plain", text, loopstate.Source{Title: "Lamps"}, 0, ""},
		{"a later part", "application/pdf", text, paper, 100, ""},
		{"a long one", "application/pdf", text, loopstate.Source{Subject: strings.Repeat("a", 700)}, 0,
			"subject: " + strings.Repeat("a", 591) + "…"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.src.ContentType, tt.src.Chars = tt.kind, len(tt.text)
			p := loops.PageOutcome{Status: fetch.StatusRead, Text: tt.text, Source: tt.src}
			asked := fetchAsked{offset: tt.offset}
			if got := layOut([]loops.PageOutcome{p}, asked)[0]; got.Head != tt.want {
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
		got := layOut([]loops.PageOutcome{p}, asked)[0]
		if len(got.Passages) == 0 || got.Passages[0].Page != tt.want {
			t.Errorf("%s: %+v, want page %d", name, got.Passages, tt.want)
		}
		body, err := MarshalAnswer(got)
		if err != nil || strings.Contains(string(body), `"page":`) != (tt.want > 0) {
			t.Errorf("%s: %s, %v", name, body, err)
		}
	}
}
