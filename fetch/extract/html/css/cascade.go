package css

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Ways is a set of ways in which CSS takes an element out of sight.
type Ways uint16

const (
	ByDisplay Ways = 1 << iota // display, content-visibility
	ByVisibility
	ByOpacity // opacity, filters, masks
	BySize    // no width or height, and what overflows is cut off
	ByClip
	ByPlace // beyond the edge of the page
	ByColor // letters that are transparent, or of the colour behind them
	ByFont  // letters without size or shape
	ByScale // a transformation or a zoom to nothing
)

// Style is what all that applies to an element says about how it is seen.
type Style struct {
	Hides, Shows  Ways // what takes it out of sight, and what says that it is in sight
	Color, Ground Color
	Opacity       float64
	Struck        bool
}

// declared are the settings that hold for an element, by property.
type declared struct {
	set [numProps]setting
	at  [numProps]priority // 0 = nothing is declared
}

func (d *declared) put(s setting, p priority) {
	if p >= d.at[s.prop] {
		d.set[s.prop], d.at[s.prop] = s, p
	}
}

// has reports a property that is declared and not set back.
func (d *declared) has(p property) bool { return d.at[p] > 0 && d.set[p].x != unset }

func (d *declared) on(p property) bool { return d.has(p) && d.set[p].on }

// x is the number of a property, or 0.
func (d *declared) x(p property) float64 {
	if !d.has(p) {
		return 0
	}
	return d.set[p].x
}

// Style returns what the attributes of an element and the rules of the page say about how it is seen.
//
// A rule whose condition or selector does not hold now, but names the element, may be one that a script, a click or
// another window makes true: what it would show is not hidden.
func (s *Sheet) Style(n *html.Node) Style {
	if own, ok := s.known[n]; ok {
		return own
	}
	if len(n.Attr) == 0 && n.DataAtom != atom.Mark && !IsStruck(n) && len(s.rules[""]) == 0 && len(s.rules[n.Data]) == 0 {
		return Style{Opacity: 1}
	}
	var d declared
	waiting := s.apply(n, &d)
	if d.at == ([numProps]priority{}) {
		return Style{Opacity: 1}
	}
	own := s.judge(n, &d)
	for _, r := range waiting {
		if own.Hides == 0 && !own.Color.Said() && !own.Ground.Said() {
			break
		}
		if may, ok := s.with(r, n, &d); ok {
			own = own.unless(s.judge(n, &may))
		}
	}
	return own
}

// maxKnown bounds the styles that are remembered: 50,000 take some 10 MB.
const maxKnown = 50_000

// Remember is Style for an element whose style will be asked again.
func (s *Sheet) Remember(n *html.Node) Style {
	own := s.Style(n)
	if len(s.known) < maxKnown {
		s.known[n] = own
	}
	return own
}

// with adds a rule to what is declared; false if it changes nothing.
func (s *Sheet) with(r *rule, n *html.Node, d *declared) (may declared, ok bool) {
	for _, set := range r.settings {
		p := r.priority(set.important)
		if p <= d.at[set.prop] || set.prop == propCustom {
			continue
		}
		if !ok {
			may, ok = *d, true
		}
		may.put(s.filled(n, set), p)
	}
	return may, ok
}

// unless is what holds of a style that may become another.
func (s Style) unless(may Style) Style {
	s.Hides &= may.Hides
	s.Shows |= may.Shows
	s.Opacity = max(s.Opacity, may.Opacity)
	if may.Ground != s.Ground {
		s.Ground = other
	}
	if may.Color != s.Color {
		s.Color = other
	}
	return s
}

// IsStruck reports an element that browsers strike through.
func IsStruck(n *html.Node) bool {
	return n.DataAtom == atom.Del || n.DataAtom == atom.S || n.DataAtom == atom.Strike
}

// apply collects what is declared for an element, and returns the rules that may apply later.
func (s *Sheet) apply(n *html.Node, d *declared) (waiting []*rule) {
	hint := func(set setting) { d.put(set, 1) }
	id, classes, own := "", "", ""
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden", "popover":
			if !strings.EqualFold(a.Val, "until-found") { // which the browser's search shows
				hint(setting{prop: propDisplay, on: true})
			}
		case "bgcolor":
			hint(setting{prop: propGround, color: readColor(strings.ToLower(a.Val))})
		case "color", "text":
			if n.DataAtom == atom.Font && a.Key == "color" || n.DataAtom == atom.Body && a.Key == "text" {
				hint(setting{prop: propColor, color: readColor(strings.ToLower(a.Val))})
			}
		case "style":
			own = a.Val
		case "id":
			id = strings.TrimSpace(a.Val)
		case "class":
			classes = a.Val
		}
	}
	if IsStruck(n) {
		hint(setting{prop: propDecoration, on: true})
	}
	if n.DataAtom == atom.Mark {
		hint(setting{prop: propGround, color: Color{known: true, rgb: [3]int{255, 255, 0}}})
		hint(setting{prop: propColor, color: Black})
	}
	matching, waiting := s.rulesFor(n, id, classes)
	s.setVariables(n, matching)
	for _, r := range matching {
		for _, set := range r.settings {
			d.put(s.filled(n, set), r.priority(set.important))
		}
	}
	if strings.IndexByte(own, ':') >= 0 {
		for i, set := range declares(normalize(own), s.quirks) {
			p := inlineBit | priority(i)
			if set.important {
				p |= importantBit
			}
			d.put(s.filled(n, set), p)
		}
	}
	d.at[propCustom] = 0
	return waiting
}

