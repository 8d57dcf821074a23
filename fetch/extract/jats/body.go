package jats

import (
	"cmp"
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/datafile"
)

// same maps elements to the HTML elements of the same meaning. Others are a part of their line.
var same = map[string]atom.Atom{
	"p": atom.P, "sup": atom.Sup, "sub": atom.Sub, "code": atom.Pre, "preformat": atom.Pre, "strike": atom.S, "break": atom.Br,
	"disp-quote": atom.Blockquote, "verse-group": atom.Blockquote, "verse-line": atom.P, "attrib": atom.P, "list": atom.Ul,
	"list-item": atom.Li, "ref": atom.P, "def-list": atom.Dl, "term": atom.Dt, "def": atom.Dd, "caption": atom.Figcaption,
	"table": atom.Table, "thead": atom.Thead, "tbody": atom.Tbody, "tfoot": atom.Tfoot, "tr": atom.Tr, "td": atom.Td, "th": atom.Th,
	"title": atom.P, "subtitle": atom.P, "tex-math": atom.Script, "disp-formula": atom.Div, "table-wrap": atom.Div, "fig": atom.Div,
	"fn": atom.Div, "sec": atom.Div, "app": atom.Div, "ack": atom.Div, "notes": atom.Div, "bio": atom.Div, "abstract": atom.Div,
	"ref-list": atom.Div, "body": atom.Div, "back": atom.Div, "boxed-text": atom.Div, "statement": atom.Div, "speech": atom.Div,
	"supplementary-material": atom.Div, "table-wrap-foot": atom.Div, "fn-group": atom.Div, "question": atom.Div, "answer": atom.Div,
	"trans-abstract": atom.Div, "media": atom.Div, "kwd-group": atom.Ul, "kwd": atom.Li, "aff": atom.P, "corresp": atom.P,
	"funding-statement": atom.P, "license-p": atom.P, "copyright-statement": atom.P, "author-notes": atom.Div, "front-stub": atom.Div,
}

var (
	// dropped are the elements without text of the article: pictures with their metadata, and texts for programs.
	dropped = datafile.Words(`graphic inline-graphic object-id alt-text long-desc permissions related-article related-object sub-article
		response sec-meta index-term processing-meta annotation x email address col colgroup`)
	// beside are the elements with what stands around an article on its page.
	beside = datafile.Words("aff author-notes funding-statement license-p copyright-statement kwd-group abstract trans-abstract")
	// shortForms are the kinds of abstracts that are beside it.
	shortForms = datafile.Words("graphical toc teaser video short")
	// titled are the elements whose title is a heading, and usual the headings of those that may have no title.
	titled = datafile.Words("sec app app-group ack ref-list abstract trans-abstract notes bio")
	usual  = map[string]string{"abstract": "Abstract", "trans-abstract": "Abstract", "ack": "Acknowledgements", "ref-list": "References"}
	// floats are the elements whose label begins their caption.
	floats = datafile.Words("fig table-wrap chem-struct-wrap boxed-text")
	// linkTags are the elements that become links.
	linkTags = datafile.Words("xref ext-link uri self-uri")
	noteRefs = datafile.Words("bibr fn table-fn")

	listTypes = map[string]string{"order": "1", "alpha-lower": "a", "alpha-upper": "A", "roman-lower": "i", "roman-upper": "I"}
	headings  = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}
)

// page turns an article into a page, in place: its title, abstracts, sections and back matter as HTML elements.
func page(article *xhtml.Node, title string) *xhtml.Node {
	meta := xmltree.Child(article, "front", "article-meta")
	var parts []*xhtml.Node
	for _, name := range []string{"abstract", "trans-abstract"} {
		for part := range xmltree.Children(meta, name) {
			if !shortForms[xmltree.Attr(part, "abstract-type")] {
				parts = append(parts, part)
			}
		}
	}
	for _, name := range []string{"body", "back", "floats-group", "floats-wrap"} {
		parts = slices.AppendSeq(parts, xmltree.Children(article, name))
	}
	return asHTML(title, parts)
}

