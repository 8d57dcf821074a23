package html

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html/css"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// maxHiddenText bounds how much of what a page hides is searched for phrases that address a model, in bytes.
const maxHiddenText = 256 << 10

// Read reads a page: what it says about itself, and all that it shows, in blocks. The error is the context's.
func Read(ctx context.Context, src string, base *url.URL) (document.Extraction, error) {
	doc, whole, err := parseWithin(ctx, src)
	if err != nil {
		return document.Extraction{}, err
	}
	meta := readMeta(doc)
	styles := css.Read(doc, nil)
	x := document.Extraction{
		Document: meta.document(base), NotFree: meta.notFree, NeedsScript: meta.noscript, HasScripts: meta.scripts,
	}
	x.Invisible = invisibleIn(doc)
	if !whole {
		x.Partial = fmt.Sprintf("the page has more than %d elements and texts, or one of more than %d MB; the rest was not read",
			maxFlatNodes, maxFlatToken>>20)
	}
	readFormulas(doc)
	readRoles(doc)
	showNoscript(doc)
	hidden := prune(doc, styles)
	x.HiddenChars = charsOf(hidden)
	x.HiddenOrders = len(sanitize.FindInjections(strings.ToValidUTF8(hidden[:min(len(hidden), maxHiddenText)], " ")))
	if err := ctx.Err(); err != nil {
		return document.Extraction{}, err
	}
	p := partsOf(doc, findNotes(doc))
	p.addArticle(meta.article)
	meta.complete(&x.Document, p, base)
	x.Shown, x.ShownChars = p.beginning()
	p.mark(meta.declaresArticle(), isThread(meta.kind))
	for i := range p.parts {
		x.Blocks = append(x.Blocks, p.parts[i].Block)
	}
	return x, ctx.Err()
}

// Parse reads a page or a piece of one, without what is not shown. Its depth is bounded, and so is the number of its nodes.
// load returns a style sheet to which it links, and may be nil. hidden is the number of code points that it hides; the error
// is the context's.
func Parse(ctx context.Context, src string, load func(href string) (sheet string, ok bool)) (doc *html.Node, hidden int, err error) {
	if doc, _, err = parseWithin(ctx, src); err != nil {
		return nil, 0, err
	}
	return doc, charsOf(prune(doc, css.Read(doc, load))), nil
}

// addArticle adds the article that the page's linked data hold, if the page shows less than half of it: its scripts show it.
func (p *page) addArticle(article string) {
	shown := 0
	for i := range p.parts {
		shown += p.parts[i].chars
	}
	if 2*shown > charsOf(article) {
		return
	}
	for line := range strings.Lines(article) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			p.parts = append(p.parts, part{Block: document.Block{Text: line}, chars: charsOf(line)})
		}
	}
}

// beginning is the start of what the page shows, for judging what kind of answer it is, and the length of all of it.
func (p *page) beginning() (start string, chars int) {
	var b strings.Builder
	for i := range p.parts {
		if b.Len() < shownBytes {
			b.WriteString(p.parts[i].Text)
			b.WriteByte('\n')
		}
		chars += utf8.RuneCountInString(p.parts[i].Text)
	}
	return b.String(), chars
}

// shownBytes is more than any paywall or challenge page has.
const shownBytes = 8_000
