package jats

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/extract/document"
)

func element(tag atom.Atom, children ...*html.Node) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: tag.String(), DataAtom: tag}
	for _, c := range children {
		n.AppendChild(c)
	}
	return n
}

func text(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

func link(to string, children ...*html.Node) *html.Node {
	n := element(atom.A, children...)
	n.Attr = []html.Attribute{{Key: "href", Val: to}}
	return n
}

// same are the elements that HTML has under another name, or under the same.
var same = map[string]atom.Atom{
	"p": atom.P, "italic": atom.I, "bold": atom.B, "sup": atom.Sup, "sub": atom.Sub, "monospace": atom.Code, "code": atom.Pre, "preformat": atom.Pre, "strike": atom.S,
	"break": atom.Br, "hr": atom.Hr, "disp-quote": atom.Blockquote, "verse-group": atom.Blockquote, "verse-line": atom.P, "attrib": atom.P, "speech": atom.Div, "statement": atom.Div,
	"list-item": atom.Li, "def-list": atom.Dl, "term": atom.Dt, "def": atom.Dd, "boxed-text": atom.Div, "supplementary-material": atom.Div,
	"table": atom.Table, "thead": atom.Thead, "tbody": atom.Tbody, "tfoot": atom.Tfoot, "tr": atom.Tr, "td": atom.Td, "th": atom.Th,
	"table-wrap-foot": atom.Div, "fn-group": atom.Div, "glossary": atom.Div, "question": atom.Div, "answer": atom.Div,
}

// dropped are the elements that are no text of the article: pictures, what describes them to machines, and texts
// of others that are archived with it.
var dropped = map[string]bool{
	"graphic": true, "inline-graphic": true, "media": true, "object-id": true, "alt-text": true, "long-desc": true, "permissions": true, "label": true, "tex-math": true,
	"related-article": true, "related-object": true, "sub-article": true, "response": true, "sec-meta": true, "kwd-group": true, "index-term": true, "processing-meta": true,
	"annotation": true, "x": true, "copyright-statement": true, "email": true, "address": true, "col": true, "colgroup": true, "fn-type": true,
}

// page turns an article into a page of HTML: its title, abstracts, sections, and what stands at its back.
func page(article *html.Node, title string) *html.Node {
	out := element(atom.Body)
	add := func(nodes ...*html.Node) {
		for _, n := range nodes {
			out.AppendChild(n)
		}
	}
	if title != "" {
		add(element(atom.H1, text(title)))
	}
	for _, a := range all(child(article, "front", "article-meta"), "abstract") {
		switch attr(a, "abstract-type") {
		case "graphical", "toc", "teaser", "video", "short": // a picture, or one sentence of the same
			continue
		}
		add(section(a, 2, "Abstract")...)
	}
	for _, part := range []*html.Node{child(article, "body"), child(article, "back"), child(article, "floats-group"), child(article, "floats-wrap")} {
		if part != nil {
			add(blocks(part, 2)...)
		}
	}
	return out
}

// section writes an element with a title of its own as a heading and what is under it.
func section(n *html.Node, level int, untitled string) []*html.Node {
	heading := document.First(words(child(n, "title")), untitled)
	if number := words(child(n, "label")); number != "" && heading != "" {
		heading = number + " " + heading
	}
	var out []*html.Node
	if heading != "" {
		out = append(out, element(headings[min(level, len(headings))-1], text(heading)))
	}
	return append(out, blocks(n, level+1)...)
}

var headings = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}

// blocks turns what is in an element into blocks; level is that of the headings among them.
func blocks(n *html.Node, level int) []*html.Node {
	var out []*html.Node
	for c := range n.ChildNodes() {
		out = append(out, block(c, level)...)
	}
	return out
}

