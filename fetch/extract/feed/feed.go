// Package feed reads RSS, Atom and JSON feeds as texts: entries as headings with their dates, links and contents.
package feed

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/mmcdole/gofeed"
	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Format returns the type of a body if it is a feed, or "".
func Format(body []byte) string {
	head := bytes.TrimLeft(bytes.TrimPrefix(body[:min(len(body), 4_096)], []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("{")):
		if bytes.Contains(head, []byte("jsonfeed.org/version/")) {
			return document.TypeJSONFeed
		}
	case bytes.HasPrefix(head, []byte("<")):
		switch root := strings.ToLower(xmltree.Root(head)); {
		case root == "rss", root == "rdf" && bytes.Contains(head, []byte("purl.org/rss/")):
			return document.TypeRSS
		case root == "feed":
			return document.TypeAtom
		}
	}
	return ""
}

// Extract returns a feed as a text: its entries as headings with their dates, links and contents.
func Extract(ctx context.Context, kind string, body []byte, base *url.URL) (document.Extraction, error) {
	bound := boundXML
	if kind == document.TypeJSONFeed {
		bound = boundJSON
	}
	body, cut, err := bound(ctx, body)
	if err != nil {
		return document.Extraction{}, err
	}
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(body))
	if err != nil || feed == nil {
		return document.Extraction{}, fmt.Errorf("%w: the feed could not be parsed", document.ErrUnsupported)
	}
	var x document.Extraction
	x.Title = document.Title(feed.Title)
	x.Language = document.Language(feed.Language)
	for _, p := range feed.Authors {
		if p != nil {
			x.Authors = document.AddAuthor(x.Authors, p.Name)
		}
	}
	x.PublishedAt, x.ModifiedAt = document.Date(feed.Published), document.Date(feed.Updated)
	x.CanonicalURL = document.CanonicalURL(feed.Link, base)
	tree := html.Element(atom.Body)
	if x.Title != "" {
		tree.AppendChild(html.With(html.Element(atom.H1), html.TextNode(x.Title)))
	}
	x.Invisible = invisibleIn(feed.Title) + describe(ctx, tree, feed.Description)
	if cut {
		x.Partial = fmt.Sprintf("only the first %d entries were read", len(feed.Items))
	}
	for _, item := range feed.Items {
		if err := ctx.Err(); err != nil {
			return document.Extraction{}, err
		}
		if item != nil {
			entry, invisible := entryOf(ctx, item)
			tree.AppendChild(entry)
			x.Invisible += invisible
		}
	}
	link := base
	if u, err := url.Parse(x.CanonicalURL); err == nil && u.Host != "" {
		link = u
	}
	out := html.NewWhole(link, tree)
	out.Part(tree)
	out.Document(&x.Document)
	x.ContentType, x.Chars = kind, utf8.RuneCountInString(x.Text)
	return x, nil
}

// entryOf returns an entry: its title with its address, its metadata and its content. invisible counts the characters
// that were removed before parsing.
func entryOf(ctx context.Context, item *gofeed.Item) (entry *xhtml.Node, invisible int) {
	entry = html.Element(atom.Section)
	title := html.TextNode(document.First(document.Title(item.Title), "Untitled"))
	heading := html.Element(atom.H2)
	entry.AppendChild(heading)
	var about []string
	if d := document.Date(document.First(item.Published, item.Updated)); d != "" {
		about = append(about, d)
	}
	for _, p := range item.Authors {
		if p != nil && document.Title(p.Name) != "" && len(about) < 8 {
			about = append(about, document.Title(p.Name))
		}
	}
	if u, err := url.Parse(strings.TrimSpace(item.Link)); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		to := address.Redact(u.String())
		about = append(about, to)
		title = html.With(html.Element(atom.A, "href", to), title)
	}
	heading.AppendChild(title)
	if len(about) > 0 {
		entry.AppendChild(html.With(html.Element(atom.P), html.TextNode(strings.Join(about, " · "))))
	}
	summary, content := html.Element(atom.Div), html.Element(atom.Div)
	invisible = invisibleIn(item.Title) + describe(ctx, summary, item.Description) + describe(ctx, content, item.Content)
	short, long := html.BlockText(summary), html.BlockText(content)
	if short != "" && !strings.HasPrefix(long, strings.TrimRight(short, ".… ")) {
		entry.AppendChild(summary)
	}
	return html.With(entry, content), invisible
}

func invisibleIn(s string) int { return sanitize.CountInvisible(s) }

// describe appends HTML or plain text. Feeds contain both without declaring which. It returns the number of invisible
// characters that it removed from plain text.
func describe(ctx context.Context, n *xhtml.Node, s string) int {
	if s = strings.TrimSpace(s); s == "" {
		return 0
	}
	if !strings.ContainsAny(s, "<&") {
		for block := range strings.SplitSeq(document.Tidy(s), "\n\n") {
			p := html.Element(atom.P)
			for i, line := range strings.Split(block, "\n") {
				if i > 0 {
					p.AppendChild(html.Element(atom.Br))
				}
				p.AppendChild(html.TextNode(line))
			}
			n.AppendChild(p)
		}
		return invisibleIn(s)
	}
	doc, _, err := html.Parse(ctx, s, nil)
	if err != nil { // the caller gets the same error
		return 0
	}
	div := html.Element(atom.Div)
	html.Adopt(div, doc)
	n.AppendChild(div)
	return 0
}
