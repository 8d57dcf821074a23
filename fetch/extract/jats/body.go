package jats

import (
	"strings"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/docid"
)

func element(tag atom.Atom, children ...*xhtml.Node) *xhtml.Node {
	return html.With(html.Element(tag), children...)
}

func link(to string, children ...*xhtml.Node) *xhtml.Node {
	return html.With(html.Element(atom.A, "href", to), children...)
}

// identified gives what was made of an element its id, to which references lead.
func identified(made, n *xhtml.Node) *xhtml.Node {
	if id := xmltree.Attr(n, "id"); id != "" {
		made.Attr = append(made.Attr, xhtml.Attribute{Key: "id", Val: id})
	}
	return made
}

// same maps elements to the HTML elements of the same meaning.
var same = map[string]atom.Atom{
	"p": atom.P, "italic": atom.I, "bold": atom.B, "sup": atom.Sup, "sub": atom.Sub, "monospace": atom.Code, "code": atom.Pre,
	"preformat": atom.Pre, "strike": atom.S,
	"break": atom.Br, "hr": atom.Hr, "disp-quote": atom.Blockquote, "verse-group": atom.Blockquote, "verse-line": atom.P, "attrib": atom.P,
	"speech": atom.Div, "statement": atom.Div,
	"list-item": atom.Li, "def-list": atom.Dl, "term": atom.Dt, "def": atom.Dd, "boxed-text": atom.Div, "supplementary-material": atom.Div,
	"table": atom.Table, "thead": atom.Thead, "tbody": atom.Tbody, "tfoot": atom.Tfoot, "tr": atom.Tr, "td": atom.Td, "th": atom.Th,
	"table-wrap-foot": atom.Div, "fn-group": atom.Div, "glossary": atom.Div, "question": atom.Div, "answer": atom.Div,
}

// dropped are the elements without text of the article: pictures with their metadata, and texts of other authors that are
// archived with it.
var dropped = datafile.Words(`graphic inline-graphic media object-id alt-text long-desc permissions label tex-math
	related-article related-object sub-article response sec-meta kwd-group index-term
	processing-meta annotation x copyright-statement email address col colgroup fn-type`)

// page converts an article to HTML: its title, abstracts, sections and back matter.
func page(article *xhtml.Node, title string) *xhtml.Node {
	out := element(atom.Body)
	add := func(nodes ...*xhtml.Node) {
		for _, n := range nodes {
			out.AppendChild(n)
		}
	}
	if title != "" {
		add(element(atom.H1, html.TextNode(title)))
	}
	for a := range xmltree.Children(xmltree.Child(article, "front", "article-meta"), "abstract") {
		switch xmltree.Attr(a, "abstract-type") {
		case "graphical", "toc", "teaser", "video", "short": // pictures and short versions
			continue
		}
		add(section(a, 2, "Abstract")...)
	}
	for _, name := range []string{"body", "back", "floats-group", "floats-wrap"} {
		if part := xmltree.Child(article, name); part != nil {
			add(blocks(part, 2)...)
		}
	}
	return out
}

// section converts an element with a title to a heading and its content.
func section(n *xhtml.Node, level int, untitled string) []*xhtml.Node {
	heading := document.First(textAt(n, "title"), untitled)
	if number := textAt(n, "label"); number != "" && heading != "" {
		heading = number + " " + heading
	}
	var out []*xhtml.Node
	if heading != "" {
		out = append(out, element(headings[min(level, len(headings))-1], html.TextNode(heading)))
	}
	return append(out, blocks(n, level+1)...)
}

var headings = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}

// blocks converts the content of an element to blocks. level is that of its headings.
func blocks(n *xhtml.Node, level int) []*xhtml.Node {
	var out []*xhtml.Node
	for c := range n.ChildNodes() {
		out = append(out, block(c, level)...)
	}
	return out
}

