package html

import (
	"context"
	"net/url"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html/css"
)

// Whole writes trees of which everything is content: books, documents of word processors, feeds. Nothing is
// chosen among their blocks.
type Whole struct {
	w         blockWriter
	invisible int
}

// NewWhole begins a document whose trees are under root, where its footnotes are looked for. base is the
// address that its links are relative to, or nil.
func NewWhole(base *url.URL, root *html.Node) *Whole {
	return &Whole{w: blockWriter{mark: &markup{base: base, notes: findNotes(root)}}}
}

// Part writes a tree.
func (p *Whole) Part(n *html.Node) {
	p.invisible += invisibleIn(n)
	strikeAll(n)
	p.w.flush(2)
	p.w.children(n)
	p.w.flush(2)
}

// Document puts what was written into a document.
func (p *Whole) Document(d *document.Document) {
	d.Text, d.Markdown, d.Runs = p.w.result()
	d.References = p.w.mark.links.References
	d.Invisible += p.invisible
}

// Parse reads a page or a piece of one: its formulas as TeX, and without what is not shown. Its depth is
// bounded, and so is the number of its nodes: a chapter of a book has some thousands, and what lies beyond two
// million is left out. load returns a style sheet to which it links, and may be nil. hidden is the number of code points
// that it hides; the error is the context's.
func Parse(ctx context.Context, src string, load func(href string) (sheet string, ok bool)) (doc *html.Node, hidden int, err error) {
	if doc, _, err = parseWithin(ctx, src); err != nil {
		return nil, 0, err
	}
	styles := css.Read(doc, load)
	readFormulas(doc)
	return doc, prune(doc, styles).chars, nil
}

// Formula is a formula in MathML as an element that is written as TeX, or nil when it is empty.
func Formula(math *html.Node) *html.Node {
	if tex := tidyTeX(texOf(math)); tex != "" {
		return formulaNode(tex, false)
	}
	return nil
}

// OfTree is a tree that is content as a whole, as other formats are when they are turned into one: its text,
// Markdown, the map between them, and the links that lead elsewhere. Formulas in MathML become TeX. It changes the
// tree, whose depth the caller bounds.
func OfTree(root *html.Node, base *url.URL) document.Document {
	readFormulas(root)
	whole := NewWhole(base, root)
	whole.Part(root)
	var d document.Document
	whole.Document(&d)
	return d
}
