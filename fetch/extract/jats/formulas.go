package jats

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// formula converts a formula to the form for MathJax or browsers, which package html reads.
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
	default: // letters, superscripts and subscripts
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

// tex returns the formula of a whole TeX document, the form in which archives store formulas.
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
