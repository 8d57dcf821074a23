package archive

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	xhtml "golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
)

// ommlElements maps elements of OMML (ECMA-376, part 1, 22.1) to MathML. All others become rows of their content.
var ommlElements = map[string]string{
	"oMath": "math", "f": "mfrac", "sSup": "msup", "sSub": "msub", "sSubSup": "msubsup", "limLow": "munder", "limUpp": "mover",
	"m": "mtable", "mr": "mtr", "eqArr": "mtable", "rad": "mroot", "acc": "mover", "bar": "mover",
}

func mathNode(name string, kids ...*xhtml.Node) *xhtml.Node {
	return html.With(&xhtml.Node{Type: xhtml.ElementNode, Data: name}, kids...)
}

// mathML converts a formula in OMML to MathML, which is written as TeX as for a page. inName is set within the name of a
// function.
func mathML(n *xhtml.Node, inName bool) *xhtml.Node {
	inName = inName || n.Data == "fName"
	var kids []*xhtml.Node
	for c := range n.ChildNodes() {
		switch {
		case c.Type == xhtml.TextNode && n.Data == "t":
			kids = append(kids, symbols(c.Data, inName)...)
		case c.Type == xhtml.ElementNode && !strings.HasSuffix(c.Data, "Pr") && !docxGone[c.Data]:
			kids = append(kids, mathML(c, inName))
		}
	}
	operator := func(key, usual string) *xhtml.Node {
		if property := xmltree.Child(n, n.Data+"Pr", key); property != nil {
			usual = val(property)
		}
		return mathNode("mo", html.TextNode(usual))
	}
	name := cmp.Or(ommlElements[n.Data], "mrow")
	switch n.Data {
	case "rad": // the degree precedes the base
		if len(kids) == 2 && kids[0].FirstChild == nil {
			name, kids = "msqrt", kids[1:]
		} else if len(kids) == 2 {
			slices.Reverse(kids)
		}
	case "nary":
		limits := min(len(kids), 2)
		sum := mathNode("munderover", slices.Insert(kids[:limits:limits], 0, operator("chr", "∫"))...)
		kids = slices.Insert(kids[limits:], 0, sum)
	case "acc":
		kids = append(kids, operator("chr", "^"))
	case "bar":
		kids = append(kids, operator("chr", "¯"))
	case "d":
		inside := kids
		kids = []*xhtml.Node{operator("begChr", "(")}
		for i, k := range inside {
			if i > 0 {
				kids = append(kids, operator("sepChr", "|"))
			}
			kids = append(kids, k)
		}
		kids = append(kids, operator("endChr", ")"))
	case "mr":
		for i, k := range kids {
			kids[i] = mathNode("mtd", k)
		}
	case "eqArr":
		for i, k := range kids {
			kids[i] = mathNode("mtr", mathNode("mtd", k))
		}
	}
	return mathNode(name, kids...)
}

// symbols returns the symbols of a text one by one: each letter is a variable unless it is part of a function's name.
func symbols(s string, inName bool) (out []*xhtml.Node) {
	var run strings.Builder
	kind := ""
	flush := func() {
		if run.Len() > 0 {
			out = append(out, mathNode(kind, html.TextNode(run.String())))
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
		if to != kind || to == "mo" || to == "mi" && !inName {
			flush()
		}
		kind = to
		run.WriteRune(r)
	}
	flush()
	return out
}