// block converts one child of a section or a paragraph to HTML.
func block(n *xhtml.Node, level int) []*xhtml.Node {
	if n.Type == xhtml.TextNode {
		return []*xhtml.Node{html.TextNode(n.Data)}
	}
	if n.Type != xhtml.ElementNode || dropped[n.Data] {
		return nil
	}
	switch n.Data {
	case "title", "subtitle": // section writes that of a section; others are a line
		if n.Parent != nil && titled[n.Parent.Data] {
			return nil
		}
		return []*xhtml.Node{element(atom.P, element(atom.B, html.TextNode(words(n))))}
	case "sec", "app", "app-group", "notes", "bio":
		return section(n, level, "")
	case "ack":
		return section(n, level, "Acknowledgements")
	case "ref-list":
		return references(n, level)
	case "fig", "table-wrap", "chem-struct-wrap", "boxed-text":
		return float(n, level)
	case "fig-group", "table-wrap-group", "alternatives":
		return alternatives(n, level)
	case "disp-formula", "inline-formula", "math":
		return formula(n)
	case "list":
		return []*xhtml.Node{list(n, level)}
	case "fn":
		return []*xhtml.Node{note(n, level)}
	case "xref":
		return []*xhtml.Node{crossReference(n, level)}
	case "ext-link", "uri", "self-uri":
		if within(n, linkTags) {
			return blocks(n, level)
		}
		to := document.First(xmltree.Attr(n, "href"), words(n))
		return []*xhtml.Node{link(to, blocks(n, level)...)}
	}
	if citationTags[n.Data] {
		return citation(n)
	}
	if n.Data == "pub-id" {
		return identifier(n)
	}
	tag, known := same[n.Data]
	if !known {
		tag = atom.Span
	}
	return []*xhtml.Node{identified(element(tag, blocks(n, level)...), n)}
}

// titled are the elements whose title section writes.
var titled = datafile.Words("sec app app-group ack ref-list abstract notes bio")

// inline converts the content of an element to a part of a line.
func inline(n *xhtml.Node) []*xhtml.Node { return blocks(n, len(headings)) }

// float converts a figure, a table or a box: its label and caption as a paragraph, then its content without pictures.
func float(n *xhtml.Node, level int) []*xhtml.Node {
	var out []*xhtml.Node
	caption := xmltree.Child(n, "caption")
	head := strings.TrimSpace(textAt(n, "label"))
	if head != "" && !strings.HasSuffix(head, ".") {
		head += "."
	}
	line := element(atom.P)
	lead := strings.TrimSpace(head + " " + textAt(caption, "title"))
	if lead != "" {
		line.AppendChild(element(atom.B, html.TextNode(lead)))
	}
	first := true
	for p := range xmltree.Children(caption, "p") {
		if first && lead != "" {
			line.AppendChild(html.TextNode(" "))
		}
		if !first {
			out = append(out, line)
			line = element(atom.P)
		}
		for _, c := range inline(p) {
			line.AppendChild(c)
		}
		first = false
	}
	out = append(out, line)
	for c := range n.ChildNodes() {
		if c.Type == xhtml.ElementNode && c.Data != "caption" && c.Data != "label" {
			out = append(out, block(c, level)...)
		}
	}
	return out
}

// alternatives returns one of several forms: words before pictures, TeX before MathML.
func alternatives(n *xhtml.Node, level int) []*xhtml.Node {
	if xmltree.Child(n, "tex-math") != nil || xmltree.Child(n, "math") != nil {
		return formula(n)
	}
	if n.Data == "alternatives" {
		if t := xmltree.Child(n, "table"); t != nil {
			return block(t, level)
		}
	}
	return blocks(n, level)
}

func list(n *xhtml.Node, level int) *xhtml.Node {
	tag := atom.Ul
	switch xmltree.Attr(n, "list-type") {
	case "order", "alpha-lower", "alpha-upper", "roman-lower", "roman-upper":
		tag = atom.Ol
	}
	out := element(tag)
	if t := textAt(n, "title"); t != "" {
		out = element(atom.Div, element(atom.P, element(atom.B, html.TextNode(t))), out)
	}
	into := out
	if out.DataAtom == atom.Div {
		into = out.LastChild
	}
	for item := range xmltree.Children(n, "list-item") {
		into.AppendChild(element(atom.Li, blocks(item, level)...))
	}
	return out
}

// note converts a footnote. Package html makes it a Markdown footnote if there is a reference to it.
func note(n *xhtml.Node, level int) *xhtml.Node {
	made := element(atom.Div, blocks(n, level)...)
	into := made
	if inner := html.Elements(made); len(inner) > 0 && inner[0].DataAtom == atom.P {
		into = inner[0]
	}
	for _, l := range labelled(n) {
		into.InsertBefore(l, into.FirstChild)
	}
	return identified(made, n)
}

