package feed

import (
	"encoding/json"
	"fmt"
	"strings"

	xhtml "golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
)

// readXML reads RSS and Atom. cut says that the feed was not read to its end. The error wraps [limit.ErrTooLarge] or
// [document.ErrUnsupported].
func readXML(body []byte) (feed entry, entries []entry, cut bool, err error) {
	tree, cut, err := xmltree.ParseLoose(body)
	if err != nil {
		return feed, nil, false, err
	}
	var root *xhtml.Node
	for c := range tree.ChildNodes() {
		if c.Type == xhtml.ElementNode {
			root = c
			break
		}
	}
	if root == nil {
		return feed, nil, false, fmt.Errorf("%w: the feed could not be parsed", document.ErrUnsupported)
	}
	channel, isAtom := root, strings.EqualFold(root.Data, "feed")
	if c := xmltree.Child(root, "channel"); c != nil {
		channel = c
	}
	feed = readEntry(channel, isAtom)
	for _, of := range []struct {
		parent *xhtml.Node
		name   string
	}{{channel, "item"}, {root, "item"}, {root, "entry"}} {
		if of.parent == root && of.name == "item" && channel == root {
			continue
		}
		for n := range xmltree.Children(of.parent, of.name) {
			if len(entries) > maxItems {
				break
			}
			entries = append(entries, readEntry(n, isAtom))
		}
	}
	return feed, entries, cut, nil
}

// readEntry reads the parts of an entry or of a feed. Of repeated ones the first counts.
func readEntry(n *xhtml.Node, isAtom bool) (e entry) {
	for c := range n.ChildNodes() {
		if c.Type != xhtml.ElementNode {
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
				once(&e.link, document.First(xmltree.Attr(c, "href"), unwrapped(textIn(c))))
			}
		case "pubDate", "published", "date":
			once(&e.published, textIn(c))
		case "updated", "lastBuildDate", "modified":
			once(&e.updated, textIn(c))
		case "language":
			once(&e.lang, textIn(c))
		case "author", "creator", "managingEditor":
			name := unwrapped(textIn(c))
			if named := xmltree.Child(c, "name"); named != nil {
				name = textIn(named)
			}
			if _, after, ok := strings.Cut(name, "("); ok && strings.Contains(name, "@") { // ada@example.org (Ada Writer)
				name = strings.TrimSuffix(strings.TrimSpace(after), ")")
			}
			e.authors = document.AddAuthor(e.authors, name)
		}
	}
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
	return words{unwrapped(textIn(n)), isAtom && (kind == "" || kind == "text" || kind == "text/plain")}
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

func textIn(n *xhtml.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == xhtml.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// jsonContents is what is read of a JSON feed.
type jsonContents struct {
	Title       string     `json:"title"`
	HomePageURL string     `json:"home_page_url"`
	Description string     `json:"description"`
	Language    string     `json:"language"`
	Items       []jsonItem `json:"items"`
	jsonAuthors
}

type jsonItem struct {
	URL           string `json:"url"`
	ExternalURL   string `json:"external_url"`
	Title         string `json:"title"`
	ContentHTML   string `json:"content_html"`
	ContentText   string `json:"content_text"`
	Summary       string `json:"summary"`
	DatePublished string `json:"date_published"`
	DateModified  string `json:"date_modified"`
	jsonAuthors
}

// jsonAuthors are the authors in version 1 and in version 1.1.
type jsonAuthors struct {
	Author  json.RawMessage `json:"author"`
	Authors json.RawMessage `json:"authors"`
}

func (a jsonAuthors) names() (names []string) {
	type person struct {
		Name string `json:"name"`
	}
	var one person
	var many []person
	_ = json.Unmarshal(a.Author, &one) // an invalid author is none
	_ = json.Unmarshal(a.Authors, &many)
	for _, p := range append(many[:min(len(many), document.MaxAuthors)], one) {
		names = document.AddAuthor(names, p.Name)
	}
	return names
}

// readJSON reads a JSON feed.
func readJSON(body []byte) (feed entry, entries []entry, cut bool, err error) {
	var all jsonContents
	if err := json.Unmarshal(body, &all); err != nil { // also bounds nesting
		return feed, nil, false, fmt.Errorf("%w: the feed could not be parsed", document.ErrUnsupported)
	}
	feed = entry{title: words{all.Title, true}, summary: words{all.Description, true}, link: all.HomePageURL,
		lang: all.Language, authors: all.names()}
	for _, i := range all.Items[:min(len(all.Items), maxItems)] {
		content := words{text: i.ContentHTML}
		entries = append(entries, entry{title: words{i.Title, true}, summary: words{i.Summary, true},
			content: content.or(words{i.ContentText, true}),
			link:    document.First(i.URL, i.ExternalURL), published: i.DatePublished, updated: i.DateModified, authors: i.names()})
	}
	return feed, entries, len(all.Items) > maxItems, nil
}
