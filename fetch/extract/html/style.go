package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// style is what all that applies to an element says about whether it is seen.
type style struct {
	hides   hiding // what takes it out of sight,
	shows   hiding // and what says that it is in sight
	color   paint  // of its letters
	ground  paint  // behind them
	opacity float64
	struck  bool
}

// priority orders declarations for the same property: the higher holds.
type priority uint64

// Priorities by where a declaration is. Of important ones the order of the layers is reversed.
const (
	orderBits                = 20
	specificityBits          = 18
	layerShift               = orderBits + specificityBits
	layerBits                = 10
	unlayered                = 1<<layerBits - 1
	inlineBit       priority = 1 << (layerShift + layerBits)
	importantBit    priority = inlineBit << 1
)

func (r *rule) priority(important bool) priority {
	layer := priority(r.layer)
	if important {
		layer = unlayered - layer
	}
	p := 1 + layer<<layerShift | priority(min(r.selector.specificity, 1<<specificityBits-1))<<orderBits | priority(r.order)
	if important {
		p |= importantBit
	}
	return p
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

// styleOf returns what the attributes of an element and the rules of the page say about whether it is seen.
//
// A rule whose condition or selector does not hold now, but names the element, may be one that a script, a click or
// another window makes true: what it would show is not hidden.
func (s *styleSheet) styleOf(n *html.Node) style {
	if s != nil {
		if own, ok := s.known[n]; ok {
			return own
		}
	}
	if len(n.Attr) == 0 && n.DataAtom != atom.Mark && !isStruck(n) && (s == nil || len(s.everywhere) == 0 && len(s.byTag[n.Data]) == 0) {
		return style{opacity: 1}
	}
	var d declared
	applying, waiting, inline := s.apply(n, &d)
	if !applying && !inline && d.at == ([numProps]priority{}) {
		return style{opacity: 1}
	}
	own := s.judge(n, &d)
	for _, r := range waiting {
		if own.hides == 0 && !own.color.said() && !own.ground.said() {
			break
		}
		if may, ok := s.with(r, n, &d); ok {
			own = own.unless(s.judge(n, &may))
		}
	}
	return own
}

// with adds a rule to what is declared; false if it changes nothing.
func (s *styleSheet) with(r *rule, n *html.Node, d *declared) (may declared, ok bool) {
	for _, set := range r.settings {
		p := r.priority(set.important)
		if p <= d.at[set.prop] || set.prop == propCustom {
			continue
		}
		set, holds := s.filled(n, set)
		if !holds {
			continue
		}
		if !ok {
			may, ok = *d, true
		}
		may.put(set, p)
	}
	return may, ok
}

// unless is what holds of a style that may become another.
func (s style) unless(other style) style {
	s.hides &= other.hides
	s.shows |= other.shows
	s.opacity = max(s.opacity, other.opacity)
	if other.ground != s.ground {
		s.ground = paint{other: true}
	}
	if other.color != s.color {
		s.color = paint{other: true}
	}
	return s
}

// apply collects what is declared for an element. waiting are the rules that may apply later.
func (s *styleSheet) apply(n *html.Node, d *declared) (applying bool, waiting []*rule, inline bool) {
	quirks := s != nil && s.quirks
	hint := func(set setting) { d.put(set, 1) }
	id, classes, own := "", "", ""
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			if !strings.EqualFold(a.Val, "until-found") { // which the browser's search shows
				hint(setting{prop: propDisplay, on: true})
			}
		case "popover":
			hint(setting{prop: propDisplay, on: true})
		case "bgcolor":
			hint(setting{prop: propGround, paint: parsePaint(strings.ToLower(a.Val))})
		case "color":
			if n.DataAtom == atom.Font {
				hint(setting{prop: propColor, paint: parsePaint(strings.ToLower(a.Val))})
			}
		case "text":
			if n.DataAtom == atom.Body {
				hint(setting{prop: propColor, paint: parsePaint(strings.ToLower(a.Val))})
			}
		case "style":
			own = a.Val
		case "id":
			id = strings.TrimSpace(a.Val)
		case "class":
			classes = a.Val
		}
	}
	if isStruck(n) {
		hint(setting{prop: propDecoration, on: true})
	}
	if n.DataAtom == atom.Mark {
		hint(setting{prop: propGround, paint: paint{known: true, rgb: [3]int{255, 255, 0}}})
		hint(setting{prop: propColor, paint: paint{known: true}})
	}
	var matching []*rule
	if s != nil {
		matching, waiting = s.rulesFor(n, id, classes)
		s.setVariables(n, matching)
	}
	for _, r := range matching {
		applying = true
		for _, set := range r.settings {
			if set, ok := s.filled(n, set); ok {
				d.put(set, r.priority(set.important))
			}
		}
	}
	if own != "" && strings.IndexByte(own, ':') >= 0 {
		for i, set := range declares(normalCSS(own), quirks) {
			inline = true
			set, ok := s.filled(n, set)
			p := inlineBit | priority(i)
			if set.important {
				p |= importantBit
			}
			if ok {
				d.put(set, p)
			}
		}
	}
	return applying, waiting, inline
}

