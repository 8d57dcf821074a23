package html

import (
	"strconv"
	"strings"
)

// hiding is a set of ways in which CSS takes an element out of sight.
type hiding uint16

const (
	byDisplay hiding = 1 << iota // display, content-visibility
	byVisibility
	byOpacity
	bySize // no width or height, and what overflows is cut off
	byClip
	byPlace // beyond the edge of the page
	byColor // letters that are transparent, or of the colour behind them
	byFont  // letters without size
	byScale // a transformation to nothing
)

const (
	farOff     = 900  // distance in pixels from which an element counts as moved out of sight
	faint      = 0.05 // opacity up to which nobody sees a text
	tinyLetter = 1    // font size in pixels up to which nobody reads a text
)

// style is what a list of declarations says about whether an element is seen.
type style struct {
	hides  hiding // what takes it out of sight,
	shows  hiding // and what says that it is in sight
	color  paint  // of its letters
	ground paint  // behind them
}

// declares reads a list of CSS declarations. fades says that animations of the page's own change the opacity of
// elements.
func declares(list string, fades bool) (s style) {
	list = strings.ToLower(list)
	if !strings.Contains(list, ":") {
		return s
	}
	set := func(way hiding, hides bool) {
		if hides {
			s.hides, s.shows = s.hides|way, s.shows&^way
		} else {
			s.hides, s.shows = s.hides&^way, s.shows|way
		}
	}
	var positioned, left, right, near, tiny, cut, indented, cutOut, animated bool
	for declaration := range strings.SplitSeq(list, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		switch name = strings.TrimSpace(name); name {
		case "display":
			set(byDisplay, value == "none")
		case "content-visibility":
			set(byDisplay, value == "hidden")
		case "visibility":
			set(byVisibility, value == "hidden" || value == "collapse")
		case "opacity":
			if x, ok := fraction(value); ok {
				set(byOpacity, x <= faint)
			}
		case "filter":
			if x, ok := fraction(argument(value, "opacity(")); ok && x <= faint {
				set(byOpacity, true)
			}
		case "animation", "animation-name":
			animated = value != "none"
		case "color":
			s.color = parsePaint(value)
		case "-webkit-text-fill-color":
			s.color = parsePaint(value)
		case "background", "background-color":
			s.ground = parsePaint(value)
		case "background-clip", "-webkit-background-clip":
			cutOut = value == "text" // letters cut out of a picture are seen
		case "font-size", "font":
			if x, relative, ok := fontSize(value); ok && (x <= tinyLetter || !relative) {
				set(byFont, x <= tinyLetter)
			}
		case "position":
			positioned = value != "static"
		case "left", "top", "right", "bottom", "inset", "margin-left", "margin-top", "text-indent":
			x, ok := pixels(firstWord(value))
			left = left || ok && x <= -farOff
			right = right || ok && x >= 5*farOff
			near = near || ok && x > -farOff && x < 5*farOff
			indented = indented || name == "text-indent" && value == "100%"
		case "overflow", "overflow-x", "overflow-y":
			cut = cut || strings.HasPrefix(value, "hidden") || strings.HasPrefix(value, "clip")
		case "width", "height", "max-width", "max-height":
			if x, ok := pixels(value); ok && x >= 0 && x <= 1 {
				tiny = true
			} else if value != "" {
				s.shows |= bySize
			}
		case "clip", "clip-path":
			set(byClip, isEmptyClip(value))
		case "transform", "scale", "rotate", "translate":
			scale, moved := transformation(name, value)
			set(byScale, scale)
			left = left || moved
		}
	}
	switch {
	case left || right && positioned || indented && cut:
		set(byPlace, true)
	case near:
		s.shows |= byPlace
	}
	if tiny && cut {
		set(bySize, true)
	}
	if animated && fades {
		s.hides &^= byOpacity
	}
	if cutOut {
		s.color = paint{}
	}
	switch {
	case s.color.isClear() || s.color.isLike(s.ground):
		s.hides |= byColor
	case s.color.said():
		s.shows |= byColor
	}
	return s
}

