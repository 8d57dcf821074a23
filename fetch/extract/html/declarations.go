package html

import "strings"

// hiding is a set of ways in which CSS takes an element out of sight.
type hiding uint16

const (
	byDisplay hiding = 1 << iota // display, content-visibility
	byVisibility
	byOpacity // opacity, filters, masks
	bySize    // no width or height, and what overflows is cut off
	byClip
	byPlace // beyond the edge of the page
	byColor // letters that are transparent, or of the colour behind them
	byFont  // letters without size or shape
	byScale // a transformation or a zoom to nothing
)

const (
	farOff     = 900  // distance in pixels from which an element counts as moved out of sight
	farBelow   = 1900 // the same for one that stays where it is in the window
	faint      = 0.05 // opacity up to which nobody sees a text
	tinyLetter = 1    // font size in pixels up to which nobody reads a text
	tinyZoom   = 0.06 // zoom that makes ordinary letters such
	farBlur    = 15   // pixels of blur
)

// property is a property, or several that are read as one.
type property uint8

const (
	propNone property = iota
	propDisplay
	propContentVisibility
	propVisibility
	propOpacity
	propFilter
	propMask
	propAnimation
	propColor
	propFill
	propGround
	propGroundClip
	propFontSize
	propGlyphs // text-security, font-size-adjust
	propShadow
	propDecoration
	propZoom
	propPosition
	propLeft
	propTop
	propRight
	propBottom
	propMarginLeft
	propMarginTop
	propIndent
	propOverflow
	propWidth
	propHeight
	propMaxWidth
	propMaxHeight
	propMinWidth
	propMinHeight
	propPadding
	propContain
	propLineHeight
	propClip
	propClipPath
	propTransform
	propScale
	propRotate
	propTranslate
	propCustom // --name
	numProps
)

var properties = map[string]property{
	"display": propDisplay, "content-visibility": propContentVisibility, "visibility": propVisibility, "opacity": propOpacity,
	"filter": propFilter, "-webkit-filter": propFilter, "mask": propMask, "mask-image": propMask, "-webkit-mask": propMask, "-webkit-mask-image": propMask,
	"animation": propAnimation, "animation-name": propAnimation, "color": propColor, "-webkit-text-fill-color": propFill,
	"background": propGround, "background-color": propGround, "background-image": propGround, "background-clip": propGroundClip, "-webkit-background-clip": propGroundClip,
	"font": propFontSize, "font-size": propFontSize, "-webkit-text-security": propGlyphs, "font-size-adjust": propGlyphs,
	"text-decoration": propDecoration, "text-decoration-line": propDecoration, "-webkit-text-decoration": propDecoration, "-webkit-text-decoration-line": propDecoration, "text-shadow": propShadow, "-webkit-text-stroke": propShadow, "zoom": propZoom, "position": propPosition,
	"left": propLeft, "top": propTop, "right": propRight, "bottom": propBottom, "inset": propLeft,
	"inset-inline-start": propLeft, "inset-block-start": propTop, "inset-inline-end": propRight, "inset-block-end": propBottom, "inset-inline": propLeft, "inset-block": propTop,
	"margin": propMarginLeft, "margin-left": propMarginLeft, "margin-top": propMarginTop, "margin-inline-start": propMarginLeft, "margin-block-start": propMarginTop, "margin-inline": propMarginLeft, "margin-block": propMarginTop,
	"text-indent": propIndent, "overflow": propOverflow, "overflow-x": propOverflow, "overflow-y": propOverflow, "overflow-inline": propOverflow, "overflow-block": propOverflow,
	"width": propWidth, "height": propHeight, "max-width": propMaxWidth, "max-height": propMaxHeight, "min-width": propMinWidth, "min-height": propMinHeight,
	"inline-size": propWidth, "block-size": propHeight, "max-inline-size": propMaxWidth, "max-block-size": propMaxHeight, "min-inline-size": propMinWidth, "min-block-size": propMinHeight,
	"padding": propPadding, "padding-top": propPadding, "padding-bottom": propPadding, "padding-block": propPadding, "padding-block-start": propPadding, "padding-block-end": propPadding,
	"contain": propContain, "line-height": propLineHeight, "clip": propClip, "clip-path": propClipPath, "-webkit-clip-path": propClipPath,
	"transform": propTransform, "-webkit-transform": propTransform, "scale": propScale, "rotate": propRotate, "translate": propTranslate,
}