// labelled returns the label of a note or a cited work, last node first. It links back to the reference, so that it is only
// in the text: Markdown has its own label.
func labelled(n *xhtml.Node) []*xhtml.Node {
	label := textAt(n, "label")
	if label == "" {
		return nil
	}
	mark := html.TextNode(label)
	if id := xmltree.Attr(n, "id"); id != "" {
		mark = link("#"+referredAt+id, mark)
	}
	return []*xhtml.Node{html.TextNode(" "), mark}
}

// referredAt begins the id of a reference to a note or a cited work.
const referredAt = "referred-"

// linkTags are the elements that become links. Links are not nested.
var linkTags = datafile.Words("xref ext-link uri self-uri")

// crossReference links to a cited work or a note. A reference to a figure, a table or a section becomes plain words.
func crossReference(n *xhtml.Node, level int) *xhtml.Node {
	inner := blocks(n, level)
	id, _, _ := strings.Cut(xmltree.Attr(n, "rid"), " ")
	if kind := xmltree.Attr(n, "ref-type"); id == "" || kind != "bibr" && kind != "fn" && kind != "table-fn" || within(n, linkTags) {
		return element(atom.Span, inner...)
	}
	a := link("#"+id, inner...)
	a.Attr = append(a.Attr, xhtml.Attribute{Key: "role", Val: "doc-biblioref"}, xhtml.Attribute{Key: "id", Val: referredAt + id})
	return a
}

// references converts the list of cited works.
func references(n *xhtml.Node, level int) []*xhtml.Node {
	var out []*xhtml.Node
	out = append(out, element(headings[min(level, len(headings))-1], html.TextNode(document.First(textAt(n, "title"), "References"))))
	begin := func() *xhtml.Node {
		if xmltree.Child(n, "ref", "label") != nil {
			return element(atom.Ul)
		}
		return element(atom.Ol)
	}
	works := begin()
	for c := range n.ChildNodes() {
		switch {
		case c.Type != xhtml.ElementNode || c.Data == "title" || c.Data == "label":
		case c.Data == "ref":
			li := identified(element(atom.Li), c)
			for _, l := range labelled(c) {
				li.InsertBefore(l, li.FirstChild)
			}
			for k := range c.ChildNodes() {
				if k.Type == xhtml.ElementNode && k.Data != "label" {
					for _, made := range block(k, level) {
						li.AppendChild(made)
					}
					li.AppendChild(html.TextNode(" "))
				}
			}
			works.AppendChild(li)
		default: // a nested list or a remark
			if works.FirstChild != nil {
				out = append(out, works)
				works = begin()
			}
			if c.Data == "ref-list" {
				out = append(out, references(c, level+1)...)
			} else {
				out = append(out, block(c, level)...)
			}
		}
	}
	if works.FirstChild != nil {
		out = append(out, works)
	}
	return out
}

// formula converts a formula to the form for MathJax or browsers, which package html reads.
func formula(n *xhtml.Node) []*xhtml.Node {
	display := n.Data == "disp-formula" || n.Parent != nil && n.Parent.Data == "disp-formula"
	var out []*xhtml.Node
	holder := n
	if a := xmltree.Child(n, "alternatives"); a != nil {
		holder = a
	}
	switch {
	case n.Data == "math":
		out = append(out, mathOf(n, display))
	case xmltree.Child(holder, "tex-math") != nil:
		kind := "math/tex"
		if display {
			kind += "; mode=display"
		}
		out = append(out, html.With(html.Element(atom.Script, "type", kind), html.TextNode(tex(xmltree.Child(holder, "tex-math")))))
	case xmltree.Child(holder, "math") != nil:
		out = append(out, mathOf(xmltree.Child(holder, "math"), display))
	default: // letters, superscripts and subscripts
		for c := range holder.ChildNodes() {
			out = append(out, block(c, len(headings))...)
		}
		if display {
			out = []*xhtml.Node{element(atom.P, out...)}
		}
	}
	if number := textAt(n, "label"); number != "" && display {
		out = append(out, element(atom.P, html.TextNode("("+strings.Trim(number, "()")+")")))
	}
	return out
}