// maxWaiting bounds the rules that may select an element later: each costs a judgement.
const maxWaiting = 40

// rulesFor returns the rules that select an element, and those that may do so later.
func (s *Sheet) rulesFor(n *html.Node, id, classes string) (matching, waiting []*rule) {
	look := func(key string, named bool) {
		for _, r := range s.rules[key] {
			if s.steps--; s.steps <= 0 {
				return
			}
			matched, own := !r.elsewhere && r.selector.matches(n, &s.steps), &r.selector.compounds[0]
			switch {
			case len(waiting) == maxWaiting && !matched:
			case matched && !r.sometimes:
				matching = append(matching, r)
			case (named || own.attribute && own.matches(n, &s.steps)) && (matched || !r.selector.stateless):
				waiting = append(waiting, r)
			}
		}
	}
	look("", false)
	look(n.Data, false)
	for class := range strings.FieldsSeq(classes) {
		look("."+class, true)
	}
	if id != "" {
		look("#"+id, true)
	}
	return matching, waiting
}

// judge decides by what is declared.
func (s *Sheet) judge(n *html.Node, d *declared) Style {
	own := Style{Opacity: 1}
	set := func(way Ways, hides, shows bool) {
		switch {
		case hides:
			own.Hides |= way
		case shows:
			own.Shows |= way
		}
	}
	set(ByDisplay, d.on(propDisplay) || d.on(propContentVisibility), d.has(propDisplay))
	set(ByVisibility, d.on(propVisibility), d.has(propVisibility))
	if d.has(propOpacity) && !(d.on(propAnimation) && s.fades) {
		own.Opacity = max(0, min(1, d.x(propOpacity)))
	}
	set(ByOpacity, own.Opacity <= Faint || d.on(propFilter) || d.on(propMask), d.has(propOpacity))
	zoom := d.x(propZoom)
	set(ByScale, d.on(propTransform) || d.on(propScale) || d.on(propRotate) || zoom > 0 && zoom <= tinyZoom, false)
	if d.has(propFontSize) {
		set(ByFont, d.x(propFontSize) <= tinyLetter, !d.on(propFontSize))
	}
	set(ByFont, d.on(propGlyphs), false)
	position := d.set[propPosition].x
	set(ByClip, d.on(propClipPath) || d.on(propClip) && position >= 4, false)
	set(BySize, isNothing(n, d), false)
	set(ByPlace, s.isAway(d, position), false)

	own.Ground, own.Color, own.Struck = d.set[propGround].color, d.set[propColor].color, d.on(propDecoration)
	if fill := d.set[propFill].color; fill.Said() {
		own.Color = fill
	}
	if d.on(propGroundClip) || d.on(propShadow) || n.DataAtom == atom.A && !own.Color.Said() && attr(n, "href") != "" {
		own.Color = other // links have a colour of their own
	}
	return own
}

// isNothing reports a box without width or height that cuts off what overflows it.
func isNothing(n *html.Node, d *declared) bool {
	contained := d.on(propContain)
	if !d.on(propOverflow) && !(contained && d.x(propContain) > 0) {
		return false
	}
	cut := d.x(propOverflow) > 0 || contained
	tiny := func(p property) bool { return d.on(p) && (cut || d.x(p) == 0) }
	least := func(p property) bool { return d.x(p) > 1 }
	if (tiny(propWidth) || tiny(propMaxWidth)) && !least(propMinWidth) {
		return true
	}
	if least(propMinHeight) || d.on(propPadding) {
		return false
	}
	noLine := d.has(propLineHeight) && d.x(propLineHeight) <= Faint && !holdsElement(n)
	return tiny(propHeight) || tiny(propMaxHeight) || !d.has(propHeight) && (contained || noLine)
}

func holdsElement(n *html.Node) bool {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			return true
		}
	}
	return false
}

// isAway reports a box that is moved out of sight.
func (s *Sheet) isAway(d *declared, position float64) bool {
	for _, p := range []property{propMarginLeft, propMarginTop, propIndent} {
		if d.x(p) <= -farOff {
			return true
		}
	}
	if d.x(propTransform) > 0 || d.x(propTranslate) > 0 || d.on(propIndent) && d.on(propOverflow) {
		return true
	}
	if position == 0 && !(s.External && !d.has(propPosition)) {
		return false
	}
	for _, p := range []property{propLeft, propTop, propRight, propBottom} {
		switch v := d.x(p); {
		case v >= 5*farOff, v <= -farOff && (p == propLeft || p == propTop):
			return true
		case position == 5 && (v >= farBelow || v <= -farBelow):
			return true
		}
	}
	return false
}