// around returns what a page shows around an article: where its authors work, who paid, its keywords and its licence, and the texts of
// other authors that are archived with it, such as reviews.
func around(article *xhtml.Node) (pages []*xhtml.Node) {
	if meta := xmltree.Child(article, "front", "article-meta"); meta != nil {
		var parts []*xhtml.Node
		for n := range meta.Descendants() {
			if beside[n.Data] {
				parts = append(parts, n)
			}
		}
		pages = append(pages, asHTML("", parts))
	}
	for _, name := range []string{"sub-article", "response"} {
		for sub := range xmltree.Children(article, name) {
			pages = append(pages, page(sub, textAt(sub, "front-stub", "title-group", "article-title")))
		}
	}
	return pages
}

// asHTML makes a page of parts of an article, in place.
func asHTML(title string, parts []*xhtml.Node) *xhtml.Node {
	out := html.Element(atom.Body)
	if title != "" {
		out.AppendChild(html.With(html.Element(atom.H1), html.TextNode(title)))
	}
	for _, part := range parts {
		part.Parent.RemoveChild(part)
		out.AppendChild(part)
	}
	c := converter{referred: map[string]bool{}}
	for n := range out.Descendants() {
		if n.Data == "xref" && noteRefs[xmltree.Attr(n, "ref-type")] {
			c.referred[noteOf(n)] = true
		}
	}
	c.children(out, place{level: 1})
	return out
}

// noteOf is the id of the note or the cited work to which a reference leads.
func noteOf(xref *xhtml.Node) string {
	id, _, _ := strings.Cut(xmltree.Attr(xref, "rid"), " ")
	return id
}

type converter struct{ referred map[string]bool } // ids of notes and cited works

// place is where an element stands.
type place struct {
	level         int // of the heading above
	link, display bool
}

func (c *converter) children(n *xhtml.Node, at place) {
	for k := n.FirstChild; k != nil; {
		next := k.NextSibling
		switch {
		case k.Type != xhtml.ElementNode:
		case dropped[k.Data]:
			n.RemoveChild(k)
		case k.DataAtom != 0: // it was made here
			c.children(k, at)
		case k.Data == "math":
			k.Attr = nil
			if at.display {
				k.Attr = []xhtml.Attribute{{Key: "display", Val: "block"}}
			}
		default:
			c.element(k, at)
		}
		k = next
	}
}

// element makes an HTML element of one of JATS, in place, and of those in it.
func (c *converter) element(n *xhtml.Node, at place) {
	name, tag := n.Data, same[n.Data]
	if tag == 0 {
		tag = atom.Span
	}
	attrs, inside := kept(n), at
	switch {
	case titled[name]:
		inside.level++
		if usual[name] != "" && xmltree.Child(n, "title") == nil {
			title := &xhtml.Node{Type: xhtml.ElementNode, Data: "title"}
			n.InsertBefore(html.With(title, html.TextNode(usual[name])), n.FirstChild)
		}
	case name == "title" && titled[n.Parent.Data]:
		tag = headings[min(at.level, len(headings))-1]
	case name == "caption": // its title and its first paragraph are one line with the label
		for _, lead := range []string{"title", "p"} {
			if first := xmltree.Child(n, lead); first != nil {
				first.Data = "lead"
				first.AppendChild(html.TextNode(" "))
			}
		}
	case linkTags[name]:
		id, isNote := noteOf(n), noteRefs[xmltree.Attr(n, "ref-type")]
		if at.link || name == "xref" && (!isNote || id == "") {
			break
		}
		tag, inside.link = atom.A, true
		if name == "xref" {
			attrs = append(attrs, "href", "#"+id, "role", "doc-biblioref")
		} else {
			attrs = append(attrs, "href", document.First(xmltree.Attr(n, "href"), words(n)))
		}
	case name == "list":
		if kind := listTypes[xmltree.Attr(n, "list-type")]; kind != "" {
			tag = atom.Ol
			attrs = append(attrs, "type", kind)
		}
	case name == "disp-formula":
		inside.display = true
		choose(n, "tex-math", "math")
	case name == "list-item":
		if l := xmltree.Child(n, "label"); l != nil { // which is shown alone
			attrs = append(attrs, html.MarkNumber, words(l))
			n.RemoveChild(l)
		}
	case name == "inline-formula", strings.HasSuffix(name, "alternatives"):
		choose(n, "tex-math", "math", "table", "name", "mixed-citation", "element-citation")
	case name == "tex-math":
		attrs = []string{"type", "math/tex"}
		if at.display {
			attrs[1] += "; mode=display"
		}
		formula := html.TextNode(tex(n))
		for n.FirstChild != nil {
			n.RemoveChild(n.FirstChild)
		}
		n.AppendChild(formula)
	}
	c.label(n)
	punctuate(n)
	c.children(n, inside)
	made := html.Element(tag, attrs...)
	n.Data, n.DataAtom, n.Attr = made.Data, made.DataAtom, made.Attr
}

