// Package feed reads RSS and Atom feeds as texts: entries as headings with their dates, links and contents.
package feed

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"strings"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// maxItems bounds the entries. Archives of podcasts reach some 2,000.
const maxItems = 2_000

// Format returns the type of a body if it is a feed, or "".
func Format(body []byte) string {
	head := body[:min(len(body), 4_096)]
	switch root := strings.ToLower(xmltree.Root(head)); {
	case root == "rss", root == "rdf" && bytes.Contains(head, []byte("purl.org/rss/")):
		return document.TypeRSS
	case root == "feed":
		return document.TypeAtom
	}
	return ""
}

// words are what a feed says in one element: HTML, or literal text.
type words struct {
	text    string
	literal bool
}

// entry is an entry of a feed, or the feed itself.
type entry struct {
	title, summary, content        words
	link, published, updated, lang string
	authors                        []string
}

// Read returns a feed as a text: its entries as headings with their dates, links and contents.
func Read(ctx context.Context, body []byte, base *url.URL) (document.Extraction, error) {
	if err := ctx.Err(); err != nil {
		return document.Extraction{}, err
	}
	feed, entries, cut, err := read(body)
	if err != nil {
		return document.Extraction{}, err
	}
	var x document.Extraction
	title, invisible := feed.title.line(ctx)
	x.Title, x.Language, x.Authors = title, document.Language(feed.lang), feed.authors
	x.PublishedAt, x.ModifiedAt = document.Date(feed.published), document.Date(feed.updated)
	x.CanonicalURL = document.CanonicalURL(feed.link, base)
	tree := html.Element(atom.Body)
	if x.Title != "" {
		tree.AppendChild(html.With(html.Element(atom.H1), html.TextNode(x.Title)))
	}
	feed.summary.into(ctx, tree)
	if cut {
		x.Partial = fmt.Sprintf("only the first %d entries were read", len(entries))
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return document.Extraction{}, err
		}
		section, removed := e.section(ctx)
		tree.AppendChild(section)
		invisible += removed
	}
	d, err := html.OfTrees(ctx, tree, tree)
	x.Blocks, x.Invisible = d.Blocks, d.Invisible+invisible
	return x, err
}

// section returns an entry: its title with its address, its metadata and its content. invisible counts the characters
// that were removed from the title.
func (e entry) section(ctx context.Context) (section *xhtml.Node, invisible int) {
	section = html.Element(atom.Section)
	line, invisible := e.title.line(ctx)
	title := html.TextNode(document.First(line, "Untitled"))
	heading := html.Element(atom.H2)
	section.AppendChild(heading)
	var about []string
	if d := document.Date(document.First(e.published, e.updated)); d != "" {
		about = append(about, d)
	}
	about = append(about, e.authors[:min(len(e.authors), 7)]...)
	if u, err := url.Parse(strings.TrimSpace(e.link)); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		to := address.Redact(u.String())
		about = append(about, to)
		title = html.With(html.Element(atom.A, "href", to), title)
	}
	heading.AppendChild(title)
	if len(about) > 0 {
		section.AppendChild(html.With(html.Element(atom.P), html.TextNode(strings.Join(about, " · "))))
	}
	summary, content := html.Element(atom.Div), html.Element(atom.Div)
	e.summary.into(ctx, summary)
	e.content.into(ctx, content)
	short, long := html.BlockText(summary), html.BlockText(content)
	if short != "" && !strings.HasPrefix(long, strings.TrimRight(short, ".… ")) {
		section.AppendChild(summary)
	}
	return html.With(section, content), invisible
}

// line returns words on one line without tags, and the number of invisible characters in them.
func (w words) line(ctx context.Context) (string, int) {
	shown := html.Element(atom.Div)
	w.into(ctx, shown)
	return document.Title(document.First(html.InlineText(shown), w.text)), sanitize.CountInvisible(w.text)
}

// into appends words to an element.
func (w words) into(ctx context.Context, n *xhtml.Node) {
	div := html.Element(atom.Div)
	if w.literal || !strings.ContainsAny(w.text, "<&") {
		div = html.With(html.Element(atom.Div, html.MarkLines, "pre-line"), html.TextNode(w.text))
	} else if doc, _, err := html.Parse(ctx, w.text, nil); err == nil { // else the caller gets the same error
		html.Adopt(div, doc)
	}
	n.AppendChild(div)
}
