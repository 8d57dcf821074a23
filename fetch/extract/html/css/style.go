package css

import (
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Ways is a set of ways in which a page takes an element out of sight.
type Ways uint8

const (
	Display Ways = 1 << iota
	Visibility
	Opacity
	Size // no width, height or letters
	Place
)

// Style is what is known of how an element is seen.
type Style struct {
	Hides   Ways
	Visible bool // it undoes the visibility of the element around it
	Struck  bool // its words are struck through
	Block   bool // it is a box of its own in the text around it
	Boxes   bool // so are the elements in it
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
	properties // how many there are
)

var propertyNames = map[string]property{
	"display": display, "visibility": visibility, "opacity": opacity, "width": width, "max-width": width, "height": height, "max-height": height,
	"overflow": overflow, "overflow-x": overflow, "overflow-y": overflow, "position": position, "left": left, "margin-left": left, "right": left, "top": top,
	"margin-top": top, "text-indent": indent, "font-size": fontSize, "clip": clip, "clip-path": clip, "text-decoration": decoration,
	"text-decoration-line": decoration, "animation": animation, "animation-name": animation, "content-visibility": visibility,
}

// setting is a declaration.
type setting struct {
	property  property
	value     string // lower case
	number    float64
	important bool
}

// declaration collects the tokens of one declaration.
type declaration struct {
	name  string
	value strings.Builder
	colon bool
}

func (d *declaration) add(kind css.TokenType, data []byte) {
	switch {
	case kind == css.CommentToken:
	case !d.colon && kind == css.ColonToken:
		d.colon = true
	case !d.colon:
		d.name += strings.TrimSpace(string(data))
	case d.value.Len() < maxSelector:
		d.value.Write(data)
	}
}

// end adds the declaration to others if it is valid and of a property that is read.
func (d *declaration) end(all []setting) []setting {
	defer func() { *d = declaration{} }()
	p, ok := propertyNames[strings.ToLower(d.name)]
	if !ok || !d.colon {
		return all
	}
	value, important := strings.ToLower(d.value.String()), false
	if at := strings.LastIndexByte(value, '!'); at >= 0 && strings.TrimSpace(value[at+1:]) == "important" {
		value, important = value[:at], true
	}
	s := setting{property: p, value: strings.Join(strings.Fields(value), " "), important: important}
	if s.number, ok = number(s.value); !ok && !s.isKeyword() {
		return all
	}
	return append(all, s)
}

var displays = strings.Fields("none block inline inline-block flex inline-flex grid inline-grid table table-cell table-row list-item contents flow-root inherit initial unset revert -webkit-box")

// isKeyword reports a value that its property can have and that is no number.
func (s *setting) isKeyword() bool {
	switch s.property {
	case display:
		return slices.Contains(displays, s.value) || strings.HasPrefix(s.value, "table") || strings.HasPrefix(s.value, "block ") || strings.HasPrefix(s.value, "ruby")
	case visibility:
		return slices.Contains([]string{"visible", "hidden", "collapse", "inherit", "initial", "unset", "auto"}, s.value)
	case position:
		return slices.Contains([]string{"static", "relative", "absolute", "fixed", "sticky"}, s.value)
	case overflow, clip, decoration, animation:
		return s.value != ""
	case opacity:
		return s.value == "inherit" || s.value == "initial" || s.value == "unset"
	}
	return s.value == "auto" || s.value == "none" || s.value == "inherit" || s.value == "initial" || s.value == "unset" || s.value == "fit-content" ||
		s.value == "max-content" || strings.HasPrefix(s.value, "calc(") || strings.HasPrefix(s.value, "var(") || strings.HasPrefix(s.value, "min(") || strings.HasPrefix(s.value, "max(")
}

// number reads a length in pixels, roughly, or a plain number. A share of an unknown length counts as one.
func number(value string) (float64, bool) {
	end := strings.LastIndexAny(value, "0123456789.") + 1
	x, err := strconv.ParseFloat(value[:end], 64)
	if err != nil {
		return 0, false
	}
	switch unit := value[end:]; unit {
	case "", "px", "pt", "ms", "s":
	case "em", "rem", "ch", "ex", "vw", "vh", "%", "cm", "in", "mm", "vmin", "vmax":
		x *= 16
	default:
		return 0, false
	}
	return x, true
}

// declared are the settings that hold for an element.
type declared struct {
	set   [properties]setting
	order [properties]priority
}

// priority orders settings of one property.
type priority struct {
	important   bool
	inline      bool
	specificity cascadia.Specificity
	order       int // 0: nothing is declared
}

func (p priority) less(q priority) bool {
	switch {
	case p.important != q.important:
		return q.important
	case p.inline != q.inline:
		return q.inline
	case p.specificity != q.specificity:
		return p.specificity.Less(q.specificity)
	}
	return p.order <= q.order
}

func (d *declared) put(settings []setting, p priority) {
	for _, s := range settings {
		if p.important = s.important; d.order[s.property].less(p) {
			d.set[s.property], d.order[s.property] = s, p
		}
	}
}

func (d *declared) is(p property, values ...string) bool {
	return d.order[p].order > 0 && slices.Contains(values, d.set[p].value)
}

// within reports a number that is declared and lies between two others.
func (d *declared) within(p property, from, to float64) bool {
	x, isNumber := number(d.set[p].value)
	return d.order[p].order > 0 && isNumber && from <= x && x <= to
}

// Style returns what the attributes of an element and the rules of the page say.
func (s *Sheet) Style(n *html.Node) Style {
	var d declared
	if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" && a.Val != "until-found" }) {
		d.put([]setting{{property: display, value: "none"}}, priority{order: 1})
	}
	if text := attr(n, "style"); text != "" && len(text) < maxSheetBytes/100 {
		r := reader{lexer: css.NewLexer(parse.NewInputString(text))}
		d.put(r.declarations(), priority{inline: true, order: 1})
	}
	var may []*rule
	each := func(key string) {
		for _, r := range s.rules[key] {
			switch s.steps--; {
			case s.steps < 0 || !r.selector.Match(n):
			case r.may:
				may = append(may, r)
			default:
				d.put(r.settings, priority{specificity: r.selector.Specificity(), order: r.order + 1})
			}
		}
	}
	each("")
	each(n.Data)
	for class := range strings.FieldsSeq(attr(n, "class")) {
		each("." + class)
	}
	if id := attr(n, "id"); id != "" {
		each("#" + id)
	}
	own := s.judge(n, &d)
	for _, r := range may { // each of them may hold, and what it would show is seen at times
		if own.Hides == 0 {
			break
		}
		would := d
		would.put(r.settings, priority{specificity: cascadia.Specificity{9}, order: r.order + 1})
		own.Hides &= s.judge(n, &would).Hides
	}
	return own
}

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
	hide(Opacity, d.within(opacity, -1, 0.02) && !(s.moves && d.order[animation].order > 0))
	cut := d.order[overflow].order > 0 && !strings.Contains(d.set[overflow].value, "visible")
	hide(Size, cut && (d.within(width, 0, 1) || d.within(height, 0, 1)) || d.within(fontSize, 0, 1))
	hide(Size, d.order[clip].order > 0 && clipsAll(d.set[clip].value))
	out := d.is(position, "absolute", "fixed")
	moved := out || d.is(position, "relative")
	hide(Place, moved && (d.within(left, -1e9, -far) || d.within(top, -1e9, -far)) || out && (d.within(left, 9*far, 1e9) || d.within(top, 9*far, 1e9)))
	hide(Place, d.within(indent, -1e9, -far))
	if d.order[decoration].order > 0 {
		own.Struck = strings.Contains(d.set[decoration].value, "line-through")
	}
	return own
}

// clipsAll reports a clip that leaves nothing to see.
func clipsAll(value string) bool {
	name, args, _ := strings.Cut(strings.TrimSuffix(value, ")"), "(")
	all := strings.FieldsFunc(args, func(r rune) bool { return r == ' ' || r == ',' })
	switch name {
	case "rect":
		return len(all) == 4 && all[0] == all[2] && all[1] == all[3]
	case "inset":
		x, ok := number(strings.Join(all[:min(1, len(all))], ""))
		return ok && strings.HasSuffix(all[0], "%") && x >= 50*16
	case "circle":
		return len(all) > 0 && strings.Trim(all[0], "0px%") == ""
	}
	return false
}

// IsStruck reports an element that strikes its words through.
func IsStruck(n *html.Node) bool {
	return n.DataAtom == atom.S || n.DataAtom == atom.Del || n.DataAtom == atom.Strike
}
