// Package jats reads articles in JATS, the XML in which journals are archived (ANSI/NISO Z39.96, and NLM's
// Journal Publishing DTD before it), as PubMed Central and Europe PMC give them out.
//
// [Read] makes a tree of the XML within bounds (tree.go), takes from it what the article says about itself
// (front.go) and what it cites (citations.go), turns the rest into the elements of HTML that mean the same
// (body.go, formulas.go, notes.go), and has package html write those: headings, tables, lists, formulas, and
// references as footnotes.
package jats

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"net/url"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/limit"
)

// headBytes is how far a file is looked at for what it is: an article's metadata is at its beginning.
const headBytes = 64 << 10

// Is reports a body that is an article in JATS: its root element says so, and the metadata that only JATS has.
func Is(body []byte) bool {
	head := body[:min(len(body), headBytes)]
	if !bytes.Contains(head, []byte("<article-meta")) && !bytes.Contains(head, []byte("<journal-meta")) {
		return false
	}
	d := limit.XMLDecoder(head)
	d.Strict = false
	for {
		token, err := d.RawToken()
		if err != nil {
			return false
		}
		if e, ok := token.(xml.StartElement); ok {
			switch e.Name.Local {
			case "article", "pmc-articleset", "OAI-PMH":
				return true
			}
			return false
		}
	}
}

// Read makes a document of an article: its title, abstract, sections, tables, figures' captions, notes and cited
// works. Texts that are archived with it, such as the reports of its reviewers, are left out.
//
// The error is ctx's, wraps [limit.ErrTooLarge], or [document.ErrUnsupported] when there is no article with text.
func Read(ctx context.Context, body []byte, base *url.URL) (document.Extraction, error) {
	root, complete, err := parse(body)
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
	x.Text, x.Markdown, x.Runs = written.Text, written.Markdown, written.Runs
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
