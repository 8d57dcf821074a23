package html

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readabilityArticle finds the part of a page that is its article: readeck's port of Mozilla's. It changes doc. A
// nil node means that it found none.
func readabilityArticle(doc *html.Node, base *url.URL) (node *html.Node) {
	defer func() {
		if recover() != nil { // a page that the port cannot handle is read without it
			node = nil
		}
	}()
	p := readability.NewParser()
	a, err := p.ParseAndMutate(doc, base)
	if err != nil || a.Node == nil {
		return nil
	}
	// The port renames elements by their names alone; blockText goes by atoms.
	for n := range a.Node.Descendants() {
		if n.Type == html.ElementNode {
			n.DataAtom = atom.Lookup([]byte(n.Data))
		}
	}
	return a.Node
}

// Read reads a page: what it says about itself, and the blocks of it that are its content, as plain
// text and as Markdown. The error is the context's.
func Read(ctx context.Context, src string, base *url.URL) (document.Extraction, error) {
	doc, whole, err := parseWithin(ctx, src)
	if err != nil {
		return document.Extraction{}, err
	}
	meta := readMeta(doc)
	styles := css.Read(doc, nil)
	x := document.Extraction{
		Document: meta.document(base), NotFree: meta.linked.notFree, NeedsScript: meta.noscript, HasScripts: meta.scripts, ForwardsTo: meta.refresh,
	}
	x.Invisible = invisibleIn(doc)
	if !whole {
		x.Partial = fmt.Sprintf("the page has more than %d elements and texts; the rest was not read", maxFlatNodes)
	}
	arrange(doc)
	script := scriptChars(doc)
	hidden := prune(doc, styles)
	x.HiddenChars, x.HiddenOrders = hidden.chars, hidden.injections()
	if err := ctx.Err(); err != nil {
		return document.Extraction{}, err
	}
	o := outlineOf(doc)
	meta.complete(&x.Document, o, base)
	x.Shown, x.ShownChars = o.beginning(), o.chars
	var article *html.Node
	if affordable(doc) {
		article = readabilityArticle(cloneTree(doc), base)
	}
	if err := ctx.Err(); err != nil {
		return document.Extraction{}, err
	}
	kept, err := o.choose(ctx, meta.facts(base), article)
	if err != nil {
		return document.Extraction{}, err
	}
	notes := findNotes(doc)
	w := blockWriter{mark: &markup{base: meta.linkBase(base), notes: notes}}
	switch {
	case kept != nil:
		o.keepNotes(kept, notes)
		x.LeftOut = o.leftOut(kept, x.HiddenChars, script)
		o.attributePosts(kept)
		o.remove(kept)
		w.children(doc)
	default: // too large, or nothing looks like content
		x.LeftOut = o.leftOut(nil, x.HiddenChars, script)
		if article == nil || !meta.declaresArticle() {
			article = doc
		}
		w.children(article)
	}
	w.flush(0)
	meta.addStructured(&w, &x)
	x.Text, x.Markdown, x.Runs = w.result()
	x.References = append(x.References, w.mark.links.References...)
	if len(x.References) > document.MaxReferences {
		x.References = x.References[:document.MaxReferences]
	}
	if x.Title == "" {
		x.Title = document.Title(document.FirstLine(x.Text))
	}
	return x, ctx.Err()
}

// arrange gives a tree the shape in which its reader sees it.
func arrange(doc *html.Node) {
	placeStreamed(doc)
	readFormulas(doc)
	readRoles(doc)
	readNames(doc)
	showNoscript(doc)
}

// remove takes the blocks that are not kept out of the tree.
func (o *outline) remove(kept []bool) {
	for i, keep := range kept {
		if keep {
			continue
		}
		for _, n := range o.blocks[i].texts {
			n.Parent.RemoveChild(n)
		}
	}
}

// keepNotes keeps the notes to which what is kept refers.
func (o *outline) keepNotes(kept []bool, notes footnotes) {
	if len(notes.labels) == 0 {
		return
	}
	referred := map[string]bool{}
	inNote := make([]*html.Node, len(kept))
	for i := range o.blocks {
		for _, t := range o.blocks[i].texts {
			for p := t.Parent; p != nil; p = p.Parent {
				if label, ok := notes.refs[p]; ok && kept[i] {
					referred[label] = true
				}
				if _, ok := notes.labels[p]; ok {
					inNote[i] = p
				}
			}
		}
	}
	for i, note := range inNote {
		if note != nil && referred[notes.labels[note]] {
			kept[i] = true
		}
	}
}

// beginning is the start of what the page shows, for judging what kind of answer it is.
func (o *outline) beginning() string {
	var b strings.Builder
	for i := range o.blocks {
		if b.Len() > shownBytes {
			break
		}
		b.WriteString(o.blocks[i].text)
		b.WriteByte('\n')
	}
	return b.String()
}

// shownBytes is more than any paywall or challenge page has.
const shownBytes = 8_000

// affordable reports a tree that readability gets through in bounded time. It sums texts at every candidate
// and again for each of its four attempts, so its cost grows with the text times its depth; and it cannot be
// stopped.
func affordable(doc *html.Node) bool {
	nodes, cost := 0, 0
	var walk func(n *html.Node, depth int) bool
	walk = func(n *html.Node, depth int) bool {
		nodes++
		cost += len(n.Data) * depth
		if nodes > maxArticleNodes || cost > maxArticleCost {
			return false
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if !walk(c, depth+1) {
				return false
			}
		}
		return true
	}
	return walk(doc, 0)
}

const (
	maxArticleNodes = 150_000
	maxArticleCost  = 60 << 20 // bytes of text times depth; 0.5 s at most
)
