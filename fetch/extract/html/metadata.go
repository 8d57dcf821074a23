package html

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pageMeta is what a page says about itself, as found in the tree, before validation.
type pageMeta struct {
	names     map[string][]string // <meta> by name, property or itemprop, in lower case
	title     string
	heading   string // the first <h1>
	front     string // the title in a comment before the page, as documentation trees write it
	lang      string
	canonical string
	base      string   // of <base href>
	licence   string   // of <link rel=license> or <a rel=license>
	published []string // dates of elements that are marked as the page's day of publication
	modified  []string // and of its last change
	times     []string // <time datetime> of the header of an article
	bylines   []string // names in elements that are marked as the author
	linked    linkedData
	refresh   string
	noscript  bool // a <noscript> that says that scripts are needed
	scripts   bool // a <script> that runs
}

// Bounds for what is collected: pages that are real stay far below them.
const (
	maxMetas  = 500
	maxTimes  = 10
	maxTitles = 8 // that are looked at until one has text: each look may walk the whole page
)

// readMeta walks a tree once. It must run before the tree is pruned, because some of it is in scripts.
func readMeta(doc *html.Node) pageMeta {
	m := pageMeta{names: map[string][]string{}}
	metas, scripts, headings, titles := 0, 0, 0, 0
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch n.DataAtom {
		case atom.Html:
			m.lang = firstAttr(n, "lang", "xml:lang")
		case atom.Meta:
			if metas++; metas <= maxMetas {
				m.readMetaElement(n)
			}
		case atom.Title:
			if titles++; m.title == "" && titles <= maxTitles && !within(n, atom.Svg) {
				m.title = InlineText(n)
			}
		case atom.H1:
			m.readMarked(n)
			if headings++; m.heading == "" && headings <= maxTitles {
				m.heading = InlineText(n)
			}
		case atom.Link:
			if m.canonical == "" && strings.EqualFold(attr(n, "rel"), "canonical") {
				m.canonical = attr(n, "href")
			}
			m.readLicence(n)
		case atom.A:
			m.readLicence(n)
			m.readMarked(n)
		case atom.Base:
			if m.base == "" {
				m.base = attr(n, "href")
			}
		case atom.Time:
			if d := attr(n, "datetime"); d != "" && len(m.times) < maxTimes && isPublicationTime(n) {
				m.times = append(m.times, d)
			}
			m.readMarked(n)
		case atom.Script:
			if isLinkedData(n) {
				if scripts++; scripts <= maxLinkedScripts {
					m.linked.read(n.FirstChild.Data)
				}
			} else if kind := strings.ToLower(attr(n, "type")); kind == "" || kind == "module" || strings.Contains(kind, "javascript") {
				m.scripts = true
			}
			return
		case atom.Noscript:
			if n.FirstChild != nil && document.AsksForScripts(n.FirstChild.Data) {
				m.noscript = true
			}
			return
		default:
			m.readMarked(n)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode {
				walk(c)
			}
		}
	}
	walk(doc)
	m.front = frontTitle(doc)
	return m
}

// frontTitle reads the comment that begins a page of a documentation tree and is a JSON object with its
// title: such pages have no head of their own until they are published.
func frontTitle(doc *html.Node) string {
	for n := doc.FirstChild; n != nil && n.Type != html.ElementNode; n = n.NextSibling {
		if n.Type != html.CommentNode || len(n.Data) > 4_096 {
			continue
		}
		var front struct{ Title string }
		if json.Unmarshal([]byte(n.Data), &front) == nil && front.Title != "" {
			return front.Title
		}
	}
	return ""
}

func (m *pageMeta) readMetaElement(n *html.Node) {
	content := strings.TrimSpace(attr(n, "content"))
	if content == "" {
		return
	}
	if strings.EqualFold(attr(n, "http-equiv"), "refresh") {
		if _, to, ok := strings.Cut(content, "="); ok {
			m.refresh = strings.Trim(strings.TrimSpace(to), `"'`)
		}
		return
	}
	for _, key := range []string{"name", "property", "itemprop"} {
		for _, name := range strings.Fields(strings.ToLower(attr(n, key))) {
			if len(m.names[name]) < document.MaxAuthors {
				m.names[name] = append(m.names[name], content)
			}
		}
	}
}