// block turns one child of a section or a paragraph into HTML.
func block(n *html.Node, level int) []*html.Node {
	if n.Type == html.TextNode {
		return []*html.Node{text(n.Data)}
	}
	if n.Type != html.ElementNode || dropped[n.Data] {
		return nil
	}
	switch n.Data {
	case "title", "subtitle": // of a section, written by section; of anything else, a line
		if n.Parent != nil && titled[n.Parent.Data] {
			return nil
		}
		return []*html.Node{element(atom.P, element(atom.B, text(words(n))))}
	case "sec", "app":
		return section(n, level, "")
	case "app-group", "notes", "bio":
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
		return []*html.Node{list(n, level)}
	case "fn":
		return []*html.Node{note(n, level)}
	case "xref":
		return []*html.Node{crossReference(n, level)}
	case "ext-link", "uri", "self-uri":
		if within(n, linkTags) {
			return blocks(n, level)
		}
		to := document.First(attr(n, "href"), words(n))
		return []*html.Node{link(to, blocks(n, level)...)}
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
	made := element(tag, blocks(n, level)...)
	if id := attr(n, "id"); id != "" {
		made.Attr = []html.Attribute{{Key: "id", Val: id}}
	}
	return []*html.Node{made}
}

// titled are the elements whose title section writes.
var titled = map[string]bool{"sec": true, "app": true, "app-group": true, "ack": true, "ref-list": true, "abstract": true, "notes": true, "bio": true}

// inline is what an element holds, as part of a line.
func inline(n *html.Node) []*html.Node { return blocks(n, len(headings)) }

// float is a figure, a table or a box: its label and caption as a paragraph, then what is in it but its picture.
func float(n *html.Node, level int) []*html.Node {
	var out []*html.Node
	caption := child(n, "caption")
	head := strings.TrimSpace(words(child(n, "label")))
	if head != "" && !strings.HasSuffix(head, ".") {
		head += "."
	}
	line := element(atom.P)
	lead := strings.TrimSpace(head + " " + words(child(caption, "title")))
	if lead != "" {
		line.AppendChild(element(atom.B, text(lead)))
	}
	first := true
	for _, p := range all(caption, "p") {
		if first && lead != "" {
			line.AppendChild(text(" "))
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
		if c.Type == html.ElementNode && c.Data != "caption" && c.Data != "label" {
			out = append(out, block(c, level)...)
		}
	}
	return out
}

// alternatives keeps one form of what is given in several: words before pictures, TeX before MathML.
func alternatives(n *html.Node, level int) []*html.Node {
	if child(n, "tex-math") != nil || child(n, "math") != nil {
		return formula(n)
	}
	if n.Data == "alternatives" {
		if t := child(n, "table"); t != nil {
			return block(t, level)
		}
	}
	return blocks(n, level)
}

// formula is a formula as MathJax or a browser is given it, which package html reads.
func formula(n *html.Node) []*html.Node {
	display := n.Data == "disp-formula" || n.Parent != nil && n.Parent.Data == "disp-formula"
	var out []*html.Node
	holder := n
	if a := child(n, "alternatives"); a != nil {
		holder = a
	}
	switch {
	case n.Data == "math":
		out = append(out, mathOf(n, display))
	case child(holder, "tex-math") != nil:
		script := element(atom.Script, text(tex(child(holder, "tex-math"))))
		script.Attr = []html.Attribute{{Key: "type", Val: "math/tex"}}
		if display {
			script.Attr[0].Val = "math/tex; mode=display"
		}
		out = append(out, script)
	case child(holder, "math") != nil:
		out = append(out, mathOf(child(holder, "math"), display))
	default: // written with letters, raised and lowered
		for c := range holder.ChildNodes() {
			out = append(out, block(c, len(headings))...)
		}
		if display {
			out = []*html.Node{element(atom.P, out...)}
		}
	}
	if number := words(child(n, "label")); number != "" && display {
		out = append(out, element(atom.P, text("("+strings.Trim(number, "()")+")")))
	}
	return out
}

// mathOf copies a formula in MathML.
func mathOf(n *html.Node, display bool) *html.Node {
	var copied func(n *html.Node) *html.Node
	copied = func(n *html.Node) *html.Node {
		c := &html.Node{Type: n.Type, Data: n.Data, Attr: n.Attr}
		for k := range n.ChildNodes() {
			if k.Type == html.TextNode || k.Type == html.ElementNode {
				c.AppendChild(copied(k))
			}
		}
		return c
	}
	m := copied(n)
	m.Attr = nil
	if display {
		m.Attr = []html.Attribute{{Key: "display", Val: "block"}}
	}
	return m
}

// tex is the formula in a whole document of TeX, as archives store one.
func tex(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	s := b.String()
	if _, inner, ok := strings.Cut(s, `\begin{document}`); ok {
		s, _, _ = strings.Cut(inner, `\end{document}`)
	}
	return s
}

func list(n *html.Node, level int) *html.Node {
	tag := atom.Ul
	switch attr(n, "list-type") {
	case "order", "alpha-lower", "alpha-upper", "roman-lower", "roman-upper":
		tag = atom.Ol
	}
	out := element(tag)
	if t := words(child(n, "title")); t != "" {
		out = element(atom.Div, element(atom.P, element(atom.B, text(t))), out)
	}
	into := out
	if out.DataAtom == atom.Div {
		into = out.LastChild
	}
	for _, item := range all(n, "list-item") {
		into.AppendChild(element(atom.Li, blocks(item, level)...))
	}
	return out
}

// note is a footnote; where it is referred to, package html makes it one of Markdown.
func note(n *html.Node, level int) *html.Node {
	made := element(atom.Div, blocks(n, level)...)
	into := made
	if p := firstElement(made); p != nil && p.DataAtom == atom.P {
		into = p
	}
	for _, l := range labelled(n) {
		into.InsertBefore(l, into.FirstChild)
	}
	if id := attr(n, "id"); id != "" {
		made.Attr = []html.Attribute{{Key: "id", Val: id}}
	}
	return made
}

func firstElement(n *html.Node) *html.Node {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			return c
		}
	}
	return nil
}

