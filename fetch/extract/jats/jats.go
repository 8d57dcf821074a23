// Package jats reads articles in JATS, the XML format of journal archives (ANSI/NISO Z39.96, before that NLM's Journal
// Publishing DTD). PubMed Central and Europe PMC provide it.
//
// [Read] reads the article's metadata (front.go) and turns the rest into HTML elements of the same meaning (body.go), which package html
// reads.
package jats

import (
	"bytes"
	"context"
	"fmt"
	"net/url"

	xhtml "golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
)

// headBytes is how much of a file is checked for its format. The metadata of an article is at its beginning.
const headBytes = 64 << 10

// Is reports whether a body is an article in JATS, by its root element and by metadata that only JATS has.
func Is(body []byte) bool {
	head := body[:min(len(body), headBytes)]
	if !bytes.Contains(head, []byte("<article-meta")) && !bytes.Contains(head, []byte("<journal-meta")) {
		return false
	}
	switch xmltree.Root(head) {
	case "article", "pmc-articleset", "OAI-PMH":
		return true
	}
	return false
}

// Read makes a document from an article: its title, abstracts, sections, tables, captions, notes and cited works. What its page
// shows around it is furniture.
//
// The error is ctx's, wraps [limit.ErrTooLarge], or wraps [document.ErrUnsupported] if there is no article with text.
func Read(ctx context.Context, body []byte, base *url.URL) (document.Extraction, error) {
	root, complete, err := xmltree.Parse(body)
	if err != nil {
		return document.Extraction{}, err
	}
	article := articleIn(root)
	if article == nil {
		return document.Extraction{}, fmt.Errorf("%w: no article was found in the XML", document.ErrUnsupported)
	}
	x := document.Extraction{Document: about(article, base)}
	whole := page(article, x.Title)
	shown, err := html.OfTrees(ctx, whole, whole)
	if err != nil {
		return document.Extraction{}, err
	}
	x.Blocks, x.Invisible = shown.Blocks, shown.Invisible
	if len(x.Blocks) == 0 {
		return document.Extraction{}, fmt.Errorf("%w: the article in XML has no text", document.ErrUnsupported)
	}
	for _, beside := range around(article) {
		if shown, err = html.OfTrees(ctx, beside, beside); err != nil {
			return document.Extraction{}, err
		}
		x.Invisible += shown.Invisible
		for _, b := range shown.Blocks {
			x.Blocks = append(x.Blocks, document.Block{Kind: document.Furniture, Text: b.Text, Number: b.Number})
		}
	}
	if !complete {
		x.Partial = "the XML is truncated or damaged; only the part before the damage was read"
	}
	return x, nil
}

// articleIn returns the article of a file, which may be wrapped in a service's response, or nil.
func articleIn(root *xhtml.Node) *xhtml.Node {
	for range 4 {
		if article := xmltree.Child(root, "article"); article != nil {
			return article
		}
		if root = xmltree.First(root); root == nil {
			break
		}
	}
	return nil
}
