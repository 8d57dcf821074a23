package html

import (
	"math"
	"strconv"
	"strings"
)

// paint is a colour as far as a style says it. The zero value says nothing.
type paint struct {
	known bool   // the colour is stated as one colour
	other bool   // a picture, a gradient, a variable: stated, but as no colour that can be compared
	clear bool   // transparent
	rgb   [3]int // 0 to 255
}

// likeness is the largest difference of two colours, summed over their parts, that no reader sees as letters.
const likeness = 36

func (p paint) said() bool    { return p.known || p.other }
func (p paint) isClear() bool { return p.known && p.clear }

// isLike reports letters that cannot be told from what is behind them.
func (p paint) isLike(ground paint) bool {
	if !p.known || !ground.known || p.clear || ground.clear {
		return false
	}
	difference := 0
	for i := range p.rgb {
		difference += max(p.rgb[i]-ground.rgb[i], ground.rgb[i]-p.rgb[i])
	}
	return difference <= likeness
}

// namedColors are the names that stand for white, nearly white, and black.
var namedColors = map[string][3]int{
	"white": {255, 255, 255}, "snow": {255, 250, 250}, "ghostwhite": {248, 248, 255}, "whitesmoke": {245, 245, 245},
	"ivory": {255, 255, 240}, "floralwhite": {255, 250, 240}, "mintcream": {245, 255, 250}, "azure": {240, 255, 255},
	"aliceblue": {240, 248, 255}, "seashell": {255, 245, 238}, "black": {0, 0, 0}, "red": {255, 0, 0}, "yellow": {255, 255, 0},
	"blue": {0, 0, 255}, "green": {0, 128, 0}, "gray": {128, 128, 128}, "grey": {128, 128, 128}, "silver": {192, 192, 192},
	"lightgray": {211, 211, 211}, "lightgrey": {211, 211, 211}, "navy": {0, 0, 128}, "orange": {255, 165, 0},
}

// parsePaint reads a value of color or background.
func parsePaint(value string) paint {
	value = strings.TrimSpace(value)
	switch value {
	case "", "inherit", "initial", "unset", "none", "currentcolor", "revert":
		return paint{}
	case "transparent":
		return paint{known: true, clear: true}
	}
	if rgb, ok := namedColors[value]; ok {
		return paint{known: true, rgb: rgb}
	}
	if hex, found := strings.CutPrefix(value, "#"); found {
		return parseHex(hex)
	}
	kind, list, found := strings.Cut(value, "(")
	parts := strings.FieldsFunc(strings.TrimSuffix(list, ")"), func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
	if !found || len(parts) < 3 || len(parts) > 4 {
		return paint{other: true}
	}
	p := paint{known: true}
	if len(parts) == 4 {
		alpha, ok := fraction(parts[3])
		if !ok {
			return paint{other: true}
		}
		p.clear = alpha <= faint
		if !p.clear && alpha < 1 {
			return paint{other: true} // what shines through is not known
		}
	}
	switch kind {
	case "rgb", "rgba":
		for i, part := range parts[:3] {
			x, unit, ok := number(part)
			if !ok {
				return paint{other: true}
			}
			if unit == "%" {
				x *= 2.55
			}
			p.rgb[i] = int(math.Round(x))
		}
	case "hsl", "hsla":
		light, unit, ok := number(parts[2])
		if !ok || unit != "%" || light > 3 && light < 97 {
			return paint{known: p.clear, clear: p.clear, other: !p.clear}
		}
		grey := int(math.Round(2.55 * light))
		p.rgb = [3]int{grey, grey, grey}
	default:
		return paint{other: true}
	}
	return p
}

// parseHex reads three, four, six or eight hexadecimal digits.
func parseHex(hex string) paint {
	if len(hex) == 3 || len(hex) == 4 {
		var long strings.Builder
		for i := range len(hex) {
			long.WriteString(hex[i:i+1] + hex[i:i+1])
		}
		hex = long.String()
	}
	if len(hex) == 6 {
		hex += "ff"
	}
	x, err := strconv.ParseUint(hex, 16, 32)
	if len(hex) != 8 || err != nil {
		return paint{other: true}
	}
	p := paint{known: true, clear: float64(x&255)/255 <= faint, rgb: [3]int{int(x >> 24), int(x >> 16 & 255), int(x >> 8 & 255)}}
	if !p.clear && x&255 != 255 {
		return paint{other: true}
	}
	return p
}
