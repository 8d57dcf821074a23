package html

import (
	"strconv"
	"strings"
)

// farOff is the distance in pixels from which an element counts as moved out of sight.
const farOff = 900

// declares reads a list of CSS declarations: whether it takes an element out of sight, and whether it says
// that it is in sight. Opacity is not looked at: pages fade in with it what they show.
func declares(list string) (hides, shows bool) {
	list = strings.ToLower(list)
	if !strings.ContainsAny(list, ":") {
		return false, false
	}
	var color, background, size, clip, position, overflow string
	var off, tiny bool
	for declaration := range strings.SplitSeq(list, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "!important"))
		switch strings.TrimSpace(name) {
		case "display":
			hides = value == "none"
			shows = !hides
		case "visibility":
			if value == "hidden" || value == "collapse" {
				hides = true
			} else if value == "visible" {
				shows = true
			}
		case "color":
			color = value
		case "background", "background-color":
			background = value
		case "background-clip", "-webkit-background-clip":
			clip = value // letters cut out of a picture are seen
		case "font-size", "font":
			size = value
		case "position":
			position = value
		case "left", "top", "right", "text-indent":
			if x, ok := pixels(value); ok && (x <= -farOff || x >= 5*farOff) {
				off = off || x <= -farOff || position != ""
			}
		case "overflow":
			overflow = value
		case "width", "height", "max-height":
			if x, ok := pixels(value); ok && x >= 0 && x <= 1 {
				tiny = true
			}
		case "clip", "clip-path":
			v := strings.ReplaceAll(value, " ", "")
			if strings.HasPrefix(v, "rect(0") || strings.HasPrefix(v, "rect(1px") || v == "inset(50%)" || v == "inset(100%)" {
				hides = true
			}
		}
	}
	if off || tiny && overflow == "hidden" && (position == "absolute" || position == "fixed") {
		hides = true
	}
	if size != "" {
		if x, ok := pixels(size); ok && x <= 1 {
			hides = true
		}
	}
	if clip != "text" && color != "" && sameColor(color, background) {
		hides = true
	}
	return hides, shows && !hides
}

// pixels reads a length; units are near enough to pixels for what is asked of them.
func pixels(s string) (float64, bool) {
	i := 0
	for i < len(s) && (s[i] == '-' || s[i] == '+' || s[i] == '.' || '0' <= s[i] && s[i] <= '9') {
		i++
	}
	x, err := strconv.ParseFloat(s[:i], 64)
	if err != nil {
		return 0, false
	}
	switch unit := s[i:]; unit {
	case "", "px", "pt":
		return x, true
	case "em", "rem":
		return 16 * x, true
	case "%":
		if x == 0 {
			return 0, true
		}
	}
	return 0, false
}

// sameColor reports text in the colour of its background, if one declaration sets both.
func sameColor(letters, ground string) bool {
	a, ok := parseColor(letters)
	if !ok {
		return false
	}
	b, ok := parseColor(ground)
	return ok && a == b
}

// parseColor reads a colour as names of few, hex digits and rgb() give it.
func parseColor(s string) (rgb [3]int, ok bool) {
	s = strings.TrimSpace(s)
	switch s {
	case "white":
		return [3]int{255, 255, 255}, true
	case "black":
		return [3]int{}, true
	}
	if hex, found := strings.CutPrefix(s, "#"); found {
		if len(hex) == 3 {
			hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
		}
		x, err := strconv.ParseUint(hex, 16, 32)
		if len(hex) != 6 || err != nil {
			return rgb, false
		}
		return [3]int{int(x >> 16), int(x >> 8 & 255), int(x & 255)}, true
	}
	if list, found := strings.CutPrefix(s, "rgb("); found {
		parts := strings.Split(strings.TrimSuffix(list, ")"), ",")
		if len(parts) != 3 {
			return rgb, false
		}
		for i, p := range parts {
			x, err := strconv.Atoi(strings.TrimSpace(p))
			if err != nil {
				return rgb, false
			}
			rgb[i] = x
		}
		return rgb, true
	}
	return rgb, false
}
