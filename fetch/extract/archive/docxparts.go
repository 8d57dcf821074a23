package archive

import (
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/datafile"
)

// docxParts is what the other parts of a Word document say about its text.
type docxParts struct {
	styles  map[string]docxStyle
	numbers map[string]map[int]bool // by the id of a numbering: the numbered levels
	links   map[string]string       // addresses by the id of a relation
}

// docxStyle is the format of paragraphs and characters with a style.
type docxStyle struct {
	level  int // of a heading; 0 = none
	code   bool
	quote  bool
	hidden bool // its text is not shown
	strike bool
}

// val is the value of a property, an element that may be missing.
func val(property *xhtml.Node) string { return xmltree.Attr(property, "val") }

// isOn reports whether a property is there and not switched off.
func isOn(property *xhtml.Node) bool {
	v := val(property)
	return property != nil && v != "0" && v != "false" && v != "none"
}

// levelOf reads the outline level of a heading, from 1, or the depth of a list. It is 0 without one below most.
func levelOf(property *xhtml.Node, most int) int {
	if n, err := strconv.Atoi(val(property)); err == nil && n >= 0 && n < most {
		return n + 1
	}
	return 0
}

// readParts reads which styles are headings, by outline level or by common names, which are code, quotations or not shown,
// which levels of lists are numbered, and the addresses of links.
func readParts(styles, numbering, relations *xhtml.Node) docxParts {
	p := docxParts{map[string]docxStyle{}, map[string]map[int]bool{}, map[string]string{}}
	for s := range xmltree.Children(xmltree.Child(styles, "styles"), "style") {
		p.styles[xmltree.Attr(s, "styleId")] = p.style(s)
	}
	numbering = xmltree.Child(numbering, "numbering")
	numbered := map[string]map[int]bool{}
	for list := range xmltree.Children(numbering, "abstractNum") {
		levels := map[int]bool{}
		for level := range xmltree.Children(list, "lvl") {
			n, _ := strconv.Atoi(xmltree.Attr(level, "ilvl"))
			format := val(xmltree.Child(level, "numFmt"))
			levels[n] = format != "" && format != "bullet" && format != "none"
		}
		numbered[xmltree.Attr(list, "abstractNumId")] = levels
	}
	for number := range xmltree.Children(numbering, "num") {
		p.numbers[xmltree.Attr(number, "numId")] = numbered[val(xmltree.Child(number, "abstractNumId"))]
	}
	for r := range xmltree.Children(xmltree.Child(relations, "Relationships"), "Relationship") {
		if xmltree.Attr(r, "TargetMode") == "External" {
			p.links[xmltree.Attr(r, "Id")] = xmltree.Attr(r, "Target")
		}
	}
	return p
}

// style reads a style. Styles come after those that they are based on.
func (p docxParts) style(n *xhtml.Node) docxStyle {
	base := p.styles[val(xmltree.Child(n, "basedOn"))]
	s := docxStyle{hidden: base.hidden, strike: base.strike}
	name := strings.ToLower(val(xmltree.Child(n, "name")))
	if rest, ok := strings.CutPrefix(name, "heading "); ok {
		if level, err := strconv.Atoi(rest); err == nil && level > 0 && level < 7 {
			s.level = level
		}
	}
	if level := levelOf(xmltree.Child(n, "pPr", "outlineLvl"), 6); level > 0 {
		s.level = level
	}
	s.code = strings.Contains(name, "preformatted") || strings.Contains(name, "source code") || name == "code" || name == "verbatim"
	s.quote = name == "quote" || name == "intense quote" || name == "block text" || name == "quotations"
	s.hide(xmltree.Child(n, "rPr"))
	return s
}

// hide applies the properties of characters that hide or strike them, or show them again.
func (s *docxStyle) hide(properties *xhtml.Node) {
	for name, flag := range map[string]*bool{"vanish": &s.hidden, "webHidden": &s.hidden, "specVanish": &s.hidden, "strike": &s.strike, "dstrike": &s.strike} {
		if property := xmltree.Child(properties, name); property != nil {
			*flag = isOn(property)
		}
	}
}

// docxGone are the elements without text of the document: deletions, field codes, old forms of drawings, properties.
var docxGone = datafile.Words("del moveFrom instrText delText Fallback pPr rPr tblPr trPr tcPr sectPr")
