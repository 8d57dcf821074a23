package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/citeloop/citeloop/internal/report/markup"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

func TestSides(t *testing.T) {
	f := factsOf(Document{Sources: []Source{source(1, 1, 1, "A", "https://a.example/"), source(2, 2, 1, "B", "https://b.example/")}})
	pass := func(id, text string) loopstate.Quoted { return loopstate.Quoted{SourceID: id, Text: text} }
	for _, tc := range []struct {
		name string
		x    loopstate.Contradiction
		want []string // source and its passages
	}{
		{"none", loopstate.Contradiction{}, nil},
		{"no passages", loopstate.Contradiction{SourceIDs: []string{"S2", "S1"}}, []string{"S2", "S1"}},
		{"both", loopstate.Contradiction{SourceIDs: []string{"S1", "S2"}, Passages: []loopstate.Quoted{pass("S1", "a"), pass("S2", "b")}}, []string{"S1 a", "S2 b"}},
		{"the order of the sources", loopstate.Contradiction{SourceIDs: []string{"S2", "S1"}, Passages: []loopstate.Quoted{pass("S1", "a"), pass("S2", "b")}}, []string{"S2 b", "S1 a"}},
		{"a source with itself", loopstate.Contradiction{SourceIDs: []string{"S1", "S1"}, Passages: []loopstate.Quoted{pass("S1", "a"), pass("S1", "b")}}, []string{"S1 a b"}},
		{"one blank", loopstate.Contradiction{SourceIDs: []string{"S1", "S2"}, Passages: []loopstate.Quoted{pass("S1", " \n"), pass("S2", "b")}}, []string{"S1", "S2 b"}},
		{"a source that it does not name", loopstate.Contradiction{SourceIDs: []string{"S1"}, Passages: []loopstate.Quoted{pass("S9", "z"), pass("S1", "a")}}, []string{"S1 a", "S9 z"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sides, quoted := f.sides(tc.x)
			var got []string
			some := false
			for _, s := range sides {
				says := s.SourceID
				for _, r := range s.Passages {
					says, some = says+" "+r.Passage, true
				}
				got = append(got, says)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || quoted != some {
				t.Errorf("quoted %v, want %v (-want +got):\n%s", quoted, some, diff)
			}
		})
	}
}

// quotesUnder returns the rendered block quotes under a heading, without white space.
func quotesUnder(out []byte, title string) []string {
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(out))
	var quotes []string
	on := false
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 2 {
				on = string(n.Lines().Value(out)) == title
			}
		case *ast.Blockquote:
			if on {
				var b strings.Builder
				for _, p := range markup.Pieces(n, out) {
					b.WriteString(markup.Resolved(string(out[p.Start:p.Stop])))
				}
				quotes = append(quotes, strings.Join(strings.Fields(b.String()), ""))
			}
		}
	}
	return quotes
}

// Markdown quotes each side verbatim. checkPage tests the same for the page.
func TestMarkdownSidesAreVerbatim(t *testing.T) {
	for _, f := range fixtures(t) {
		var want []string
		for _, x := range f.doc.Contradictions {
			sides, _ := factsOf(f.doc).sides(x)
			for _, s := range sides {
				for _, r := range s.Passages {
					if shown := sanitize.Line(r.Passage); shown != "" {
						want = append(want, strings.ReplaceAll(shown, " ", ""))
					}
				}
			}
		}
		got := quotesUnder(render(t, Markdown, f.doc), factsOf(f.doc).words.T("Contradictions"))
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.name, diff)
		}
	}
}

func TestMarkdownLinkAddress(t *testing.T) {
	const address = "https://example.org/a_(b)?x=1&copy;=2&lt=*_*#c:~:text=%3Ca%3E"
	root := goldmark.New().Parser().Parse(text.NewReader([]byte(mdLink("here", sanitize.Link(address)))))
	link, ok := root.FirstChild().FirstChild().(*ast.Link)
	if !ok {
		t.Fatal("no link")
	}
	if got := markup.Resolved(string(link.Destination)); got != sanitize.Link(address) {
		t.Errorf("the link has the address %q, want %q", got, sanitize.Link(address))
	}
}
