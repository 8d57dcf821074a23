package html

import (
	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// Whole reads trees of which everything is content: books, documents of word processors, feeds.
type Whole struct {
	notes     footnotes
	blocks    []document.Block
	invisible int
}

// NewWhole begins a document whose trees are under root, where its footnotes are looked for.
func NewWhole(root *html.Node) *Whole {
	return &Whole{notes: findNotes(root)}
}

// Part reads a tree. It changes it: formulas in MathML become TeX.
func (w *Whole) Part(n *html.Node) {
	w.invisible += invisibleIn(n)
	readFormulas(n)
	for _, p := range partsOf(n, w.notes).parts {
		w.blocks = append(w.blocks, p.Block)
	}
}

// Document puts what was read into a document.
func (w *Whole) Document(d *document.Document) {
	d.Blocks = w.blocks
	d.Invisible += w.invisible
}

// OfTree reads a tree that is content as a whole, as other formats are when they are turned into one.
func OfTree(root *html.Node) document.Document {
	whole := NewWhole(root)
	whole.Part(root)
	var d document.Document
	whole.Document(&d)
	return d
}
