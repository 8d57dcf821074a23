package jats

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
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

// same maps elements to the HTML elements of the same meaning.
var same = map[string]atom.Atom{
	"p": atom.P, "italic": atom.I, "bold": atom.B, "sup": atom.Sup, "sub": atom.Sub, "monospace": atom.Code, "code": atom.Pre, "preformat": atom.Pre, "strike": atom.S,
	"break": atom.Br, "hr": atom.Hr, "disp-quote": atom.Blockquote, "verse-group": atom.Blockquote, "verse-line": atom.P, "attrib": atom.P, "speech": atom.Div, "statement": atom.Div,
	"list-item": atom.Li, "def-list": atom.Dl, "term": atom.Dt, "def": atom.Dd, "boxed-text": atom.Div, "supplementary-material": atom.Div,
	"table": atom.Table, "thead": atom.Thead, "tbody": atom.Tbody, "tfoot": atom.Tfoot, "tr": atom.Tr, "td": atom.Td, "th": atom.Th,
	"table-wrap-foot": atom.Div, "fn-group": atom.Div, "glossary": atom.Div, "question": atom.Div, "answer": atom.Div,
}

// dropped are the elements without text of the article: pictures with their metadata, and texts of other authors that are
// archived with it.
var dropped = map[string]bool{
	"graphic": true, "inline-graphic": true, "media": true, "object-id": true, "alt-text": true, "long-desc": true, "permissions": true, "label": true, "tex-math": true,
	"related-article": true, "related-object": true, "sub-article": true, "response": true, "sec-meta": true, "kwd-group": true, "index-term": true, "processing-meta": true,
	"annotation": true, "x": true, "copyright-statement": true, "email": true, "address": true, "col": true, "colgroup": true, "fn-type": true,
}

// page converts an article to HTML: its title, abstracts, sections and back matter.
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
		case "graphical", "toc", "teaser", "video", "short": // pictures and short versions
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

// section converts an element with a title to a heading and its content.
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

// blocks converts the content of an element to blocks. level is that of its headings.
func blocks(n *html.Node, level int) []*html.Node {
	var out []*html.Node
	for c := range n.ChildNodes() {
		out = append(out, block(c, level)...)
	}
	return out
}

// block converts one child of a section or a paragraph to HTML.
func block(n *html.Node, level int) []*html.Node {
	if n.Type == html.TextNode {
		return []*html.Node{text(n.Data)}
	}
	if n.Type != html.ElementNode || dropped[n.Data] {
		return nil
	}
	switch n.Data {
	case "title", "subtitle": // section writes that of a section; others are a line
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

// inline converts the content of an element to a part of a line.
func inline(n *html.Node) []*html.Node { return blocks(n, len(headings)) }

// float converts a figure, a table or a box: its label and caption as a paragraph, then its content without pictures.
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

// alternatives returns one of several forms: words before pictures, TeX before MathML.
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
