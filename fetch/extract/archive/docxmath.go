package archive

import (
	"encoding/xml"
	"strings"
	"unicode"

	xhtml "golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/limit"
)

// docxMath converts a formula in OMML (ECMA-376, part 1, 22.1) to MathML, which is written as TeX as for a page.
type docxMath struct {
	root, at *xhtml.Node
	inText   bool
}

func newDOCXMath() *docxMath {
	root := mathNode("math")
	return &docxMath{root: root, at: root}
}

func mathNode(name string) *xhtml.Node { return &xhtml.Node{Type: xhtml.ElementNode, Data: name} }

// ommlElements maps elements of OMML to MathML. All others become rows of their content.
var ommlElements = map[string]string{
	"f": "mfrac", "sSup": "msup", "sSub": "msub", "sSubSup": "msubsup", "limLow": "munder", "limUpp": "mover", "m": "mtable", "mr": "mtr", "eqArr": "mtable",
	"rad": "mroot", "nary": "munderover", "d": "mfenced", "acc": "mover", "bar": "mover",
}

func (m *docxMath) start(e xml.StartElement) {
	name := e.Name.Local
	m.inText = name == "t"
	if strings.HasSuffix(name, "Pr") || m.at.Data == "properties" {
		name = "properties"
	} else if to := ommlElements[name]; to != "" {
		name = to
	} else {
		name = "mrow"
	}
	n := mathNode(name)
	n.Attr = []xhtml.Attribute{{Key: "of", Val: e.Name.Local}, {Key: "val", Val: limit.Attr(e, "val")}}
	m.at.AppendChild(n)
	m.at = n
}

// text adds symbols one by one: each letter is a variable unless it is part of a function name.
func (m *docxMath) text(s string) {
	if !m.inText {
		return
	}
	name := false
	for p := m.at; p != nil; p = p.Parent {
		name = name || html.Attribute(p, "of") == "fName"
	}
	var run strings.Builder
	kind := ""
	flush := func() {
		if run.Len() > 0 {
			m.at.AppendChild(html.With(mathNode(kind), html.TextNode(run.String())))
			run.Reset()
		}
	}
	for _, r := range s {
		to := "mo"
		switch {
		case unicode.IsSpace(r):
			continue
		case unicode.IsDigit(r), r == '.' && kind == "mn":
			to = "mn"
		case unicode.IsLetter(r):
			to = "mi"
		}
		if to != kind || to == "mo" || to == "mi" && !name {
			flush()
		}
		kind = to
		run.WriteRune(r)
	}
	flush()
}

// end ends an element, and reports the end of the formula.
func (m *docxMath) end(e xml.EndElement) bool {
	m.inText = false
	n := m.at
	if n == m.root {
		return true
	}
	m.at = n.Parent
	properties := map[string]string{}
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Data == "properties" && n.Data != "properties" {
			for d := range c.Descendants() {
				properties[html.Attribute(d, "of")] = html.Attribute(d, "val")
			}
			n.RemoveChild(c)
		}
		c = next
	}
	operator := func(key, usual string) *xhtml.Node {
		if s, ok := properties[key]; ok {
			usual = s
		}
		return html.With(mathNode("mo"), html.TextNode(usual))
	}
	kids := html.Elements(n)
	switch html.Attribute(n, "of") {
	case "rad": // the degree precedes the base
		if len(kids) == 2 {
			n.RemoveChild(kids[0])
			if n.Data = "msqrt"; kids[0].FirstChild != nil {
				n.Data = "mroot"
				n.AppendChild(kids[0])
			}
		}
	case "nary":
		sum := html.With(mathNode("munderover"), operator("chr", "∫"))
		for _, k := range kids[:min(len(kids), 2)] {
			n.RemoveChild(k)
			sum.AppendChild(k)
		}
		n.Data = "mrow"
		n.InsertBefore(sum, n.FirstChild)
	case "acc":
		n.AppendChild(operator("chr", "^"))
	case "bar":
		n.AppendChild(operator("chr", "¯"))
	case "d":
		n.Data = "mrow"
		separator := "|"
		if s, ok := properties["sepChr"]; ok {
			separator = s
		}
		for _, k := range kids[min(1, len(kids)):] {
			n.InsertBefore(html.With(mathNode("mo"), html.TextNode(separator)), k)
		}
		n.InsertBefore(operator("begChr", "("), n.FirstChild)
		n.AppendChild(operator("endChr", ")"))
	case "eqArr", "mr": // whose parts are rows, and cells
		for _, k := range kids {
			cell := mathNode("mtd")
			n.InsertBefore(cell, k)
			n.RemoveChild(k)
			cell.AppendChild(k)
			if html.Attribute(n, "of") == "eqArr" {
				row := mathNode("mtr")
				n.InsertBefore(row, cell)
				n.RemoveChild(cell)
				row.AppendChild(cell)
			}
		}
	}
	return false
}
