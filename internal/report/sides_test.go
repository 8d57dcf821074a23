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
)

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
