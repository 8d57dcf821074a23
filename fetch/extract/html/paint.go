package html

import (
	"math"
	"strconv"
	"strings"
)

// paint is a colour as far as a style says it. The zero value says nothing.
type paint struct {
	known  bool    // the colour is stated as one colour
	other  bool    // a picture, a gradient, a variable: stated, but as no colour that can be compared
	rgb    [3]int  // 0 to 255
	lucent float64 // how much of what is behind shines through: 0 to 1
}

// likeness is the largest difference of two colours, summed over their parts, that no reader sees as letters.
const likeness = 36

func (p paint) said() bool    { return p.known || p.other }
func (p paint) isClear() bool { return p.known && p.lucent >= 1-faint }

// isLike reports letters that cannot be told from what is behind them.
func (p paint) isLike(ground paint) bool {
	if !p.known || !ground.known || p.isClear() || ground.isClear() {
		return false
	}
	difference := 0
	for i := range p.rgb {
		difference += max(p.rgb[i]-ground.rgb[i], ground.rgb[i]-p.rgb[i])
	}
	return float64(difference)*(1-p.lucent) <= likeness
}

// over is what is seen of a colour before another.
func (p paint) over(behind paint) paint {
	switch {
	case !p.said() || p.isClear():
		return behind
	case p.other || p.lucent == 0:
		return p
	case !behind.known:
		return paint{other: true}
	}
	for i := range p.rgb {
		p.rgb[i] = int(math.Round(float64(p.rgb[i])*(1-p.lucent) + float64(behind.rgb[i])*p.lucent))
	}
	p.lucent = 0
	return p
}

// parseGround reads the colour in a value of background.
func parseGround(value string) paint {
	if value == "none" {
		return paint{}
	}
	if strings.Contains(value, "url(") || strings.Contains(value, "gradient(") || strings.Contains(value, "image") {
		return paint{other: true}
	}
	for _, word := range cssWords(value) {
		if p := parsePaint(word); p.known || p.other && strings.Contains(word, "(") {
			return p
		}
	}
	return paint{other: true}
}

// parsePaint reads a value of color in lower case. What is no colour is other only if it may be one.
func parsePaint(value string) paint {
	value = strings.TrimSpace(value)
	if value == "transparent" {
		return paint{known: true, lucent: 1}
	}
	if hex, found := strings.CutPrefix(value, "#"); found {
		return parseHex(hex)
	}
	if rgb, ok := namedColor(value); ok {
		return paint{known: true, rgb: [3]int{rgb >> 16, rgb >> 8 & 255, rgb & 255}}
	}
	name, args, ok := function(value)
	if !ok {
		return paint{}
	}
	return colorFunction(name, args)
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
		return paint{}
	}
	return paint{known: true, lucent: 1 - float64(x&255)/255, rgb: [3]int{int(x >> 24), int(x >> 16 & 255), int(x >> 8 & 255)}}
}

// colorFunction reads the functions of CSS Color 4 and 5, with the conversions that it gives.
func colorFunction(name, args string) paint {
	switch name {
	case "light-dark":
		return parsePaint(splitOutside(args, ',')[0])
	case "color-mix":
		return mixed(splitOutside(args, ','))
	}
	args, alpha, hasAlpha := strings.Cut(args, "/")
	parts := cssWords(strings.ReplaceAll(args, ",", " "))
	space := ""
	if name == "color" && len(parts) > 0 {
		space, parts = parts[0], parts[1:]
	}
	if len(parts) == 4 && !hasAlpha {
		alpha, hasAlpha, parts = parts[3], true, parts[:3]
	}
	if len(parts) != 3 {
		return paint{other: true}
	}
	p := paint{known: true}
	if alpha = strings.TrimSpace(alpha); hasAlpha && alpha != "none" {
		x, ok := fraction(alpha)
		if !ok {
			return paint{other: true}
		}
		p.lucent = 1 - max(0, min(1, x))
	}
	var v [3]quantity
	for i, part := range parts {
		q, ok := parseQuantity(part)
		if !ok && part != "none" {
			return paint{other: true}
		}
		v[i] = q
	}
	unit := func(i int, whole float64) float64 { // a percentage is one of whole
		if v[i].unit == "%" {
			return v[i].x / 100 * whole
		}
		return v[i].x
	}
	polar := func(chroma, hue float64) (a, b float64) {
		sin, cos := math.Sincos(hue * math.Pi / 180)
		return chroma * cos, chroma * sin
	}
	var rgb [3]float64 // 0 to 1
	switch name {
	case "rgb", "rgba":
		rgb = [3]float64{unit(0, 255) / 255, unit(1, 255) / 255, unit(2, 255) / 255}
	case "hsl", "hsla":
		rgb = fromHSL(v[0].x, unit(1, 100)/100, unit(2, 100)/100)
		if v[1].unit == "" && v[1].x <= 0 {
			rgb = fromHSL(v[0].x, 0, unit(2, 100)/100)
		}
	case "hwb":
		white, black := v[1].x/100, v[2].x/100
		if sum := white + black; sum > 1 {
			white, black = white/sum, black/sum
		}
		rgb = fromHSL(v[0].x, 1, .5)
		for i := range rgb {
			rgb[i] = rgb[i]*(1-white-black) + white
		}
	case "lab":
		rgb = fromLab(unit(0, 100), unit(1, 125), unit(2, 125))
	case "lch":
		a, b := polar(unit(1, 150), v[2].x)
		rgb = fromLab(unit(0, 100), a, b)
	case "oklab":
		rgb = fromOklab(unit(0, 1), unit(1, .4), unit(2, .4))
	case "oklch":
		a, b := polar(unit(1, .4), v[2].x)
		rgb = fromOklab(unit(0, 1), a, b)
	case "color":
		rgb = [3]float64{unit(0, 1), unit(1, 1), unit(2, 1)}
		switch space {
		case "srgb", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020": // the wider ones are near enough
		case "srgb-linear":
			for i := range rgb {
				rgb[i] = companded(rgb[i])
			}
		case "xyz", "xyz-d65", "xyz-d50":
			rgb = fromXYZ(rgb[0], rgb[1], rgb[2])
		default:
			return paint{other: true}
		}
	default:
		return paint{other: true}
	}
	for i := range rgb {
		p.rgb[i] = int(math.Round(255 * max(0, min(1, rgb[i]))))
	}
	return p
}

