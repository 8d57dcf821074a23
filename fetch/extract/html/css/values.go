package css

import (
	"math"
	"strconv"
	"strings"

	"github.com/mazznoer/csscolorparser"
)

// quantity is a number with a unit of CSS: "" for a plain number, "%", "px" for lengths of any unit, "em" for lengths in
// the size of the letters.
type quantity struct {
	x    float64
	unit string
}

const (
	emPixels     = 16  // pixels of ordinary letters
	windowPixels = 1e3 // of a window
)

// units are what one of each unit is.
var units = map[string]quantity{
	"": {1, ""}, "%": {1, "%"}, "px": {1, "px"}, "pt": {4. / 3, "px"}, "in": {96, "px"}, "cm": {96 / 2.54, "px"}, "mm": {96 / 25.4, "px"},
	"em": {emPixels, "em"}, "ex": {emPixels, "em"}, "ch": {emPixels, "em"}, "rem": {emPixels, "px"}, "pc": {emPixels, "px"},
	"vw": {windowPixels / 100, "px"}, "vh": {windowPixels / 100, "px"}, "vmin": {windowPixels / 100, "px"}, "vmax": {windowPixels / 100, "px"},
}

// readQuantity reads a number with its unit. calc() around one changes nothing; arithmetic is not done.
func readQuantity(s string) (quantity, bool) {
	s = strings.TrimSpace(s)
	if inner, found := strings.CutPrefix(s, "calc("); found {
		s = strings.TrimSpace(strings.TrimSuffix(inner, ")"))
	}
	number := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz%")
	x, err := strconv.ParseFloat(number, 64)
	one, known := units[s[len(number):]]
	return quantity{x * one.x, one.unit}, err == nil && known && !math.IsInf(x, 0) && !math.IsNaN(x)
}

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

const (
	// Faint is the opacity up to which nobody sees a text.
	Faint = 0.05
	// likeness is the largest difference of two colours, summed over their parts, that no reader sees as letters.
	likeness = 36
)

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

// readColor reads a value of color in lower case. A function that is not known is another colour; what is no colour
// says nothing.
func readColor(value string) Color {
	value = strings.TrimSpace(value)
	switch value {
	case "canvas":
		return White
	case "canvastext":
		return Black
	}
	isFunction := strings.Contains(value, "(")
	if _, err := strconv.ParseUint(value, 16, 64); err == nil { // which the library reads as if # were before it
		return Color{}
	}
	c, err := csscolorparser.Parse(value)
	switch {
	case err != nil && isFunction:
		return other
	case err != nil || math.IsNaN(c.R+c.G+c.B+c.A):
		return Color{}
	}
	part := func(x float64) int { return int(math.Round(255 * max(0, min(1, x)))) }
	return Color{known: true, rgb: [3]int{part(c.R), part(c.G), part(c.B)}, lucent: 1 - c.A}
}