// kept are the attributes that mean the same in HTML.
func kept(n *xhtml.Node) (attrs []string) {
	for _, key := range []string{"id", "colspan", "rowspan"} {
		if v := xmltree.Attr(n, key); v != "" {
			attrs = append(attrs, key, v)
		}
	}
	return attrs
}

// label writes the label of an element before its words: that of a section in its title, that of a figure in its caption, that
// of a formula behind it in brackets. That of a note is where the text refers to it.
func (c *converter) label(n *xhtml.Node) {
	l := xmltree.Child(n, "label")
	if l == nil {
		return
	}
	n.RemoveChild(l)
	text, into := words(l), n
	switch {
	case text == "" || c.referred[xmltree.Attr(n, "id")]:
		return
	case n.Data == "disp-formula":
		n.AppendChild(html.With(html.Element(atom.P), html.TextNode("("+strings.Trim(text, "()")+")")))
		return
	case titled[n.Data]:
		into = xmltree.Child(n, "title")
	case floats[n.Data]:
		text = strings.TrimRight(text, ".:") + "."
		if into = xmltree.Child(n, "caption"); into == nil {
			into = html.Element(atom.Figcaption)
			n.InsertBefore(into, n.FirstChild)
		}
	default:
		for k := range n.ChildNodes() {
			if k.Type == xhtml.ElementNode {
				if k.Data == "p" {
					into = k
				}
				break
			}
		}
	}
	if into != nil {
		into.InsertBefore(html.TextNode(text+" "), into.FirstChild)
	}
}

// choose keeps the first of several forms of the same.
func choose(n *xhtml.Node, names ...string) {
	for _, name := range names {
		best := xmltree.Child(n, name)
		if best == nil {
			continue
		}
		for k := n.FirstChild; k != nil; {
			next := k.NextSibling
			if k != best && k.Data != "label" {
				n.RemoveChild(k)
			}
			k = next
		}
		return
	}
}

// separators are what is written between the parts of a cited work that have no punctuation, by the part behind; others have a
// full stop before them.
var separators = map[string]string{"year": " ", "volume": "; ", "issue": " no. ", "fpage": ": ", "elocation-id": ": ", "lpage": "–",
	"given-names": " ", "surname": " ", "name": ", ", "string-name": ", ", "collab": ", "}

// citationTags are the elements of a cited work, in all versions of the format.
var citationTags = datafile.Words("mixed-citation element-citation nlm-citation citation")

// punctuate writes the punctuation between the parts of a cited work, its authors or a name, unless it has some.
func punctuate(n *xhtml.Node) {
	if !citationTags[n.Data] && n.Data != "person-group" && n.Data != "name" {
		return
	}
	var parts []*xhtml.Node
	for k := range n.ChildNodes() {
		switch {
		case k.Type == xhtml.ElementNode:
			parts = append(parts, k)
		case strings.TrimSpace(k.Data) != "":
			return
		}
		k.Data = strings.TrimSpace(k.Data)
	}
	for _, part := range parts[min(1, len(parts)):] {
		n.InsertBefore(html.TextNode(cmp.Or(separators[part.Data], ". ")), part)
	}
}

// tex returns the formula of a whole TeX document, the form in which archives store formulas.
func tex(n *xhtml.Node) string {
	s := xmltree.Text(n)
	if _, inner, ok := strings.Cut(s, `\begin{document}`); ok {
		s, _, _ = strings.Cut(inner, `\end{document}`)
	}
	return s
}
