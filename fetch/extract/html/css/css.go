// Package css says which elements a page hides: by display, visibility, opacity, sizes of nothing, and places off the page,
// in style attributes and in the page's own sheets.
//
// Selectors are cascadia's, tokens those of tdewolff/parse. Colours, transforms, custom properties and the conditions of
// media queries are not computed: a rule under a condition can only show what others hide.
package css

import (
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

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
	Numbers string // the kind of its list's numbers as in the attribute type, if it is declared
}

// property is one of those that are read.
type property int

const (
	display property = iota
	visibility
	opacity
	width
	height
	overflow
	position
	left
	top
	indent
	fontSize
	clip
	decoration
	animation
	listStyle
	properties // how many there are
)

var propertyNames = map[string]property{
	"display": display, "visibility": visibility, "content-visibility": visibility, "opacity": opacity,
	"width": width, "max-width": width, "height": height, "max-height": height, "font-size": fontSize, "text-indent": indent,
	"overflow": overflow, "overflow-x": overflow, "overflow-y": overflow,
	"position": position, "left": left, "margin-left": left, "right": left, "top": top, "margin-top": top,
	"clip": clip, "clip-path": clip, "text-decoration": decoration, "text-decoration-line": decoration,
	"animation": animation, "animation-name": animation, "list-style": listStyle, "list-style-type": listStyle,
}

// keywords are the values that a property can have and that are no numbers, besides usual. A property without is free.
var keywords = map[property]string{
	display: "none block inline inline-block flex inline-flex grid inline-grid list-item contents flow-root revert -webkit-box table " +
		"table-cell table-row table-row-group table-header-group table-footer-group table-column table-caption inline-table ruby",
	visibility: "visible hidden collapse auto", position: "static relative absolute fixed sticky", opacity: "-", fontSize: sizes,
	width: sizes, height: sizes, left: sizes, top: sizes, indent: sizes,
}

const sizes, usual = "auto none fit-content max-content", "inherit initial unset"

// setting is a declaration.
type setting struct {
	property  property
	value     string // lower case
	important bool
}

// settingOf reads a declaration of a property that is read; ok is false for others, and for invalid values.
func settingOf(name, value string) (s setting, ok bool) {
	p, known := propertyNames[strings.ToLower(strings.TrimSpace(name))]
	value = strings.ToLower(strings.TrimSpace(value))
	s = setting{property: p, value: value}
	if at := strings.LastIndexByte(value, '!'); at >= 0 && strings.TrimSpace(value[at+1:]) == "important" {
		s.value, s.important = value[:at], true
	}
	s.value = strings.Join(strings.Fields(s.value), " ")
	_, isNumber := number(s.value)
	words := keywords[p]
	_, computed := number("0" + strings.TrimLeft(s.value, "acilmnrvx(-")) // calc(…), min(…), var(…): not computed
	isKeyword := words == "" && s.value != "" || slices.Contains(strings.Fields(words+" "+usual), s.value) ||
		strings.HasPrefix(words, sizes) && (computed || strings.Contains(s.value, "("))
	return s, known && (isNumber || isKeyword)
}

// number reads a length in pixels, roughly, or a plain number. A share of an unknown length counts as one.
func number(value string) (float64, bool) {
	end := strings.LastIndexAny(value, "0123456789.") + 1
	x, err := strconv.ParseFloat(value[:end], 64)
	if err != nil {
		return 0, false
	}
	switch value[end:] {
	case "", "px", "pt", "ms", "s":
		return x, true
	case "em", "rem", "ch", "ex", "vw", "vh", "%", "cm", "in", "mm", "vmin", "vmax":
		return x * 16, true
	}
	return 0, false
}

// priority orders settings of one property: importance, style attribute, specificity, order. Zero: nothing is declared.
type priority [6]int

func priorityOf(s cascadia.Specificity, order int) priority {
	return priority{0, 0, s[0], s[1], s[2], order}
}

// declared are the settings that hold for an element.
type declared struct {
	set   [properties]setting
	order [properties]priority
}

func (d *declared) put(settings []setting, p priority) {
	for _, s := range settings {
		if p[0] = 0; s.important {
			p[0] = 1
		}
		if slices.Compare(d.order[s.property][:], p[:]) <= 0 {
			d.set[s.property], d.order[s.property] = s, p
		}
	}
}