// labelled is the number or sign of a note or a cited work, last node first. It leads back to where it is referred
// to, and so stands in the text alone where Markdown writes a label of its own.
func labelled(n *html.Node) []*html.Node {
	label := words(child(n, "label"))
	if label == "" {
		return nil
	}
	mark := text(label)
	if id := attr(n, "id"); id != "" {
		mark = link("#"+referredAt+id, mark)
	}
	return []*html.Node{text(" "), mark}
}

// referredAt begins the id of a reference to a note or a cited work.
const referredAt = "referred-"

// linkTags are the elements that become links, which do not stand in one another.
var linkTags = map[string]bool{"xref": true, "ext-link": true, "uri": true, "self-uri": true}

// crossReference links to a cited work or a note. To a figure, a table or a section it is words alone.
func crossReference(n *html.Node, level int) *html.Node {
	inner := blocks(n, level)
	id, _, _ := strings.Cut(attr(n, "rid"), " ")
	if kind := attr(n, "ref-type"); id == "" || kind != "bibr" && kind != "fn" && kind != "table-fn" || within(n, linkTags) {
		return element(atom.Span, inner...)
	}
	a := link("#"+id, inner...)
	a.Attr = append(a.Attr, html.Attribute{Key: "role", Val: "doc-biblioref"}, html.Attribute{Key: "id", Val: referredAt + id})
	return a
}

// references writes the list of cited works, works where they have no labels.
func references(n *html.Node, level int) []*html.Node {
	var out []*html.Node
	out = append(out, element(headings[min(level, len(headings))-1], text(document.First(words(child(n, "title")), "References"))))
	begin := func() *html.Node {
		if child(n, "ref", "label") != nil {
			return element(atom.Ul)
		}
		return element(atom.Ol)
	}
	works := begin()
	for c := range n.ChildNodes() {
		switch {
		case c.Type != html.ElementNode || c.Data == "title" || c.Data == "label":
		case c.Data == "ref":
			li := element(atom.Li)
			if id := attr(c, "id"); id != "" {
				li.Attr = []html.Attribute{{Key: "id", Val: id}}
			}
			for _, l := range labelled(c) {
				li.InsertBefore(l, li.FirstChild)
			}
			for k := range c.ChildNodes() {
				if k.Type == html.ElementNode && k.Data != "label" {
					for _, made := range block(k, level) {
						li.AppendChild(made)
					}
					li.AppendChild(text(" "))
				}
			}
			works.AppendChild(li)
		default: // a list in the list, or a remark
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