// mixed reads color-mix(). Colours are mixed in sRGB, whatever the space: the difference is that of two shades.
func mixed(args []string) paint {
	if len(args) != 3 {
		return paint{other: true}
	}
	var colors [2]paint
	share := [2]float64{-1, -1}
	for i := range colors {
		for _, word := range cssWords(args[i+1]) {
			if q, ok := parseQuantity(word); ok && q.unit == "%" {
				share[i] = q.x / 100
			} else {
				colors[i] = parsePaint(word)
			}
		}
	}
	switch {
	case !colors[0].known || !colors[1].known:
		return paint{other: true}
	case share[0] < 0 && share[1] < 0:
		share[0] = .5
	case share[0] < 0:
		share[0] = 1 - share[1]
	case share[1] >= 0 && share[0]+share[1] > 0:
		share[0] /= share[0] + share[1]
	}
	p := paint{known: true, lucent: colors[0].lucent*share[0] + colors[1].lucent*(1-share[0])}
	for i := range p.rgb {
		p.rgb[i] = int(math.Round(float64(colors[0].rgb[i])*share[0] + float64(colors[1].rgb[i])*(1-share[0])))
	}
	return p
}

func fromHSL(hue, saturation, light float64) (rgb [3]float64) {
	a := saturation * min(light, 1-light)
	for i, n := range []float64{0, 8, 4} {
		k := math.Mod(n+hue/30, 12)
		if k < 0 {
			k += 12
		}
		rgb[i] = light - a*max(-1, min(k-3, 9-k, 1))
	}
	return rgb
}

func fromLab(light, a, b float64) [3]float64 {
	const kappa, epsilon = 24389. / 27, 216. / 24389
	fy := (light + 16) / 116
	back := func(f float64) float64 {
		if f*f*f > epsilon {
			return f * f * f
		}
		return (116*f - 16) / kappa
	}
	return fromXYZ(back(fy+a/500)*.9505, back(fy), back(fy-b/200)*1.089)
}

func fromOklab(light, a, b float64) [3]float64 {
	cube := func(x float64) float64 { return x * x * x }
	l, m, s := cube(light+.3963*a+.2158*b), cube(light-.1056*a-.0639*b), cube(light-.0895*a-1.2915*b)
	return [3]float64{companded(4.0767*l - 3.3077*m + .2310*s), companded(-1.2684*l + 2.6098*m - .3413*s), companded(-.0042*l - .7034*m + 1.7076*s)}
}

func fromXYZ(x, y, z float64) [3]float64 {
	return [3]float64{companded(3.2410*x - 1.5374*y - .4986*z), companded(-.9692*x + 1.8760*y + .0416*z), companded(.0556*x - .2040*y + 1.0570*z)}
}

// companded turns linear light into a value of sRGB.
func companded(x float64) float64 {
	if x <= .0031308 {
		return 12.92 * x
	}
	return 1.055*math.Pow(x, 1/2.4) - .055
}