// readMarked reads an element that is marked as the day of publication, as that of the last change, or as the author of
// the page: by microdata, or by the relation of a link. Marks in comments and in lists of other pages say nothing.
func (m *pageMeta) readMarked(n *html.Node) {
	prop, rel := strings.ToLower(attr(n, "itemprop")), ""
	if n.DataAtom == atom.A {
		rel = strings.ToLower(attr(n, "rel"))
	}
	pubdate := n.DataAtom == atom.Time && hasAttr(n, "pubdate")
	if prop == "" && rel == "" && !pubdate || within(n, atom.Aside, atom.Footer, atom.Nav) || inComment(n) {
		return
	}
	value := func() string { return document.First(attr(n, "datetime"), attr(n, "content"), InlineText(n)) }
	switch {
	case pubdate, hasWord(prop, "datepublished"), hasWord(prop, "uploaddate"):
		if len(m.published) < maxTimes {
			m.published = append(m.published, value())
		}
	case hasWord(prop, "datemodified"):
		if len(m.modified) < maxTimes {
			m.modified = append(m.modified, value())
		}
	case hasWord(prop, "author"), hasWord(rel, "author"):
		if len(m.bylines) < maxTimes {
			m.bylines = append(m.bylines, authorIn(n))
		}
	}
}

// authorIn is the name in an element that is marked as the author: that of its own part for the name, if it has one.
func authorIn(n *html.Node) string {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && hasWord(strings.ToLower(attr(d, "itemprop")), "name") {
			return document.First(attr(d, "content"), InlineText(d))
		}
	}
	return document.First(attr(n, "content"), InlineText(n))
}

// inComment reports an element in what readers wrote.
func inComment(n *html.Node) bool {
	for p := n; p != nil; p = p.Parent {
		prop := strings.ToLower(attr(p, "itemprop"))
		named := p.DataAtom != atom.Body && p.DataAtom != atom.Html && strings.Contains(strings.ToLower(attr(p, "class")+attr(p, "id")),
			"comment")
		if named || hasWord(prop, "comment") || hasWord(prop, "review") {
			return true
		}
	}
	return false
}

// first is the first value of the first of these names that has one.
func (m *pageMeta) first(names ...string) string {
	for _, name := range names {
		if values := m.names[name]; len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// declaresArticle reports a page that says of itself that it is one article.
func (m *pageMeta) declaresArticle() bool {
	if isThread(m.linked.kind) {
		return false
	}
	return m.linked.rank == rankArticle || m.first("og:type") == "article"
}

// isPublicationTime reports a <time> that speaks of the page: marked as such, or in the header of an article.
func isPublicationTime(n *html.Node) bool {
	if attr(n, "pubdate") != "" || strings.Contains(strings.ToLower(attr(n, "itemprop")), "datepublished") {
		return true
	}
	if strings.Contains(strings.ToLower(attr(n, "itemprop")), "modified") || within(n, atom.Aside, atom.Footer, atom.Nav, atom.Li) {
		return false
	}
	return within(n, atom.Article, atom.Main, atom.Header)
}

// ownAddress is the address that the page declares, else the one it came from; nil when neither is on the web.
// A saved page has the same facts so as the one that it was saved from.
func (m *pageMeta) ownAddress(base *url.URL) *url.URL {
	for _, s := range []string{m.canonical, m.first("og:url")} {
		if u, err := url.Parse(strings.TrimSpace(s)); err == nil && isWeb(u) {
			return u
		}
	}
	if base != nil && isWeb(base) {
		return base
	}
	return nil
}

// linkBase is what relative links of the page begin from.
func (m *pageMeta) linkBase(base *url.URL) *url.URL {
	from := base
	if from == nil || !isWeb(from) {
		if from = m.ownAddress(nil); from == nil {
			return base
		}
	}
	if ref, err := url.Parse(strings.TrimSpace(m.base)); err == nil && m.base != "" {
		if u := from.ResolveReference(ref); isWeb(u) {
			return u
		}
	}
	return from
}

func isWeb(u *url.URL) bool { return (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" }

// readLicence keeps the first link that says to lead to the page's licence.
func (m *pageMeta) readLicence(n *html.Node) {
	if m.licence != "" {
		return
	}
	for rel := range strings.FieldsSeq(strings.ToLower(attr(n, "rel"))) {
		if rel == "license" || rel == "licence" || rel == "dcterms.license" {
			m.licence = attr(n, "href")
		}
	}
}
