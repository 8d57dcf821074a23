package html

import (
	"context"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// OfTrees reads trees of which everything is content: chapters of a book, a feed, an article. Their footnotes are looked for under
// root. It changes them: formulas in MathML become TeX. The error is the context's.
func OfTrees(ctx context.Context, root *html.Node, trees ...*html.Node) (d document.Document, err error) {
	notes := findNotes(root)
	for _, n := range trees {
		if err := ctx.Err(); err != nil {
			return d, err
		}
		d.Invisible += invisibleIn(n)
		readFormulas(n)
		for _, p := range partsOf(n, notes).parts {
			d.Blocks = append(d.Blocks, p.Block)
		}
	}
	return d, nil
}
