package css

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/datafile"
)

const (
	farOff     = 900  // distance in pixels from which an element counts as moved out of sight
	farBelow   = 1900 // the same for one that stays where it is in the window
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
	propGlyphs
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

// declaration is a name and a value as a sheet has them, in lower case.
type declaration struct {
	name, value string
	quirks      bool // the page has no document type
}

// setting is a declaration as far as it is about being seen. What x and on mean depends on the property; text is kept
// where variables must be filled in first.
type setting struct {
	prop      property
	important bool
	on        bool
	x         float64
	color     Color
	name      string // of the property, for custom ones and for those with variables
	text      string
}

// unset is the x of a property that goes back to its default.
const unset = -1e9

// readers have the names of each property, and what reads its value: false if browsers ignore it.
var readers = [numProps]struct {
	names string
	read  func(d declaration) (setting, bool)
}{
	propDisplay:           {"display", readDisplay},
	propContentVisibility: {"content-visibility", words("hidden", "visible auto")},
	propVisibility:        {"visibility", words("hidden collapse", "visible")},
	propOpacity:           {"opacity", readFraction},
	propFilter:            {"filter -webkit-filter", readFilter},
	propMask:              {"mask mask-image -webkit-mask -webkit-mask-image", readMask},
	propAnimation:         {"animation animation-name", unlessNone},
	propColor:             {"color", readLetters},
	propFill:              {"-webkit-text-fill-color", readLetters},
	propGround:            {"background background-color background-image", readBackground},
	propGroundClip:        {"background-clip -webkit-background-clip", containing("text")}, // letters cut out of a picture are seen
	propFontSize:          {"font font-size", readFontSize},
	propGlyphs:            {"-webkit-text-security font-size-adjust", readGlyphs},
	propShadow:            {"text-shadow -webkit-text-stroke", unlessNone},
	propDecoration:        {"text-decoration text-decoration-line -webkit-text-decoration -webkit-text-decoration-line", containing("line-through")},
	propZoom:              {"zoom", readZoom},
	propPosition:          {"position", readPosition},
	propLeft:              {"left inset-inline-start", readPlace},
	propTop:               {"top inset-block-start", readPlace},
	propRight:             {"right inset-inline-end", readPlace},
	propBottom:            {"bottom inset-block-end", readPlace},
	propMarginLeft:        {"margin-left margin-inline-start", readPlace},
	propMarginTop:         {"margin-top margin-block-start", readPlace},
	propIndent:            {"text-indent", readIndent},
	propOverflow:          {"overflow overflow-x overflow-y overflow-inline overflow-block", readOverflow},
	propWidth:             {"width inline-size", readSize},
	propHeight:            {"height block-size", readSize},
	propMaxWidth:          {"max-width max-inline-size", readSize},
	propMaxHeight:         {"max-height max-block-size", readSize},
	propMinWidth:          {"min-width min-inline-size", readSize},
	propMinHeight:         {"min-height min-block-size", readSize},
	propPadding:           {"padding padding-top padding-bottom padding-block padding-block-start padding-block-end", readPadding},
	propContain:           {"contain", readContain},
	propLineHeight:        {"line-height", readLineHeight},
	propClip:              {"clip", readClip},
	propClipPath:          {"clip-path -webkit-clip-path", readClip},
	propTransform:         {"transform -webkit-transform", readTransform},
	propScale:             {"scale", readTransform},
	propRotate:            {"rotate", readTransform},
	propTranslate:         {"translate", readTransform},
}

// shorthands have a word for each side, as sideOf finds them.
var shorthands = map[string][]property{
	"inset": {propTop, propRight, propBottom, propLeft}, "inset-inline": {propLeft, propRight}, "inset-block": {propTop, propBottom},
	"margin": {propMarginTop, propNone, propNone, propMarginLeft}, "margin-inline": {propMarginLeft}, "margin-block": {propMarginTop},
}

// properties are the properties by name.
var properties = func() map[string]property {
	all := map[string]property{}
	for p := range readers {
		for name := range strings.FieldsSeq(readers[p].names) {
			all[name] = property(p)
		}
	}
	return all
}()

// sideOf is the word for a side, the top first, clockwise: that of the opposite side, or the first, where one is missing.
func sideOf[T any](list []T, side int) T {
	for side >= len(list) {
		side = max(side-2, 0)
	}
	return list[side]
}

// declares reads a list of declarations in normal form, with those of them that hold.
func declares(list string, quirks bool) (all []setting) {
	for one := range strings.SplitSeq(list, ";") {
		name, value, _ := strings.Cut(one, ":")
		name = strings.Trim(name, spaces+string(commentMark))
		custom := strings.HasPrefix(name, "--")
		if !custom {
			name = strings.ToLower(name)
		}
		if properties[name] == propNone && shorthands[name] == nil && !custom {
			continue
		}
		value = strings.TrimSpace(strings.ReplaceAll(value, string(commentMark), " "))
		important := false
		if at := strings.LastIndexByte(value, '!'); at >= 0 {
			if important = strings.EqualFold(strings.TrimSpace(value[at+1:]), "important"); !important {
				continue
			}
			value = strings.TrimSpace(value[:at])
		}
		p := propCustom
		if !custom {
			p, value = properties[name], strings.ToLower(value)
		}
		switch {
		case value == "" && !custom:
		case !custom && !strings.Contains(value, "var("):
			all = settingsOf(all, name, value, important, quirks)
		case len(value) <= maxVariable:
			all = append(all, setting{prop: p, name: name, text: value, important: important})
		}
	}
	return all
}

// settingsOf appends what a value says, unless it is invalid.
func settingsOf(all []setting, name, value string, important, quirks bool) []setting {
	list, parts := shorthands[name], []string{value}
	if list == nil {
		list = []property{properties[name]}
	} else if parts = strings.Fields(value); len(parts) > 4 {
		return all
	}
	var own []setting
	for i, p := range list {
		if p == propNone {
			continue
		}
		s, ok := setting{}, true
		switch part := sideOf(parts, i); part {
		case "inherit", "initial", "unset", "revert", "revert-layer":
			s.x = unset
		default:
			s, ok = readers[p].read(declaration{name, part, quirks})
		}
		if !ok {
			return all
		}
		s.prop, s.important = p, important
		own = append(own, s)
	}
	return append(all, own...)
}

// words reads one of two lists of words; on says that it is one of the first.
func words(on, off string) func(declaration) (setting, bool) {
	ons, offs := datafile.Words(on), datafile.Words(off)
	return func(d declaration) (setting, bool) {
		return setting{on: ons[d.value]}, ons[d.value] || offs[d.value]
	}
}

func unlessNone(d declaration) (setting, bool) { return setting{on: d.value != "none"}, true }

func containing(word string) func(declaration) (setting, bool) {
	return func(d declaration) (setting, bool) { return setting{on: strings.Contains(d.value, word)}, true }
}

// displays are the words of display that browsers know.
var displays = datafile.Words(`block inline inline-block flex inline-flex grid inline-grid flow-root contents list-item table inline-table
	table-row table-cell table-caption table-column table-column-group table-row-group table-header-group table-footer-group
	ruby ruby-text ruby-base math flow run-in -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex`)

func readDisplay(d declaration) (setting, bool) {
	if d.value == "none" {
		return setting{on: true}, true
	}
	for word := range strings.FieldsSeq(d.value) {
		if !displays[word] {
			return setting{}, false
		}
	}
	return setting{}, true
}

func readFraction(d declaration) (setting, bool) {
	x, ok := fraction(d.value)
	return setting{x: x}, ok
}

func readZoom(d declaration) (setting, bool) {
	if d.value == "normal" || d.value == "reset" {
		return setting{x: 1}, true
	}
	x, ok := fraction(d.value)
	return setting{x: x}, ok && x >= 0
}

func readLetters(d declaration) (setting, bool) {
	c := readColor(d.value)
	return setting{color: c}, c.Said() || d.value == "currentcolor"
}

func readBackground(d declaration) (setting, bool) {
	c := readGround(d.value)
	return setting{color: c}, c.Said() || d.value == "none"
}

func readGlyphs(d declaration) (setting, bool) {
	if d.name == "font-size-adjust" {
		return setting{on: d.value == "0"}, true
	}
	return unlessNone(d)
}

func readPosition(d declaration) (setting, bool) {
	i := slices.Index([]string{"static", "relative", "sticky", "-webkit-sticky", "absolute", "fixed"}, d.value)
	return setting{x: float64(i)}, i >= 0
}

func readPlace(d declaration) (setting, bool) {
	if d.value == "auto" {
		return setting{}, true
	}
	x, ok := length(valueWords(d.value)[0], d.quirks)
	return setting{x: x}, ok
}

func readIndent(d declaration) (setting, bool) {
	q, ok := readQuantity(valueWords(d.value)[0])
	if q.unit == "%" {
		q.x *= windowPixels / 100
	}
	return setting{x: q.x, on: q.x >= farOff}, ok && (q.unit != "" || q.x == 0 || d.quirks)
}

// readOverflow reads what happens to what overflows; x says that it is cut off.
func readOverflow(d declaration) (setting, bool) {
	switch word := strings.Fields(d.value)[0]; word {
	case "hidden", "clip", "auto", "scroll", "overlay":
		return setting{on: true, x: flag(word == "hidden" || word == "clip")}, true
	default:
		return setting{}, word == "visible"
	}
}

func readPadding(d declaration) (s setting, ok bool) {
	for _, word := range valueWords(d.value) {
		q, ok := readQuantity(word)
		if !ok {
			return s, false
		}
		s.on = s.on || q.x > 0
	}
	return s, true
}

// readContain reads containment; on says that the size does not depend on the content, x that the content is cut off.
func readContain(d declaration) (setting, bool) {
	has := func(word string) bool { return strings.Contains(d.value, word) }
	return setting{on: has("strict") || has("size") && !has("inline-size"), x: flag(has("strict") || has("paint"))}, true
}

func readLineHeight(d declaration) (setting, bool) {
	if d.value == "normal" {
		return setting{x: 1}, true
	}
	q, ok := readQuantity(d.value)
	return setting{x: q.x}, ok && q.x >= 0
}

var sizeWords = datafile.Words(`auto none min-content max-content fit-content stretch -webkit-fill-available
	-webkit-min-content -webkit-max-content -webkit-fit-content`)

// readSize reads a width or a height; on says that it is one of at most a pixel.
func readSize(d declaration) (setting, bool) {
	if sizeWords[d.value] || strings.HasPrefix(d.value, "fit-content(") {
		return setting{}, true
	}
	q, ok := readQuantity(d.value)
	return setting{on: q.x <= 1 && q.unit != "%" || q.x == 0, x: q.x}, ok && q.x >= 0 && (q.unit != "" || q.x == 0 || d.quirks)
}

var (
	fontSizes   = datafile.Words("xx-small x-small small medium large x-large xx-large xxx-large")
	systemFonts = datafile.Words("caption icon menu message-box small-caption status-bar")
)

// readFontSize reads the size in a value of font or font-size; x is in pixels, and on says that it is relative.
func readFontSize(d declaration) (setting, bool) {
	parts := valueWords(d.value)
	if d.name == "font-size" && len(parts) != 1 {
		return setting{}, false
	}
	for _, word := range parts {
		size, _, lined := strings.Cut(word, "/")
		switch {
		case fontSizes[size] || size == "smaller" || size == "larger":
			return setting{x: emPixels, on: !fontSizes[size]}, true
		case systemFonts[size]:
			return setting{x: emPixels}, d.name == "font" && len(parts) == 1
		}
		q, ok := readQuantity(size)
		if d.name == "font" && (!ok || q.unit == "" && q.x != 0) {
			continue // a style or a weight
		}
		if !ok || d.name == "font" && len(parts) == 1 && !lined { // a font needs a family
			return setting{}, false
		}
		if q.unit == "%" {
			q.x *= emPixels / 100.
		}
		return setting{x: q.x, on: q.unit == "%" || q.unit == "em"}, q.x >= 0 && (q.unit != "" || q.x == 0 || d.quirks)
	}
	return setting{}, false
}
