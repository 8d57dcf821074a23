package html

import (
	"math"
	"strconv"
	"strings"
)

// quantity is a number with a unit of CSS: "" for a plain number, "%", "px" for lengths of any unit, "em" for lengths in
// the size of the letters, and "deg" for angles.
type quantity struct {
	x    float64
	unit string
}

const (
	emPixels    = 16 // pixels of ordinary letters
	maxCalcDeep = 16 // parentheses in arithmetic
)

// parseQuantity reads a number with its unit, or arithmetic.
func parseQuantity(s string) (quantity, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return quantity{}, false
	}
	c := calculation{rest: s}
	q, ok := c.value(0)
	return q, ok && strings.TrimSpace(c.rest) == ""
}

// simpleQuantity reads a number and its unit at the start of s.
func simpleQuantity(s string) (q quantity, rest string, ok bool) {
	i := 0
	for i < len(s) && (s[i] == '-' && i == 0 || s[i] == '+' && i == 0 || s[i] == '.' || '0' <= s[i] && s[i] <= '9') {
		i++
	}
	if i+1 < len(s) && s[i] == 'e' && (isDigit(s[i+1]) || i+2 < len(s) && (s[i+1] == '-' || s[i+1] == '+') && isDigit(s[i+2])) {
		for i += 2; i < len(s) && isDigit(s[i]); i++ {
		}
	}
	x, err := strconv.ParseFloat(s[:i], 64)
	if err != nil {
		return quantity{}, s, false
	}
	j := i
	for j < len(s) && ('a' <= s[j] && s[j] <= 'z' || s[j] == '%') {
		j++
	}
	factor, unit := 1.0, "px"
	switch s[i:j] {
	case "", "%":
		unit = s[i:j]
	case "px":
	case "pt":
		factor = 4. / 3
	case "em", "ex", "ch", "cap", "ic", "lh":
		factor, unit = emPixels, "em"
	case "rem", "rex", "rch", "rlh", "ric", "rcap":
		factor = emPixels
	case "vw", "vh", "vmin", "vmax", "vi", "vb", "svw", "svh", "lvw", "lvh", "dvw", "dvh", "cqw", "cqh", "cqi", "cqb":
		factor = 10 // of a window of 1,000 pixels
	case "in":
		factor = 96
	case "cm":
		factor = 96 / 2.54
	case "mm":
		factor = 96 / 25.4
	case "q":
		factor = 96 / 101.6
	case "pc":
		factor = 16
	case "deg":
		unit = "deg"
	case "turn":
		factor, unit = 360, "deg"
	case "rad":
		factor, unit = 180/math.Pi, "deg"
	case "grad":
		factor, unit = .9, "deg"
	default:
		return quantity{}, s, false
	}
	return quantity{x * factor, unit}, s[j:], true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// calculation reads calc() and its like.
type calculation struct{ rest string }

func (c *calculation) sum(depth int) (quantity, bool) {
	q, ok := c.product(depth)
	for ok {
		trimmed := strings.TrimLeft(c.rest, " \t\r\n")
		if len(trimmed) < 2 || trimmed[0] != '+' && trimmed[0] != '-' || !isSpace(trimmed[1]) {
			break
		}
		c.rest = trimmed[1:]
		var more quantity
		if more, ok = c.product(depth); !ok {
			break
		}
		if trimmed[0] == '-' {
			more.x = -more.x
		}
		q, ok = q.plus(more)
	}
	return q, ok
}

// plus adds two quantities. A percentage added to a length is one of 1,000 pixels.
func (q quantity) plus(r quantity) (quantity, bool) {
	switch {
	case q.unit == r.unit:
		return quantity{q.x + r.x, q.unit}, true
	case q.unit == "" || r.unit == "" || q.unit == "deg" || r.unit == "deg":
		return quantity{}, false
	}
	for _, p := range []*quantity{&q, &r} {
		if p.unit == "%" {
			p.x *= 10
		}
	}
	return quantity{q.x + r.x, "px"}, true
}

func (c *calculation) product(depth int) (quantity, bool) {
	q, ok := c.value(depth)
	for ok {
		trimmed := strings.TrimLeft(c.rest, " \t\r\n")
		if trimmed == "" || trimmed[0] != '*' && trimmed[0] != '/' {
			break
		}
		c.rest = trimmed[1:]
		var more quantity
		if more, ok = c.value(depth); !ok {
			break
		}
		switch {
		case trimmed[0] == '/' && (more.unit != "" || more.x == 0):
			return quantity{}, false
		case trimmed[0] == '/':
			q.x /= more.x
		case q.unit == "":
			q = quantity{q.x * more.x, more.unit}
		case more.unit == "":
			q.x *= more.x
		default:
			return quantity{}, false
		}
	}
	return q, ok
}

func (c *calculation) value(depth int) (q quantity, ok bool) {
	c.rest = strings.TrimLeft(c.rest, " \t\r\n")
	if depth > maxCalcDeep {
		return quantity{}, false
	}
	name, after, found := strings.Cut(c.rest, "(")
	switch name {
	case "", "calc", "-webkit-calc", "min", "max", "clamp", "abs":
		if !found {
			return quantity{}, false
		}
		c.rest = after
	default:
		q, c.rest, ok = simpleQuantity(c.rest)
		return q, ok
	}
	var args []quantity
	for {
		arg, ok := c.sum(depth + 1)
		if !ok || len(args) > 20 {
			return quantity{}, false
		}
		args = append(args, arg)
		c.rest = strings.TrimLeft(c.rest, " \t\r\n")
		more := strings.HasPrefix(c.rest, ",")
		if !more && !strings.HasPrefix(c.rest, ")") && c.rest != "" {
			return quantity{}, false
		}
		if c.rest != "" {
			c.rest = c.rest[1:]
		}
		if !more {
			break
		}
	}
	q = args[0]
	switch {
	case name == "min":
		for _, a := range args {
			q.x = min(q.x, a.x)
		}
	case name == "max":
		for _, a := range args {
			q.x = max(q.x, a.x)
		}
	case name == "clamp" && len(args) == 3:
		q = quantity{max(args[0].x, min(args[1].x, args[2].x)), args[1].unit}
	case name == "abs":
		q.x = math.Abs(q.x)
	}
	return q, len(args) == 1 || name == "min" || name == "max" || name == "clamp"
}

// fraction reads a number or a percentage.
func fraction(s string) (float64, bool) {
	q, ok := parseQuantity(s)
	if q.unit == "%" {
		q.x /= 100
	}
	return q.x, ok && (q.unit == "" || q.unit == "%")
}

// length reads a length in pixels. A percentage is 0, since its base is not known. A number without a unit is a length
// on pages that browsers read as they did in the past.
func length(s string, quirks bool) (float64, bool) {
	q, ok := parseQuantity(s)
	switch q.unit {
	case "px", "em":
		return q.x, ok
	case "%":
		return 0, ok
	}
	return q.x, ok && q.unit == "" && (q.x == 0 || quirks)
}
