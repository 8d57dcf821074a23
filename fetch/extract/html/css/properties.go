package css

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const (
	farOff     = 900  // distance in pixels from which an element counts as moved out of sight
	farBelow   = 1900 // the same for one that stays where it is in the window
	tinyLetter = 1    // font size in pixels up to which nobody reads a text
	tinyZoom   = 0.06 // zoom that makes ordinary letters such
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
	propAnimation
	propColor
	propFill
	propGround
	propGroundClip
	propFontSize
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
	propClip
	propClipPath
	propTransform
	propScale
	propTranslate
	propCustom // --name
	numProps
)

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

// readers have the names of each property, and what reads its value in lower case: false if browsers ignore it.
var readers = [numProps]struct {
	names string
	read  func(value string, quirks bool) (setting, bool)
}{
	propDisplay:           {"display", matching(`^none$`, displays)},
	propContentVisibility: {"content-visibility", matching(`^hidden$`, `^visible$|^auto$`)},
	propVisibility:        {"visibility", matching(`^hidden$|^collapse$`, `^visible$`)},
	propOpacity:           {"opacity", readFraction},
	propFilter:            {"filter -webkit-filter", matching(`(?:opacity|contrast)\(\s*`+nothing+`|blur\(\d\d`, ``)},
	propAnimation:         {"animation animation-name", unlessNone},
	propColor:             {"color", readLetters},
	propFill:              {"-webkit-text-fill-color", readLetters},
	propGround:            {"background background-color background-image", readBackground},
	propGroundClip:        {"background-clip -webkit-background-clip", matching(`text`, ``)}, // letters cut out of a picture are seen
	propFontSize:          {"font font-size", readFontSize},
	propShadow:            {"text-shadow -webkit-text-stroke", unlessNone},
	propDecoration:        {"text-decoration text-decoration-line -webkit-text-decoration -webkit-text-decoration-line", matching(`line-through`, ``)},
	propZoom:              {"zoom", readFraction},
	propPosition:          {"position", readPosition},
	propLeft:              {"left inset-inline-start", readPlace},
	propTop:               {"top inset-block-start", readPlace},
	propRight:             {"right inset-inline-end", readPlace},
	propBottom:            {"bottom inset-block-end", readPlace},
	propMarginLeft:        {"margin-left margin-inline-start", readPlace},
	propMarginTop:         {"margin-top margin-block-start", readPlace},
	propIndent:            {"text-indent", readPlace},
	propOverflow:          {"overflow overflow-x overflow-y overflow-inline overflow-block", readOverflow},
	propWidth:             {"width inline-size", readSize},
	propHeight:            {"height block-size", readSize},
	propMaxWidth:          {"max-width max-inline-size", readSize},
	propMaxHeight:         {"max-height max-block-size", readSize},
	propMinWidth:          {"min-width min-inline-size", readSize},
	propMinHeight:         {"min-height min-block-size", readSize},
	propPadding:           {"padding padding-top padding-bottom padding-block padding-block-start padding-block-end", matching(`[1-9]`, ``)},
	propClip:              {"clip", matching(noClip, ``)},
	propClipPath:          {"clip-path -webkit-clip-path", matching(noClip, `^(?:none|url|inset|circle|ellipse|polygon|path|rect|xywh)`)},
	propTransform:         {"transform -webkit-transform", readTransform},
	propScale:             {"scale", readScale},
	propTranslate:         {"translate", readTranslate},
}

// What values look like that leave nothing to see.
const (
	nothing = `[+-]?(?:0|0?\.0\d*|0\.0\d*)%?(?:\s|[,)]|$)`
	noClip  = `^rect\((?:\s*[01](?:px)?[\s,]*){4}\)$|^inset\(\s*(?:(?:[5-9]\d|1\d\d)%(?:\s+[^\s)]+)?\s*\)|1\d\d%)|^(?:circle|ellipse)\(\s*0(?:px|%)?[\s)]|^polygon\(\s*0 0(?:\s*,\s*0 0)*\s*\)`
)

// shorthands have a word for each side, as sideOf finds them.
var shorthands = map[string][]property{
	"inset": {propTop, propRight, propBottom, propLeft}, "margin": {propMarginTop, propNone, propNone, propMarginLeft},
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
func sideOf(list []string, side int) string {
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
			s, ok = readers[p].read(part, quirks)
		}
		if !ok {
			return all
		}
		s.prop, s.important = p, important
		own = append(own, s)
	}
	return append(all, own...)
}

// matching reads values by what they look like: on says that a value matches the first expression. Others are valid if
// they match the second.
func matching(on, off string) func(string, bool) (setting, bool) {
	ons, offs := lazyregexp.New(on), lazyregexp.New(off)
	return func(value string, _ bool) (setting, bool) {
		is := ons.MatchString(value)
		return setting{on: is}, is || offs.MatchString(value)
	}
}

func unlessNone(value string, _ bool) (setting, bool) { return setting{on: value != "none"}, true }

