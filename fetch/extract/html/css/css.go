// Package css says which elements a page hides: by display, visibility, opacity, sizes of nothing, and places off the page,
// in style attributes and in the page's own sheets.
//
// Selectors are cascadia's, the grammar that of tdewolff/parse. Colours, transforms, custom properties, the validity of
// values and the conditions of rules are not computed: a rule under a condition can only show what others hide.
package css

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// properties are those that are read, and what they are read as.
var properties = map[string]string{
	"display": "display", "visibility": "visibility", "content-visibility": "visibility", "opacity": "opacity",
	"width": "width", "max-width": "width", "height": "height", "max-height": "height",
	"font-size": "font-size", "text-indent": "text-indent",
	"overflow": "overflow", "overflow-x": "overflow", "overflow-y": "overflow", "position": "position",
	"left": "left", "margin-left": "left", "right": "left", "top": "top", "margin-top": "top",
	"text-decoration": "line", "text-decoration-line": "line", "animation": "animation", "animation-name": "animation",
	"list-style": "list-style", "list-style-type": "list-style", "white-space": "white-space", "clip": "clip", "clip-path": "clip",
}

// noClip is a clip that leaves nothing to see, as they hide what only screen readers read.
var noClip = lazyregexp.New(`^(?:rect\((?:[01](?:px)?[ ,]*){4}\)$|inset\((?:50|100)%)`)

// setting is a declaration of a property.
type setting struct {
	property, value string // in lower case
	rank            int    // among those that hold for an element
}

// Ranks order the settings of one property: importance, style attribute, specificity, order.
const (
	isImportant = 1 << 60
	ofAttribute = 1 << 50
)

func settingOf(name, value string) setting {
	s := setting{property: properties[strings.ToLower(name)], value: strings.ToLower(value)}
	if at := strings.LastIndexByte(s.value, '!'); at >= 0 && strings.TrimSpace(s.value[at+1:]) == "important" {
		s.value, s.rank = strings.TrimSpace(s.value[:at]), isImportant
	}
	return s
}

// Style is what is declared for an element, by property.
type Style map[string]setting

// put adds settings that are declared, unless others count for more.
func (own Style) put(rank int, settings ...setting) {
	for _, s := range settings {
		if s.rank += rank; s.value != "" && own[s.property].rank <= s.rank {
			own[s.property] = s
		}
	}
}

// Value is what is declared for a property, in lower case, or "".
func (own Style) Value(property string) string { return own[property].value }

// Is reports a property with one of these values.
func (own Style) Is(property string, values ...string) bool {
	return slices.Contains(values, own[property].value)
}

// within reports a number that is declared and lies between two others: a length in pixels, roughly, or a plain number. A share of
// an unknown length counts as one.
func (own Style) within(property string, from, to float64) bool {
	number := strings.TrimRight(own[property].value, "abcdefghijklmnopqrstuvwxyz%")
	x, err := strconv.ParseFloat(number, 64)
	if unit := own[property].value[len(number):]; unit != "" && unit != "px" && unit != "pt" {
		x *= 16
	}
	return err == nil && from <= x && x <= to
}

// Ways is a set of ways in which a page takes an element out of sight.
type Ways uint8

const (
	Removed   Ways = 1 << iota // it takes no place
	Away                       // it is off the page
	Invisible                  // by visibility, which elements in it can undo
	Unsized                    // its letters have no size: so can they
	Faded                      // by opacity
)

// hides says how an element with this style is hidden.
func (own Style) hides() (by Ways) {
	const far = 999 // pixels beyond which a place is off the page
	isOut := own.Is("position", "absolute", "fixed")
	isBefore := own.within("left", -1e9, -far) || own.within("top", -1e9, -far)
	isBehind := own.within("left", 9*far, 1e9) || own.within("top", 9*far, 1e9)
	overflow := own.Value("overflow")
	isCut := overflow != "" && !strings.Contains(overflow, "visible") && !strings.Contains(overflow, "(")
	for way, holds := range map[Ways]bool{
		Removed: own.Is("display", "none") || noClip.MatchString(own.Value("clip")) || isCut &&
			(own.within("height", 0, 1) || isOut && own.within("width", 0, 1)),
		Away:      isOut && (isBefore || isBehind) || isBefore && own.Is("position", "relative") || own.within("text-indent", -1e9, -far),
		Invisible: own.Is("visibility", "hidden", "collapse"),
		Unsized:   own.within("font-size", 0, 1),
		Faded:     own.within("opacity", -1, 0.02) && own.Value("animation") == "", // or else it fades in
	} {
		if holds {
			by |= way
		}
	}
	return by
}

// Style returns what the attributes of an element and the rules of the page say, and how that hides it.
func (s *Sheet) Style(n *html.Node) (own Style, hides Ways) {
	own = Style{}
	for _, a := range n.Attr {
		switch {
		case a.Key == "hidden" && a.Val != "until-found":
			own.put(1, setting{property: "display", value: "none"})
		case a.Key == "style":
			read(css.NewParser(parse.NewInputString(a.Val), true), func(_ string, settings []setting, _ holds) {
				own.put(ofAttribute, settings...)
			})
		case n.Namespace == "svg":
			own.put(1, settingOf(a.Key, a.Val))
		}
	}
	var may []*rule
	for _, r := range s.rulesFor(n) {
		if r.may {
			may = append(may, r)
		} else {
			own.put(r.rank, r.settings...)
		}
	}
	hides = own.hides()
	for _, r := range may { // each of them may hold, and what it would show is seen at times
		if hides != 0 {
			then := maps.Clone(own)
			then.put(ofAttribute-1, r.settings...)
			hides &= then.hides()
		}
	}
	return own, hides
}
