package feed

import (
	"fmt"
	"strings"

	xhtml "golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
)

// read reads RSS and Atom. cut says that the feed was not read to its end. The error wraps [limit.ErrTooLarge] or
// [document.ErrUnsupported].
func read(body []byte) (feed entry, entries []entry, cut bool, err error) {
	tree, cut, err := xmltree.ParseLoose(body)
	if err != nil {
		return feed, nil, false, err
	}
	root := xmltree.First(tree)
	if root == nil {
		return feed, nil, false, fmt.Errorf("%w: the feed could not be parsed", document.ErrUnsupported)
	}
	isAtom := strings.EqualFold(root.Data, "feed")
	parents := []*xhtml.Node{root}
	if channel := xmltree.Child(root, "channel"); channel != nil { // RSS 1.0 has its items beside it
		parents = []*xhtml.Node{channel, root}
	}
	for _, parent := range parents {
		for n := range parent.ChildNodes() {
			switch {
			case n.Data != "item" && n.Data != "entry":
			case len(entries) == maxItems:
				return readEntry(parents[0], isAtom), entries, true, nil
			default:
				entries = append(entries, readEntry(n, isAtom))
			}
		}
	}
	return readEntry(parents[0], isAtom), entries, cut, nil
}

// readEntry reads the parts of an entry or of a feed. Of repeated ones the first counts.
func readEntry(n *xhtml.Node, isAtom bool) (e entry) {
	var named words // in an extension
	for c := range n.ChildNodes() {
		if c.Type != xhtml.ElementNode {
			continue
		}
		if c.Data == "title" && c.Namespace == xmltree.Extension {
			named = named.or(wordsOf(c, isAtom))
			continue
		}
		once := func(to *string, value string) {
			if *to == "" {
				*to = strings.TrimSpace(value)
			}
		}
		switch c.Data {
		case "title":
			e.title = e.title.or(wordsOf(c, isAtom))
		case "description", "summary", "subtitle":
			e.summary = e.summary.or(wordsOf(c, isAtom))
		case "group": // of media, such as videos
			if text := xmltree.Child(c, "description"); text != nil {
				e.summary = e.summary.or(wordsOf(text, false))
			}
		case "content", "encoded":
			e.content = e.content.or(wordsOf(c, isAtom))
		case "link":
			if rel := xmltree.Attr(c, "rel"); rel == "" || rel == "alternate" {
				once(&e.link, document.First(xmltree.Attr(c, "href"), unwrapped(xmltree.Text(c))))
			}
		case "pubDate", "published", "date":
			once(&e.published, xmltree.Text(c))
		case "updated", "lastBuildDate", "modified":
			once(&e.updated, xmltree.Text(c))
		case "language":
			once(&e.lang, xmltree.Text(c))
		case "author", "creator", "managingEditor":
			name := unwrapped(xmltree.Text(c))
			if named := xmltree.Child(c, "name"); named != nil {
				name = xmltree.Text(named)
			}
			if _, after, ok := strings.Cut(name, "("); ok && strings.Contains(name, "@") { // ada@example.org (Ada Writer)
				name = strings.TrimSuffix(strings.TrimSpace(after), ")")
			}
			e.authors = document.AddAuthor(e.authors, name)
		}
	}
	e.title = e.title.or(named)
	if e.lang == "" {
		e.lang = xmltree.Attr(n, "lang")
	}
	return e
}

func (w words) or(other words) words {
	if w.text != "" {
		return w
	}
	return other
}

// wordsOf reads an element: in Atom as its type says, in RSS as HTML, which may be escaped or in CDATA, also twice.
func wordsOf(n *xhtml.Node, isAtom bool) words {
	kind := xmltree.Attr(n, "type")
	if kind == "xhtml" {
		var b strings.Builder
		for c := range n.ChildNodes() {
			_ = xhtml.Render(&b, c) // a builder does not fail
		}
		return words{text: b.String()}
	}
	return words{unwrapped(xmltree.Text(n)), isAtom && (kind == "" || kind == "text" || kind == "text/plain")}
}

// unwrapped removes marks of CDATA that the program of a feed escaped.
func unwrapped(s string) string {
	for range 3 {
		t := strings.TrimSpace(s)
		inner, ok := strings.CutPrefix(t, "<![CDATA[")
		if !ok {
			break
		}
		s = strings.ReplaceAll(strings.TrimSuffix(inner, "]]>"), "]]]]><![CDATA[>", "]]>")
	}
	return s
}