// mathOf copies a formula in MathML.
func mathOf(n *xhtml.Node, display bool) *xhtml.Node {
	var copied func(n *xhtml.Node) *xhtml.Node
	copied = func(n *xhtml.Node) *xhtml.Node {
		c := &xhtml.Node{Type: n.Type, Data: n.Data, Attr: n.Attr}
		for k := range n.ChildNodes() {
			if k.Type == xhtml.TextNode || k.Type == xhtml.ElementNode {
				c.AppendChild(copied(k))
			}
		}
		return c
	}
	m := copied(n)
	m.Attr = nil
	if display {
		m.Attr = []xhtml.Attribute{{Key: "display", Val: "block"}}
	}
	return m
}

// tex returns the formula of a whole TeX document, the form in which archives store formulas.
func tex(n *xhtml.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == xhtml.TextNode {
			b.WriteString(c.Data)
		}
	}
	s := b.String()
	if _, inner, ok := strings.Cut(s, `\begin{document}`); ok {
		s, _, _ = strings.Cut(inner, `\end{document}`)
	}
	return s
}

// citation returns a cited work on one line: as it is written, or from its parts in the order of medical journals.
func citation(n *xhtml.Node) []*xhtml.Node {
	if isWritten(n) {
		return inline(n)
	}
	var line strings.Builder
	put := func(before, s, after string) {
		if s == "" {
			return
		}
		if line.Len() > 0 {
			line.WriteString(before)
		}
		line.WriteString(s + after)
	}
	var people []string
	for d := range n.Descendants() {
		switch {
		case d.Type != xhtml.ElementNode || len(people) > 200:
		case d.Data == "name" && d.Parent.Data != "name-alternatives", d.Data == "string-name":
			people = append(people, document.First(strings.TrimSpace(textAt(d, "surname")+" "+textAt(d, "given-names")), words(d)))
		case d.Data == "collab":
			people = append(people, words(d))
		}
	}
	put("", strings.Join(people, ", "), ".")
	put(" ", textAt(n, "article-title"), ".")
	put(" ", textAt(n, "chapter-title"), ".")
	put(" ", textAt(n, "source"), "")
	put(" ", textAt(n, "publisher-name"), "")
	put(" ", textAt(n, "year"), "")
	put("; ", textAt(n, "volume"), "")
	if issue := textAt(n, "issue"); issue != "" {
		put("", "("+issue+")", "")
	}
	pages := textAt(n, "fpage")
	if last := textAt(n, "lpage"); pages != "" && last != "" && last != pages {
		pages += "–" + last
	}
	put(": ", document.First(pages, textAt(n, "elocation-id")), "")
	put("", ".", "")
	out := []*xhtml.Node{html.TextNode(line.String())}
	for d := range n.Descendants() {
		switch {
		case d.Type != xhtml.ElementNode:
		case d.Data == "pub-id":
			out = append(append(out, html.TextNode(" ")), identifier(d)...)
		case d.Data == "ext-link" || d.Data == "uri":
			to := document.First(xmltree.Attr(d, "href"), words(d))
			out = append(out, html.TextNode(" "), link(to, html.TextNode(document.First(words(d), to))))
		}
	}
	return out
}

// identifier returns the number of a cited work, with the name of its registry if no word precedes it.
func identifier(n *xhtml.Node) []*xhtml.Node {
	id, before := words(n), ""
	if p := n.PrevSibling; p != nil && p.Type == xhtml.TextNode {
		before = strings.ToLower(strings.TrimRight(p.Data, " "))
	}
	lead := func(word, after string) string {
		if strings.HasSuffix(strings.TrimSuffix(before, ":"), strings.ToLower(word)) {
			return ""
		}
		return word + after
	}
	switch xmltree.Attr(n, "pub-id-type") {
	case "doi":
		if doi := docid.NormalizeDOI(id); doi != "" {
			return []*xhtml.Node{link("https://doi.org/"+doi, html.TextNode(lead("doi", ":")+doi))}
		}
	case "pmid":
		return []*xhtml.Node{html.TextNode(lead("PMID", " ") + id)}
	case "pmcid", "pmc":
		return []*xhtml.Node{html.TextNode(lead("PMCID", " ") + id)}
	}
	return []*xhtml.Node{html.TextNode(id)}
}

// isWritten reports whether a citation has punctuation between its parts.
func isWritten(n *xhtml.Node) bool {
	for c := range n.ChildNodes() {
		if c.Type == xhtml.TextNode && strings.TrimSpace(c.Data) != "" {
			return true
		}
	}
	return false
}
