package css

import (
	_ "embed" // colornames.txt
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/datafile"
)

// Color is a colour as far as a style says it. The zero value says nothing.
type Color struct {
	known  bool    // the colour is stated as one colour
	other  bool    // a picture, a gradient, a variable: stated, but as no colour that can be compared
	rgb    [3]int  // 0 to 255
	lucent float64 // how much of what is behind shines through: 0 to 1
}

// White and Black are what a page is painted in when it says nothing.
var (
	White = Color{known: true, rgb: [3]int{255, 255, 255}}
	Black = Color{known: true}
	other = Color{other: true}
)

// likeness is the largest difference of two colours, summed over their parts, that no reader sees as letters.
const likeness = 36

// Said reports a colour that is stated.
func (c Color) Said() bool { return c.known || c.other }

// IsClear reports a colour that is not seen.
func (c Color) IsClear() bool { return c.known && c.lucent >= 1-Faint }

// IsLike reports letters that cannot be told from what is behind them.
func (c Color) IsLike(ground Color) bool {
	if !c.known || !ground.known || c.IsClear() || ground.IsClear() {
		return false
	}
	difference := 0
	for i := range c.rgb {
		difference += max(c.rgb[i]-ground.rgb[i], ground.rgb[i]-c.rgb[i])
	}
	return float64(difference)*(1-c.lucent) <= likeness
}

// Over is what is seen of a colour before another.
func (c Color) Over(behind Color) Color {
	switch {
	case !c.Said() || c.IsClear():
		return behind
	case c.other || c.lucent == 0:
		return c
	case !behind.known:
		return other
	}
	for i := range c.rgb {
		c.rgb[i] = int(math.Round(float64(c.rgb[i])*(1-c.lucent) + float64(behind.rgb[i])*c.lucent))
	}
	c.lucent = 0
	return c
}

// readGround reads the colour in a value of background.
func readGround(value string) Color {
	if value == "none" {
		return Color{}
	}
	if strings.Contains(value, "url(") || strings.Contains(value, "gradient(") || strings.Contains(value, "image") {
		return other
	}
	for _, word := range valueWords(value) {
		if c := readColor(word); c.known || c.other && strings.Contains(word, "(") {
			return c
		}
	}
	return other
}

// readColor reads a value of color in lower case. What is no colour is other only if it may be one.
func readColor(value string) Color {
	value = strings.TrimSpace(value)
	if value == "transparent" {
		return Color{known: true, lucent: 1}
	}
	if hex, found := strings.CutPrefix(value, "#"); found {
		return readHex(hex)
	}
	if hex, ok := colorNames()[value]; ok {
		return readHex(hex)
	}
	name, args, ok := function(value)
	if !ok {
		return Color{}
	}
	switch name {
	case "light-dark":
		return readColor(splitOutside(args, ",")[0])
	case "color-mix":
		return mixed(splitOutside(args, ",")[1:])
	}
	return colorFunction(name, args)
}

// mixed reads the colours of color-mix(). They are mixed in sRGB, whatever the space: the difference is that of two shades.
func mixed(parts []string) Color {
	var colors []Color
	share := .5 // of the first
	for i, part := range parts {
		for _, word := range valueWords(part) {
			if x, ok := fraction(word); !ok {
				colors = append(colors, readColor(word))
			} else if share = x; i > 0 {
				share = 1 - x
			}
		}
	}
	if len(colors) != 2 || !colors[0].known || !colors[1].known {
		return other
	}
	mix := func(a, b float64) float64 { return a*share + b*(1-share) }
	c := Color{known: true, lucent: mix(colors[0].lucent, colors[1].lucent)}
	for i := range c.rgb {
		c.rgb[i] = int(math.Round(mix(float64(colors[0].rgb[i]), float64(colors[1].rgb[i]))))
	}
	return c
}

//go:embed colornames.txt
var colorNameList string

// colorNames are the colours that have names, in hexadecimal digits.
var colorNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for line := range datafile.Lines(colorNameList) {
		name, hex, _ := strings.Cut(line, " ")
		names[name] = hex
	}
	return names
})

// readHex reads three, four, six or eight hexadecimal digits.
func readHex(hex string) Color {
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
		return Color{}
	}
	return Color{known: true, lucent: 1 - float64(x&255)/255, rgb: [3]int{int(x >> 24), int(x >> 16 & 255), int(x >> 8 & 255)}}
}

// greySpaces are the colour spaces of which only greys are read, the ones that letters hide in: the lightness that is
// white, and the distance from grey that is not seen.
var greySpaces = map[string]struct{ white, grey float64 }{"lab": {100, 5}, "lch": {100, 5}, "oklab": {1, .02}, "oklch": {1, .02}}

// colorFunction reads three parts and an opacity.
func colorFunction(name, args string) Color {
	args, alpha, hasAlpha := strings.Cut(args, "/")
	parts := valueWords(strings.ReplaceAll(args, ",", " "))
	if name == "color" && len(parts) > 0 {
		if strings.HasPrefix(parts[0], "xyz") {
			return other
		}
		parts = parts[1:] // the other spaces are near enough to sRGB
	}
	if len(parts) == 4 && !hasAlpha {
		alpha, hasAlpha, parts = parts[3], true, parts[:3]
	}
	if len(parts) != 3 {
		return other
	}
	c := Color{known: true}
	if alpha = strings.TrimSpace(alpha); hasAlpha && alpha != "none" {
		x, ok := fraction(alpha)
		if !ok {
			return other
		}
		c.lucent = 1 - max(0, min(1, x))
	}
	var v [3]quantity
	for i, part := range parts {
		q, ok := readQuantity(part)
		if !ok && part != "none" {
			return other
		}
		v[i] = q
	}
	part := func(i int, whole float64) float64 { // as a share of whole
		if v[i].unit == "%" {
			whole = 100
		}
		return v[i].x / whole
	}
	var rgb [3]float64 // 0 to 1
	switch name {
	case "rgb", "rgba":
		rgb = [3]float64{part(0, 255), part(1, 255), part(2, 255)}
	case "color":
		rgb = [3]float64{part(0, 1), part(1, 1), part(2, 1)}
	case "hsl", "hsla":
		rgb = fromHSL(v[0].x, part(1, 100), part(2, 100))
	case "hwb":
		white, black := v[1].x/100, v[2].x/100
		if sum := white + black; sum > 1 {
			white, black = white/sum, black/sum
		}
		rgb = fromHSL(v[0].x, 1, .5)
		for i := range rgb {
			rgb[i] = rgb[i]*(1-white-black) + white
		}
	default:
		space, known := greySpaces[name]
		away := math.Abs(v[1].x)
		if !strings.HasSuffix(name, "lch") {
			away += math.Abs(v[2].x)
		}
		if !known || away > space.grey {
			return other
		}
		light := part(0, space.white) // such a scale is near that of sRGB
		rgb = [3]float64{light, light, light}
	}
	for i := range rgb {
		c.rgb[i] = int(math.Round(255 * max(0, min(1, rgb[i]))))
	}
	return c
}

func fromHSL(hue, saturation, light float64) (rgb [3]float64) {
	a := saturation * min(light, 1-light)
	for i, n := range []float64{0, 8, 4} {
		k := math.Mod(math.Mod(n+hue/30, 12)+12, 12)
		rgb[i] = light - a*max(-1, min(k-3, 9-k, 1))
	}
	return rgb
}

// Faint is the opacity up to which nobody sees a text.
const Faint = 0.05
