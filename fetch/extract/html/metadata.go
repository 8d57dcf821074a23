package html

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// facts are what a page says about itself, by what says it: the name of a <meta> in lower case; "link:" or "a:" with a relation;
// "ld:" with a key of linked data; "mark:" with what an element is marked as; and "html:lang", "title", "h1".
type facts map[string][]string

// Bounds for what is collected: pages that are real stay far below them.
const (
	maxFacts = 500 // names
	maxLooks = 100 // elements whose text is looked at: each look may walk the whole page
)

// add adds the values of a fact that are not empty.
func (f facts) add(name string, values ...string) {
	for _, v := range values {
		if v = strings.TrimSpace(v); v != "" && len(f[name]) < document.MaxAuthors && len(f) < maxFacts {
			f[name] = append(f[name], v)
		}
	}
}

// all are the values of facts, in the order of their names.
func (f facts) all(names string) (values []string) {
	for name := range strings.FieldsSeq(names) {
		values = append(values, f[name]...)
	}
	return values
}

// first is the first value of the first of these facts that has one.
func (f facts) first(names string) string { return document.First(f.all(names)...) }

// pageMeta is what a page says about itself, before validation.
type pageMeta struct {
	facts
	linked   []linkedObject
	kind     string // the type of the one that is believed, or ""
	rank     int    // and how much it is worth
	notFree  bool
	article  string // its text in linked data
	noscript bool   // a <noscript> that says that scripts are needed
	scripts  bool   // a <script> that runs
	looks    int
	visited  int // objects of linked data
}

// readMeta walks a tree once. It must run before the tree is pruned, because some of it is in scripts.
func readMeta(doc *html.Node) *pageMeta {
	m := &pageMeta{facts: facts{}}
	for n := range doc.Descendants() {
		m.element(n)
		if marksAuthor(n) && !within(n, atom.Aside, atom.Footer, atom.Nav) && !inComment(n) {
			for d := range n.Descendants() {
				if hasWord(attr(d, "itemprop"), "name") {
					n = d
					break
				}
			}
			m.add("mark:author", document.First(attr(n, "content"), m.look(n)))
		}
	}
	m.believe()
	return m
}

func (m *pageMeta) element(n *html.Node) {
	switch n.DataAtom {
	case atom.Html:
		m.add("html:lang", firstAttr(n, "lang", "xml:lang"))
	case atom.Meta:
		for _, key := range []string{"name", "property", "itemprop"} {
			for name := range lowWords(n, key) {
				m.add(name, attr(n, "content"))
			}
		}
	case atom.Title:
		if !within(n, atom.Svg) {
			m.add("title", m.look(n))
		}
	case atom.H1:
		if m.first("h1") == "" { // a page may nest them
			m.add("h1", m.look(n))
		}
	case atom.Link, atom.A:
		for rel := range lowWords(n, "rel") {
			m.add(n.Data+":"+rel, attr(n, "href"))
		}
	case atom.Script:
		switch kind := strings.ToLower(strings.TrimSpace(attr(n, "type"))); {
		case kind == "application/ld+json" && n.FirstChild != nil:
			m.readLinked(n.FirstChild.Data)
		case kind == "", kind == "module", strings.Contains(kind, "javascript"):
			m.scripts = true
		}
	case atom.Noscript:
		m.noscript = m.noscript || n.FirstChild != nil && document.AsksForScripts(n.FirstChild.Data)
	}
}

// look is the text of an element.
func (m *pageMeta) look(n *html.Node) string {
	if m.looks++; m.looks > maxLooks {
		return ""
	}
	return InlineText(n)
}

// lowWords are the words of an attribute in lower case.
func lowWords(n *html.Node, key string) iter.Seq[string] {
	return strings.FieldsSeq(strings.ToLower(attr(n, key)))
}

// marksAuthor reports an element with who wrote the page, by microdata or the relation of a link.
func marksAuthor(n *html.Node) bool {
	return n.DataAtom != atom.Meta && (hasWord(attr(n, "itemprop"), "author") || n.DataAtom == atom.A && hasWord(attr(n, "rel"), "author"))
}

// inComment reports an element in what readers wrote.
func inComment(n *html.Node) bool {
	for p := n; p != nil && p.DataAtom != atom.Body; p = p.Parent {
		names := strings.ToLower(attr(p, "class") + attr(p, "id") + attr(p, "itemprop"))
		if strings.Contains(names, "comment") || strings.Contains(names, "review") {
			return true
		}
	}
	return false
}

// declaresArticle reports a page that says of itself that it is one article.
func (m *pageMeta) declaresArticle() bool {
	return !isThread(m.kind) && (m.rank == rankArticle || m.first("og:type") == "article")
}