// pixels reads a length. Units are near enough to pixels for its uses: 100vw count as 1,000 pixels.
func pixels(s string) (float64, bool) {
	x, unit, ok := number(s)
	if !ok {
		return 0, false
	}
	switch unit {
	case "", "px", "pt":
		return x, true
	case "em", "rem", "ch", "ex":
		return 16 * x, true
	case "vw", "vh", "vmin", "vmax":
		return 10 * x, true
	case "in", "cm", "mm", "pc":
		return 4 * x, true // at least
	case "%":
		return 0, x == 0
	}
	return 0, false
}

// number splits a value in its number and its unit.
func number(s string) (x float64, unit string, ok bool) {
	i := 0
	for i < len(s) && (s[i] == '-' || s[i] == '+' || s[i] == '.' || '0' <= s[i] && s[i] <= '9') {
		i++
	}
	x, err := strconv.ParseFloat(s[:i], 64)
	return x, s[i:], err == nil
}

// fraction reads a number or a percentage.
func fraction(s string) (float64, bool) {
	x, unit, ok := number(s)
	if unit == "%" {
		x /= 100
	}
	return x, ok && (unit == "" || unit == "%")
}

// fontSize reads the size in a value of font or font-size. A relative size is that of ordinary letters times some
// factor, unless the letters around it have another size.
func fontSize(value string) (size float64, relative, ok bool) {
	for word := range strings.FieldsSeq(value) {
		word, _, _ = strings.Cut(word, "/")
		x, unit, ok := number(word)
		switch {
		case !ok || unit == "" && x >= 100: // a weight
		case unit == "%":
			return 16 * x / 100, true, true
		default:
			size, ok = pixels(word)
			return size, unit == "em" || unit == "ex" || unit == "ch", ok
		}
	}
	return 0, false, false
}

// argument returns what follows the opening of a function in a value, up to its first comma, space or parenthesis.
func argument(value, opening string) string {
	_, rest, found := strings.Cut(value, opening)
	if !found {
		return ""
	}
	rest = strings.TrimSpace(rest)
	if end := strings.IndexAny(rest, ",) "); end >= 0 {
		rest = rest[:end]
	}
	return rest
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// transformation reports whether a value of transform, scale, rotate or translate makes an element nothing, or moves
// it out of sight.
func transformation(name, value string) (toNothing, away bool) {
	if name != "transform" {
		value = name + "(" + value + ")"
	}
	value = strings.ReplaceAll(value, " ", "")
	for _, opening := range []string{"scale(", "scale3d(", "scalex(", "scaley(", "matrix(", "matrix3d("} {
		if x, ok := fraction(argument(value, opening)); ok && x >= -0.01 && x <= 0.01 {
			toNothing = true
		}
	}
	for _, opening := range []string{"rotatex(", "rotatey("} {
		if arg := argument(value, opening); arg == "90deg" || arg == "270deg" || arg == "-90deg" {
			toNothing = true
		}
	}
	for _, opening := range []string{"translate(", "translatex(", "translatey(", "translate3d("} {
		if _, rest, found := strings.Cut(value, opening); found {
			list, _, _ := strings.Cut(rest, ")")
			for arg := range strings.SplitSeq(list, ",") {
				x, ok := pixels(arg)
				away = away || ok && (x <= -farOff || x >= 5*farOff)
			}
		}
	}
	return toNothing, away
}

// isEmptyClip reports a value of clip or clip-path that leaves nothing.
func isEmptyClip(value string) bool {
	shape, rest, found := strings.Cut(value, "(")
	if !found {
		return false
	}
	list, _, _ := strings.Cut(rest, ")")
	var at []float64
	for word := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		x, unit, ok := number(word)
		if !ok {
			break
		}
		if unit == "%" && shape == "inset" && x >= 50 {
			return true
		}
		at = append(at, x)
	}
	switch shape {
	case "rect": // top, right, bottom, left
		return len(at) == 4 && (at[2]-at[0] <= 1 || at[1]-at[3] <= 1)
	case "circle", "ellipse":
		return len(at) > 0 && at[0] == 0
	case "polygon":
		for _, x := range at {
			if x != 0 {
				return false
			}
		}
		return len(at) > 1
	}
	return false
}
