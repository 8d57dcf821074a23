// Package css says which elements a page hides: by display, visibility, opacity, sizes of nothing, and places off the page,
// in style attributes and in the page's own sheets.
//
// Selectors are cascadia's, the grammar that of tdewolff/parse. Colours, transforms, custom properties and the conditions of
// media queries are not computed: a rule under a condition can only show what others hide.
package css

import (
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Ways is a set of ways in which a page takes an element out of sight.
type Ways uint8

const (
	Display Ways = 1 << iota
	Visibility
	Opacity
	Size // no width or height
	Place
	Letters // of no size
)

// Style is what is known of how an element is seen.
type Style struct {
	Hides   Ways
	Visible bool   // it undoes the visibility of the element around it
	Sized   bool   // so does it for the size of letters
	Struck  bool   // its words are struck through
	Block   bool   // it is a box of its own in the text around it
	Boxes   bool   // so are the elements in it
	Numbers string // the kind of its list's numbers as in the attribute type, or none, if it is declared
	Lines   string // whether its line breaks are shown: by white-space, if it is declared
}

// Style returns what the attributes of an element and the rules of the page say.
func (s *Sheet) Style(n *html.Node) Style {
	d := declared{}
	if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" && a.Val != "until-found" }) {
		d.put([]setting{{property: "display", value: "none"}}, 1)
	}
	if n.Namespace == "svg" {
		d.put(pictureSettings(n), 1)
	}
	if text := attr(n, "style"); text != "" && len(text) < maxSheetBytes/100 {
		d.put(declarations(css.NewParser(parse.NewInputString(text), true)), ofAttribute)
	}
	keys := []string{"", n.Data, "#" + attr(n, "id")}
	for class := range strings.FieldsSeq(attr(n, "class")) {
		keys = append(keys, "."+class)
	}
	var may []*rule
	for _, key := range keys {
		for _, r := range s.rules[key] {
			switch {
			case !s.selects(r.selector, n):
			case r.may:
				may = append(may, r)
			default:
				d.put(r.settings, r.rank)
			}
		}
	}
	own := s.judge(n, d)
	for _, r := range may { // each of them may hold, and what it would show is seen at times
		if own.Hides != 0 {
			own.Hides &= s.judge(n, d.with(r.settings)).Hides
		}
	}
	return own
}

var (
	fixed = lazyregexp.New(`^[\d.]+(?:px|pt|rem)$`) // sizes that do not depend on the element around
	// clips that leave nothing to see
	noClip = lazyregexp.New(`^(?:rect\((?:[01](?:px)?[ ,]*){4}\)$|inset\((?:[5-9]\d|\d{3,})(?:\.\d+)?%|circle\(0)`)
)

// judge says how an element with these settings is seen.
func (s *Sheet) judge(n *html.Node, d declared) Style {
	const far = 999 // pixels beyond which a place is off the page
	out := d.is("position", "absolute", "fixed")
	before := d.within("left", -1e9, -far) || d.within("top", -1e9, -far)
	behind := d.within("left", 9*far, 1e9) || d.within("top", 9*far, 1e9)
	cut := d["overflow"].value != "" && !strings.Contains(d["overflow"].value, "visible")
	own := Style{Struck: IsStruck(n), Visible: d.is("visibility", "visible"), Numbers: numbers[d["list-style"].value],
		Lines: d["white-space"].value}
	if s.counts && own.Numbers == "none" {
		own.Numbers = "" // the page may have numbers of its own
	}
	for way, hides := range map[Ways]bool{
		Display:    d.is("display", "none"),
		Visibility: d.is("visibility", "hidden", "collapse"),
		Opacity:    d.within("opacity", -1, 0.02) && !(s.moves && d["animation"].value != ""),
		Size:       cut && (d.within("width", 0, 1) || d.within("height", 0, 1)) || noClip.MatchString(d["clip"].value),
		Place:      before && (out || d.is("position", "relative")) || behind && out || d.within("text-indent", -1e9, -far),
		Letters:    d.within("font-size", 0, 1),
	} {
		if hides {
			own.Hides |= way
		}
	}
	own.Sized = own.Hides&Letters == 0 && fixed.MatchString(d["font-size"].value)
	own.Boxes = d.is("display", "flex", "inline-flex", "grid", "inline-grid", "-webkit-box")
	own.Block = own.Boxes || d.is("display", "block", "list-item", "table", "table-row", "table-cell", "flow-root")
	if line := d["text-decoration"].value; line != "" {
		own.Struck = strings.Contains(line, "line-through")
	}
	return own
}

// numbers are the values of the attribute type of a list, by the styles that mean the same.
var numbers = map[string]string{"decimal": "1", "lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A", "upper-latin": "A",
	"lower-roman": "i", "upper-roman": "I", "none": "none"}

// pictureSettings are what the attributes of an element of a picture declare. What lies outside of a picture is cut.
func pictureSettings(n *html.Node) (all []setting) {
	if n.DataAtom == atom.Svg {
		all = []setting{{property: "overflow", value: "hidden"}}
	}
	for _, a := range n.Attr {
		if s, ok := settingOf(a.Key, a.Val); ok {
			all = append(all, s)
		}
	}
	return all
}

// IsStruck reports an element that strikes its words through.
func IsStruck(n *html.Node) bool {
	return n.DataAtom == atom.S || n.DataAtom == atom.Del || n.DataAtom == atom.Strike
}

var attr = xmltree.Attr