// displays are the values of display that browsers know, apart from none.
const displays = `^(?:(?:block|inline|inline-block|(?:-webkit-)?(?:inline-)?(?:flex|grid|table|box)|flow|flow-root|contents|list-item|table-[a-z-]+|ruby[a-z-]*|math|run-in)(?:\s|$)+)+$`

func readFraction(value string, _ bool) (setting, bool) {
	q, ok := readQuantity(value)
	if q.unit == "%" {
		q.x /= 100
	}
	return setting{x: q.x}, ok && (q.unit == "" || q.unit == "%")
}

func readLetters(value string, _ bool) (setting, bool) {
	c := readColor(value)
	return setting{color: c}, c.Said() || value == "currentcolor"
}

func readBackground(value string, _ bool) (setting, bool) {
	c := readGround(value)
	return setting{color: c}, c.Said() || value == "none"
}

func readPosition(value string, _ bool) (setting, bool) {
	i := slices.Index([]string{"static", "relative", "sticky", "-webkit-sticky", "absolute", "fixed"}, value)
	return setting{x: float64(i)}, i >= 0
}

// readPlace reads a distance in pixels; on says that it is far to the right. A percentage is 0: its base is not known.
func readPlace(value string, quirks bool) (setting, bool) {
	word := valueWords(value)[0]
	q, ok := readQuantity(word)
	if q.unit == "%" {
		q.x = 0
	}
	return setting{x: q.x, on: q.x >= farOff}, word == "auto" || ok && (q.unit != "" || q.x == 0 || quirks)
}

// readOverflow reads what happens to what overflows; x says that it is cut off.
func readOverflow(value string, _ bool) (setting, bool) {
	switch word := strings.Fields(value)[0]; word {
	case "hidden", "clip":
		return setting{on: true, x: 1}, true
	case "auto", "scroll", "overlay":
		return setting{on: true}, true
	default:
		return setting{}, word == "visible"
	}
}

var sizeWords = lazyregexp.New(`^(?:auto|none|stretch|(?:-webkit-|-moz-)?(?:min-content|max-content|fit-content|fill-available|available).*)$`)

// readSize reads a width or a height; on says that it is one of at most a pixel.
func readSize(value string, quirks bool) (setting, bool) {
	if sizeWords.MatchString(value) {
		return setting{}, true
	}
	q, ok := readQuantity(value)
	return setting{on: q.x <= 1 && q.unit != "%" || q.x == 0, x: q.x}, ok && q.x >= 0 && (q.unit != "" || q.x == 0 || quirks)
}

var sizeNames = lazyregexp.New(`^(?:(?:x+-)?(?:small|large)|medium|smaller|larger|caption|icon|menu|message-box|small-caption|status-bar)$`)

// readFontSize reads the size in a value of font or font-size; x is in pixels, and on says that it is relative.
func readFontSize(value string, quirks bool) (setting, bool) {
	for _, word := range valueWords(value) {
		size, _, _ := strings.Cut(word, "/")
		if sizeNames.MatchString(size) {
			return setting{x: emPixels, on: strings.HasSuffix(size, "er")}, true
		}
		q, ok := readQuantity(size)
		if !ok || q.unit == "" && q.x != 0 && !quirks {
			continue // a style or a weight of a font
		}
		if q.unit == "%" {
			q.x *= emPixels / 100.
		}
		return setting{x: q.x, on: q.unit == "%" || q.unit == "em"}, q.x >= 0
	}
	return setting{}, false
}

// readTransform reads a list of transformations; on says that they make an element nothing, and x, if not zero, that
// they move it out of sight.
func readTransform(value string, quirks bool) (s setting, ok bool) {
	for _, step := range valueWords(value) {
		name, args, isFunction := function(step)
		if !isFunction {
			return s, value == "none"
		}
		args = strings.ReplaceAll(args, ",", " ")
		switch name {
		case "scale", "scale3d", "scalex", "scaley":
			none, ok := readScale(args, quirks)
			if !ok {
				return s, false
			}
			s.on = s.on || none.on
		case "translate", "translatex", "translatey", "translate3d":
			far, _ := readTranslate(args, quirks)
			s.x += far.x
		}
	}
	return s, true
}

// readScale reads factors; on says that one across or down makes an element nothing.
func readScale(value string, _ bool) (s setting, ok bool) {
	for i, word := range valueWords(value) {
		factor, valid := readFraction(word, false)
		if !valid {
			return s, value == "none"
		}
		s.on = s.on || i < 2 && factor.x >= -0.01 && factor.x <= 0.01
	}
	return s, true
}

// readTranslate reads distances; x, if not zero, says that one is out of sight to the left or above, or so far to the
// right or below that nobody goes there.
func readTranslate(value string, _ bool) (s setting, ok bool) {
	for i, word := range valueWords(value) {
		q, _ := readQuantity(word)
		if i < 2 && q.unit != "%" && (q.x <= -farOff || q.x >= 5*farOff) {
			s.x = 1
		}
	}
	return s, true
}

const maxVariable = 300 // bytes of a value with variables, and of one of a variable