func (d *declared) has(p property) bool { return d.order[p] != priority{} }

func (d *declared) is(p property, values ...string) bool {
	return d.has(p) && slices.Contains(values, d.set[p].value)
}

// within reports a number that is declared and lies between two others.
func (d *declared) within(p property, from, to float64) bool {
	x, isNumber := number(d.set[p].value)
	return d.has(p) && isNumber && from <= x && x <= to
}

// Style returns what the attributes of an element and the rules of the page say.
func (s *Sheet) Style(n *html.Node) Style {
	var d declared
	if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" && a.Val != "until-found" }) {
		d.put([]setting{{property: display, value: "none"}}, priority{5: 1})
	}
	if text := attr(n, "style"); text != "" && len(text) < maxSheetBytes/100 {
		d.put(newReader(nil, text).declarations(), priority{1: 1, 5: 1})
	}
	keys := append([]string{"", n.Data, "#" + attr(n, "id")}, strings.Fields(attr(n, "class"))...)
	for i := 3; i < len(keys); i++ {
		keys[i] = "." + keys[i]
	}
	var may []*rule
	for _, key := range keys {
		for _, r := range s.rules[key] {
			if s.steps <= 0 {
				break
			}
			switch {
			case !s.selects(r.selector, n):
			case r.may:
				may = append(may, r)
			default:
				d.put(r.settings, r.priority)
			}
		}
	}
	own := s.judge(n, &d)
	for _, r := range may { // each of them may hold, and what it would show is seen at times
		if own.Hides == 0 {
			break
		}
		would := d
		would.put(r.settings, priorityOf(cascadia.Specificity{9}, r.priority[5]))
		own.Hides &= s.judge(n, &would).Hides
	}
	return own
}

var fixed = lazyregexp.New(`^[\d.]+(?:px|pt|rem)$`) // sizes that do not depend on the element around

// noClip matches clips that leave nothing to see.
var noClip = lazyregexp.New(`^(?:rect\((?:[01](?:px)?[ ,]*){4}\)$|inset\((?:[5-9]\d|\d{3,})(?:\.\d+)?%|circle\(0)`)

// judge says how an element with these settings is seen.
func (s *Sheet) judge(n *html.Node, d *declared) Style {
	const far = 999 // pixels beyond which a place is off the page
	own := Style{Struck: IsStruck(n), Visible: d.is(visibility, "visible")}
	own.Boxes = d.is(display, "flex", "inline-flex", "grid", "inline-grid", "-webkit-box")
	own.Block = own.Boxes || d.is(display, "block", "list-item", "table", "table-row", "table-cell", "flow-root")
	hide := func(way Ways, when bool) {
		if when {
			own.Hides |= way
		}
	}
	hide(Display, d.is(display, "none"))
	hide(Visibility, d.is(visibility, "hidden", "collapse"))
	hide(Opacity, d.within(opacity, -1, 0.02) && !(s.moves && d.has(animation)))
	cut := d.has(overflow) && !strings.Contains(d.set[overflow].value, "visible")
	hide(Size, cut && (d.within(width, 0, 1) || d.within(height, 0, 1)))
	hide(Letters, d.within(fontSize, 0, 1))
	own.Sized = d.has(fontSize) && own.Hides&Letters == 0 && fixed.MatchString(d.set[fontSize].value)
	hide(Size, d.has(clip) && noClip.MatchString(d.set[clip].value))
	out := d.is(position, "absolute", "fixed")
	before := d.within(left, -1e9, -far) || d.within(top, -1e9, -far)
	behind := d.within(left, 9*far, 1e9) || d.within(top, 9*far, 1e9)
	hide(Place, before && (out || d.is(position, "relative")) || behind && out || d.within(indent, -1e9, -far))
	if d.has(listStyle) {
		own.Numbers = numbers[d.set[listStyle].value]
	}
	if d.has(decoration) {
		own.Struck = strings.Contains(d.set[decoration].value, "line-through")
	}
	return own
}

// numbers are the values of the attribute type of a list, by the styles that mean the same.
var numbers = map[string]string{"decimal": "1", "lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A", "upper-latin": "A",
	"lower-roman": "i", "upper-roman": "I"}

// IsStruck reports an element that strikes its words through.
func IsStruck(n *html.Node) bool {
	return n.DataAtom == atom.S || n.DataAtom == atom.Del || n.DataAtom == atom.Strike
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
