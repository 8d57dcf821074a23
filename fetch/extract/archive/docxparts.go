package archive

import (
	"cmp"
	"strconv"
	"strings"

	xhtml "golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/datafile"
)

// docxStyles are the styles of a Word document by their ids.
type docxStyles struct{ styles map[string]docxStyle }

// docxStyle is what a style says of its paragraphs or characters.
type docxStyle struct {
	id        string
	level     int // of a heading; 0 = none
	list      string
	listLevel int // from 1; 0 = not said
	contents  bool
	caption   bool
	code      bool
	quote     bool
	hidden    bool // its text is not shown
	strike    bool
}

// val is the value of a property, an element that may be missing.
func val(property *xhtml.Node) string { return xmltree.Attr(property, "val") }

// isOn reports whether a property is there and not switched off.
func isOn(property *xhtml.Node) bool {
	v := val(property)
	return property != nil && v != "0" && v != "false" && v != "none"
}

// levelOf reads the outline level of a heading or the depth of a list, from 1. It is 0 without one below most.
func levelOf(property *xhtml.Node, most int) int {
	if n, err := strconv.Atoi(val(property)); err == nil && n >= 0 && n < most {
		return n + 1
	}
	return 0
}

// readStyles reads which styles are headings, by outline level or by common names, which are code, quotations, captions, not
// shown, and to which list they belong. Styles come after those that they are based on.
func readStyles(root *xhtml.Node) docxStyles {
	all := docxStyles{map[string]docxStyle{}}
	for n := range xmltree.Children(xmltree.Child(root, "styles"), "style") {
		s := all.styles[val(xmltree.Child(n, "basedOn"))]
		s.id = xmltree.Attr(n, "styleId")
		name := strings.ToLower(val(xmltree.Child(n, "name")))
		if rest, ok := strings.CutPrefix(name, "heading "); ok {
			if level, err := strconv.Atoi(rest); err == nil && level > 0 && level < 7 {
				s.level = level
			}
		}
		s.level = cmp.Or(levelOf(xmltree.Child(n, "pPr", "outlineLvl"), 6), s.level)
		s.list = cmp.Or(val(xmltree.Child(n, "pPr", "numPr", "numId")), s.list)
		s.listLevel = cmp.Or(levelOf(xmltree.Child(n, "pPr", "numPr", "ilvl"), maxLevels), s.listLevel)
		s.contents = strings.HasPrefix(name, "toc ") && name != "toc heading"
		s.caption = s.caption || name == "caption"
		s.code = strings.Contains(name, "preformatted") || strings.Contains(name, "source code") || name == "code" || name == "verbatim"
		s.quote = name == "quote" || name == "intense quote" || name == "block text" || name == "quotations"
		s.hide(xmltree.Child(n, "rPr"))
		all.styles[s.id] = s
	}
	return all
}

// hide applies the properties of characters that hide or strike them, or show them again.
func (s *docxStyle) hide(properties *xhtml.Node) {
	for name, flag := range map[string]*bool{"vanish": &s.hidden, "webHidden": &s.hidden, "specVanish": &s.hidden,
		"strike": &s.strike, "dstrike": &s.strike} {
		if property := xmltree.Child(properties, name); property != nil {
			*flag = isOn(property)
		}
	}
}

// docxGone are the elements without text of the document: deletions, field codes, old forms of drawings, the letters above a
// Chinese word, properties.
var docxGone = datafile.Words("del moveFrom instrText delText Fallback rt pPr rPr tblPr trPr tcPr sectPr")