// maxWaiting bounds the rules that may select an element later: each costs a judgement.
const maxWaiting = 40

// rulesFor returns the rules that select an element, and those that may do so later.
func (s *styleSheet) rulesFor(n *html.Node, id, classes string) (matching, waiting []*rule) {
	look := func(rules []*rule, named bool) {
		for _, r := range rules {
			if s.steps--; s.steps <= 0 {
				return
			}
			matched := !r.elsewhere && r.selector.matches(n, &s.steps)
			switch {
			case len(waiting) == maxWaiting && !matched:
			case matched && !r.sometimes:
				matching = append(matching, r)
			case (named || len(r.selector.links[0].attributes) > 0 && r.selector.links[0].matches(n, &s.steps)) && (matched || !r.selector.stateless):
				waiting = append(waiting, r)
			}
		}
	}
	look(s.everywhere, false)
	look(s.byTag[n.Data], false)
	for class := range strings.FieldsSeq(classes) {
		look(s.byClass[class], true)
	}
	if id != "" {
		look(s.byID[id], true)
	}
	return matching, waiting
}

// judge decides by what is declared.
func (s *styleSheet) judge(n *html.Node, d *declared) style {
	own := style{opacity: 1}
	set := func(way hiding, hides, shows bool) {
		switch {
		case hides:
			own.hides |= way
		case shows:
			own.shows |= way
		}
	}
	set(byDisplay, d.on(propDisplay) || d.on(propContentVisibility), d.has(propDisplay))
	set(byVisibility, d.on(propVisibility), d.has(propVisibility))
	fades := d.on(propAnimation) && s != nil && s.fades
	if d.has(propOpacity) {
		own.opacity = max(0, min(1, d.set[propOpacity].x))
	}
	if fades {
		own.opacity = 1
	}
	set(byOpacity, own.opacity <= faint || d.on(propFilter) || d.on(propMask), d.has(propOpacity))
	set(byScale, d.on(propTransform) || d.on(propScale) || d.on(propRotate) || d.has(propZoom) && d.set[propZoom].x > 0 && d.set[propZoom].x <= tinyZoom, false)
	size := &d.set[propFontSize]
	if d.has(propFontSize) {
		set(byFont, size.x <= tinyLetter, !size.on)
	}
	set(byFont, d.on(propGlyphs), false)
	position := d.set[propPosition].x
	set(byClip, d.on(propClipPath) || d.on(propClip) && position >= 4, false)
	set(bySize, isNothing(n, d), false)
	set(byPlace, s.isAway(d, position), false)

	own.ground = d.set[propGround].paint
	switch {
	case d.has(propFill) && d.set[propFill].paint.said():
		own.color = d.set[propFill].paint
	case d.has(propColor):
		own.color = d.set[propColor].paint
	}
	if d.on(propGroundClip) || d.on(propShadow) {
		own.color = paint{other: true}
	}
	own.struck = d.on(propDecoration)
	if n.DataAtom == atom.A && !own.color.said() && attr(n, "href") != "" {
		own.color = paint{other: true} // links have a colour of their own
	}
	return own
}

// isNothing reports a box without width or height that cuts off what overflows it.
func isNothing(n *html.Node, d *declared) bool {
	contained := d.on(propContain)
	if !d.on(propOverflow) && !(contained && d.set[propContain].x > 0) {
		return false
	}
	cut := d.set[propOverflow].x > 0 || contained
	tiny := func(p property) bool { return d.on(p) && (cut || d.set[p].x == 0) }
	least := func(p property) bool { return d.has(p) && d.set[p].x > 1 }
	if (tiny(propWidth) || tiny(propMaxWidth)) && !least(propMinWidth) {
		return true
	}
	if least(propMinHeight) || d.on(propPadding) {
		return false
	}
	return tiny(propHeight) || tiny(propMaxHeight) ||
		!d.has(propHeight) && (contained || d.has(propLineHeight) && d.set[propLineHeight].x <= faint && firstElement(n) == nil)
}

// isAway reports a box that is moved out of sight.
func (s *styleSheet) isAway(d *declared, position float64) bool {
	x := func(p property) float64 {
		if !d.has(p) {
			return 0
		}
		return d.set[p].x
	}
	if x(propTransform) > 0 || x(propTranslate) > 0 || x(propMarginLeft) <= -farOff || x(propMarginTop) <= -farOff || x(propIndent) <= -farOff {
		return true
	}
	if d.on(propIndent) && d.on(propOverflow) {
		return true
	}
	if position == 0 && !(s != nil && s.external && !d.has(propPosition)) {
		return false
	}
	for _, p := range []property{propLeft, propTop, propRight, propBottom} {
		switch v := x(p); {
		case v >= 5*farOff, v <= -farOff && (p == propLeft || p == propTop):
			return true
		case position == 5 && (v >= farBelow || v <= -farBelow):
			return true
		}
	}
	return false
}
