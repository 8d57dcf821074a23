// Package jats reads articles in JATS, the XML format of journal archives (ANSI/NISO Z39.96, before that NLM's Journal
// Publishing DTD). PubMed Central and Europe PMC provide it.
//
// [Read] reads the article's metadata (front.go) and its cited works (citations.go), and converts the rest to HTML elements
// of the same meaning (body.go). Package html then writes headings, tables, lists, formulas, and references as footnotes.
package jats

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"unicode/utf8"

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

// Read makes a document from an article: its title, abstract, sections, tables, captions, notes and cited works. It omits
// other texts in the file, such as reviews.
//
// The error is ctx's, wraps [limit.ErrTooLarge], or wraps [document.ErrUnsupported] if there is no article with text.
func Read(ctx context.Context, body []byte, base *url.URL) (document.Extraction, error) {
	root, complete, err := xmltree.Parse(body)
	if err != nil {
		return document.Extraction{}, err
	}
	article, err := articleIn(root)
	if err != nil {
		return document.Extraction{}, err
	}
	x := document.Extraction{Document: about(article, base)}
	x.References = cited(article)
	if err := ctx.Err(); err != nil {
		return document.Extraction{}, err
	}
	written := html.OfTree(page(article, x.Title), base)
	x.Blocks, x.Text, x.Chars = written.Blocks, written.Text, written.Chars
	x.References = append(x.References, written.References...)
	x.References = x.References[:min(len(x.References), document.MaxReferences)]
	if x.Text == "" {
		return document.Extraction{}, fmt.Errorf("%w: the article in XML has no text", document.ErrUnsupported)
	}
	x.Invisible = written.Invisible
	if !complete {
		x.Partial = "the XML is truncated or damaged; only the part before the damage was read"
	}
	x.ContentType, x.Chars = document.TypeJATS, utf8.RuneCountInString(x.Text)
	return x, ctx.Err()
}