// setting is a declaration as far as it is about being seen. What x and on mean depends on the property; text is kept
// where variables must be filled in first.
type setting struct {
	prop      property
	important bool
	on        bool
	x         float64
	paint     paint
	name      string // of the property, for custom ones and for those with variables
	text      string
}

// declares reads a list of declarations in normal form, with those of them that hold.
func declares(list string, quirks bool) (all []setting) {
	for declaration := range strings.SplitSeq(list, ";") {
		name, value, found := strings.Cut(declaration, ":")
		if !found {
			continue
		}
		name = strings.Trim(name, " \t\r\n\f\x01")
		custom := strings.HasPrefix(name, "--")
		if !custom {
			name = strings.ToLower(name)
		}
		p, known := properties[name]
		if !known && !custom {
			continue
		}
		if strings.IndexByte(value, commentMark) >= 0 {
			value = strings.ReplaceAll(value, string(commentMark), " ")
		}
		value = strings.TrimSpace(value)
		important := false
		if at := strings.LastIndexByte(value, '!'); at >= 0 {
			if !strings.EqualFold(strings.TrimSpace(value[at+1:]), "important") {
				continue
			}
			important, value = true, strings.TrimSpace(value[:at])
		}
		switch {
		case custom:
			if len(value) <= maxVariable {
				all = append(all, setting{prop: propCustom, name: name, text: value, important: important})
			}
			continue
		case value == "":
			continue
		}
		value = strings.ToLower(value)
		if strings.Contains(value, "var(") {
			if len(value) <= maxVariable {
				all = append(all, setting{prop: p, name: name, text: value, important: important})
			}
			continue
		}
		all = appendSettings(all, p, name, value, important, quirks)
	}
	return all
}

// appendSettings appends what a value says, unless it is invalid.
func appendSettings(all []setting, p property, name, value string, important, quirks bool) []setting {
	add := func(s setting) {
		s.important = important
		all = append(all, s)
	}
	switch value {
	case "inherit", "initial", "unset", "revert", "revert-layer":
		add(setting{prop: p, x: unset})
		if name == "inset" || name == "margin" {
			add(setting{prop: p + 1, x: unset})
		}
		return all
	}
	switch name {
	case "inset", "margin", "inset-inline", "margin-inline":
		sides := strings.Fields(value)
		for i, side := range sides {
			x, ok := length(side, quirks)
			if side != "auto" && !ok || len(sides) > 4 {
				return all
			}
			if side == "auto" {
				x = 0
			}
			switch {
			case i == 0 && strings.HasSuffix(name, "inline"):
				add(setting{prop: p, x: x})
			case i == 0: // top, and all that are not given
				add(setting{prop: p + 1, x: x})
				add(setting{prop: p, x: x})
			case i == 1 && len(sides) < 4 && !strings.HasSuffix(name, "inline"):
				add(setting{prop: p, x: x})
			case i == 3:
				add(setting{prop: p, x: x})
			}
		}
		return all
	}
	if s, ok := parseSetting(p, name, value, quirks); ok {
		s.prop = p
		add(s)
	}
	return all
}

// unset is the x of a property that goes back to its default.
const unset = -1e9

// displays are the words of display that browsers know.
var displays = wordSet("block inline inline-block flex inline-flex grid inline-grid flow-root contents list-item table inline-table table-row table-cell table-caption table-column table-column-group table-row-group table-header-group table-footer-group ruby ruby-text ruby-base math flow run-in -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// parseSetting reads one value; false if browsers ignore it.
func parseSetting(p property, name, value string, quirks bool) (s setting, ok bool) {
	switch p {
	case propDisplay:
		if value == "none" {
			return setting{on: true}, true
		}
		for word := range strings.FieldsSeq(value) {
			if !displays[word] {
				return s, false
			}
		}
		return s, true
	case propContentVisibility:
		return setting{on: value == "hidden"}, value == "hidden" || value == "visible" || value == "auto"
	case propVisibility:
		return setting{on: value != "visible"}, value == "visible" || value == "hidden" || value == "collapse"
	case propOpacity:
		s.x, ok = fraction(value)
		return s, ok
	case propZoom:
		if value == "normal" || value == "reset" {
			return setting{x: 1}, true
		}
		s.x, ok = fraction(value)
		return s, ok && s.x >= 0
	case propFilter:
		return parseFilter(value)
	case propMask:
		return setting{on: isClearMask(value)}, true
	case propAnimation:
		return setting{on: value != "none"}, true
	case propColor, propFill:
		s.paint = parsePaint(value)
		return s, s.paint.said() || value == "currentcolor"
	case propGround:
		s.paint = parseGround(value)
		return s, s.paint.said() || value == "none"
	case propGroundClip:
		return setting{on: value == "text"}, true // letters cut out of a picture are seen
	case propFontSize:
		return parseFontSize(name, value, quirks)
	case propGlyphs:
		return setting{on: name == "font-size-adjust" && value == "0" || name != "font-size-adjust" && value != "none"}, true
	case propShadow:
		return setting{on: value != "none"}, true
	case propDecoration:
		return setting{on: strings.Contains(value, "line-through")}, true
	case propPosition:
		for i, word := range []string{"static", "relative", "sticky", "-webkit-sticky", "absolute", "fixed"} {
			if word == value {
				return setting{x: float64(i)}, true
			}
		}
		return s, false
	case propLeft, propTop, propRight, propBottom, propMarginLeft, propMarginTop:
		if value == "auto" {
			return s, true
		}
		s.x, ok = length(cssWords(value)[0], quirks)
		return s, ok
	case propIndent:
		q, ok := parseQuantity(cssWords(value)[0])
		if q.unit == "%" {
			q.x *= 10 // of 1,000 pixels
		}
		return setting{x: q.x, on: q.x >= farOff}, ok && (q.unit != "" || q.x == 0 || quirks)
	case propOverflow:
		word := strings.Fields(value)[0]
		switch word {
		case "hidden", "clip", "auto", "scroll", "overlay":
			return setting{on: true, x: flagOf(word == "hidden" || word == "clip")}, true
		}
		return s, word == "visible"
	case propWidth, propHeight, propMaxWidth, propMaxHeight, propMinWidth, propMinHeight:
		return parseSize(value, quirks)
	case propPadding:
		for _, word := range cssWords(value) {
			q, ok := parseQuantity(word)
			if !ok {
				return s, false
			}
			s.on = s.on || q.x > 0
		}
		return s, true
	case propContain:
		return setting{on: strings.Contains(value, "strict") || strings.Contains(value, "size") && !strings.Contains(value, "inline-size"), x: flagOf(strings.Contains(value, "strict") || strings.Contains(value, "paint"))}, true
	case propLineHeight:
		if value == "normal" {
			return setting{x: 1}, true
		}
		q, ok := parseQuantity(value)
		return setting{x: q.x}, ok && q.x >= 0
	case propClip, propClipPath:
		return parseClip(value)
	case propTransform, propScale, propRotate, propTranslate:
		return parseTransform(p, value)
	}
	return s, false
}

func flagOf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// parseSize reads a width or a height; on says that it is one of at most a pixel.
func parseSize(value string, quirks bool) (s setting, ok bool) {
	switch value {
	case "auto", "none", "min-content", "max-content", "fit-content", "-webkit-fill-available", "stretch", "-webkit-min-content", "-webkit-max-content", "-webkit-fit-content":
		return s, true
	}
	if strings.HasPrefix(value, "fit-content(") {
		return s, true
	}
	q, ok := parseQuantity(value)
	return setting{on: q.x <= 1 && q.unit != "%" || q.x == 0, x: q.x}, ok && q.x >= 0 && (q.unit != "" || q.x == 0 || quirks)
}

// parseFontSize reads the size in a value of font or font-size; x is in pixels, and on says that it is relative.
func parseFontSize(name, value string, quirks bool) (s setting, ok bool) {
	words := cssWords(value)
	if name == "font-size" && len(words) != 1 {
		return s, false
	}
	for i, word := range words {
		size, _, _ := strings.Cut(word, "/")
		switch size {
		case "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large":
			return setting{x: emPixels}, true
		case "smaller", "larger":
			return setting{x: emPixels, on: true}, true
		case "caption", "icon", "menu", "message-box", "small-caption", "status-bar":
			return setting{x: emPixels}, name == "font" && len(words) == 1
		}
		q, isSize := parseQuantity(size)
		if !isSize || name == "font" && q.unit == "" && q.x != 0 { // a weight
			if name == "font" {
				continue
			}
			return s, false
		}
		if name == "font" && i == len(words)-1 && !strings.Contains(word, "/") && len(words) == 1 {
			return s, false // a font needs a family
		}
		switch q.unit {
		case "%":
			q.x, s.on = q.x*emPixels/100, true
		case "em":
			s.on = true
		case "":
			if q.x != 0 && !quirks {
				return s, false
			}
		}
		s.x = q.x
		return s, q.x >= 0
	}
	return s, false
}

// parseFilter reads a list of filters; on says that they leave nothing to read.
func parseFilter(value string) (s setting, ok bool) {
	if value == "none" {
		return s, true
	}
	for _, word := range cssWords(value) {
		name, args, ok := function(word)
		if !ok {
			return s, false
		}
		q, isNumber := parseQuantity(args)
		if q.unit == "%" {
			q.x /= 100
		}
		s.on = s.on || isNumber && (name == "opacity" && q.x <= faint || name == "contrast" && q.x <= faint || name == "blur" && q.x >= farBlur)
	}
	return s, true
}

// isClearMask reports a mask whose gradients have no colour.
func isClearMask(value string) bool {
	clear := false
	for _, layer := range splitOutside(value, ',') {
		for _, word := range cssWords(layer) {
			name, args, ok := function(word)
			if !ok || !strings.HasSuffix(name, "gradient") {
				continue
			}
			for _, arg := range splitOutside(args, ',') {
				words := cssWords(arg)
				if len(words) == 0 {
					continue
				}
				switch p := parsePaint(words[0]); {
				case p.isClear():
					clear = true
				case p.known, p.other && strings.Contains(words[0], "("):
					return false
				}
			}
		}
	}
	return clear
}

// parseClip reads clip or clip-path; on says that it leaves nothing.
func parseClip(value string) (s setting, ok bool) {
	if value == "auto" || value == "none" || strings.HasPrefix(value, "url(") || strings.HasSuffix(value, "-box") {
		return s, true
	}
	shape, args, ok := function(cssWords(value)[0])
	if !ok {
		return s, false
	}
	var at []quantity
	for _, arg := range splitOutside(args, ',') {
		for _, word := range cssWords(arg) {
			if word == "at" || word == "round" {
				break
			}
			q, ok := parseQuantity(word)
			if !ok && word != "auto" && word != "evenodd" && word != "nonzero" && !strings.HasPrefix(word, "'") && !strings.HasPrefix(word, `"`) && !strings.Contains(word, "-side") {
				return s, false
			}
			if word == "auto" {
				q = quantity{unit: "auto"}
			}
			if ok || word == "auto" {
				at = append(at, q)
			}
		}
	}
	least := func(a, b int) bool { // two edges that meet
		return at[a].unit != "auto" && at[b].unit != "auto" && at[b].x-at[a].x <= 1
	}
	switch shape {
	case "rect": // top, right, bottom, left
		s.on = len(at) == 4 && (least(0, 2) || least(3, 1))
	case "inset":
		top, right, bottom, left := side(at, 0), side(at, 1), side(at, 2), side(at, 3)
		s.on = top+bottom >= 100 || left+right >= 100
	case "circle", "ellipse":
		s.on = len(at) > 0 && at[0].x == 0 || shape == "ellipse" && len(at) > 1 && at[1].x == 0
	case "xywh":
		s.on = len(at) >= 4 && (at[2].x <= 0 || at[3].x <= 0)
	case "polygon":
		s.on = len(at) > 1 && area(at) < 1e-6
	case "path", "shape":
	default:
		return s, false
	}
	return s, true
}

// side is a side of inset() in per cent; 0 where it is a length, whose base is not known, unless it is far off.
func side(at []quantity, i int) float64 {
	if len(at) == 0 || len(at) > 4 {
		return 0
	}
	for i >= len(at) {
		i = max(i-2, 0)
		if i == 0 {
			break
		}
	}
	if q := at[min(i, len(at)-1)]; q.unit == "%" || q.x >= farBelow {
		return q.x
	}
	return 0
}

// area is twice the area of a polygon, for units alike.
func area(at []quantity) float64 {
	sum := 0.0
	n := len(at) / 2
	for i := range n {
		j := (i + 1) % n
		sum += at[2*i].x*at[2*j+1].x - at[2*j].x*at[2*i+1].x
	}
	return max(sum, -sum)
}

// parseTransform reads transform, scale, rotate or translate; on says that it makes an element nothing, and x, if not
// zero, that it moves it out of sight.
func parseTransform(p property, value string) (s setting, ok bool) {
	if value == "none" {
		return s, true
	}
	words := cssWords(value)
	if p != propTransform {
		name := map[property]string{propScale: "scale", propRotate: "rotate", propTranslate: "translate"}[p]
		if p == propRotate && len(words) == 2 {
			name += words[0]
			words = words[1:]
		}
		words = []string{name + "(" + strings.Join(words, ",") + ")"}
	}
	for _, word := range words {
		name, args, ok := function(word)
		if !ok {
			return s, false
		}
		var at []quantity
		for _, arg := range splitOutside(args, ',') {
			q, ok := parseQuantity(arg)
			if !ok {
				return s, false
			}
			at = append(at, q)
		}
		none := func(x float64) bool { return x >= -0.01 && x <= 0.01 }
		percent := func(q quantity) float64 {
			if q.unit == "%" {
				return q.x / 100
			}
			return q.x
		}
		switch name {
		case "scale", "scale3d", "scalex", "scaley":
			for i, q := range at {
				s.on = s.on || i < 2 && none(percent(q))
			}
		case "matrix":
			s.on = s.on || len(at) == 6 && none(at[0].x*at[3].x-at[1].x*at[2].x)
			s.x += flagOf(len(at) == 6 && (isFar(at[4].x) || isFar(at[5].x)))
		case "matrix3d":
			s.on = s.on || len(at) == 16 && none(at[0].x*at[5].x-at[1].x*at[4].x)
		case "rotatex", "rotatey":
			s.on = s.on || at[0].x == 90 || at[0].x == 270 || at[0].x == -90
		case "translate", "translatex", "translatey", "translate3d":
			for i, q := range at {
				s.x += flagOf(i < 2 && q.unit != "%" && isFar(q.x))
			}
		}
	}
	return s, true
}

// isFar reports a distance that is out of sight to the left or above, or so far to the right or below that nobody goes
// there.
func isFar(x float64) bool { return x <= -farOff || x >= 5*farOff }
