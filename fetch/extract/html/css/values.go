package css

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
	emPixels     = 16  // pixels of ordinary letters
	windowPixels = 1e3 // of a window, and of the base of a percentage that is added to a length
	maxCalcDeep  = 16  // parentheses in arithmetic
	maxVariable  = 300 // bytes of a value with variables, and of one of a variable
)

// units are what one of each unit is.
var units = unitsOf(map[quantity]string{
	{1, "%"}: "%", {1, "px"}: "px", {4. / 3, "px"}: "pt", {96, "px"}: "in",
	{96 / 2.54, "px"}: "cm", {96 / 25.4, "px"}: "mm", {96 / 101.6, "px"}: "q",
	{emPixels, "em"}: "em ex ch cap ic lh", {emPixels, "px"}: "pc rem rex rch rlh ric rcap",
	{windowPixels / 100, "px"}: "vw vh vmin vmax vi vb svw svh lvw lvh dvw dvh cqw cqh cqi cqb",
	{1, "deg"}:                 "deg", {360, "deg"}: "turn", {180 / math.Pi, "deg"}: "rad", {.9, "deg"}: "grad",
})

func unitsOf(names map[quantity]string) map[string]quantity {
	all := map[string]quantity{"": {1, ""}}
	for q, list := range names {
		for name := range strings.FieldsSeq(list) {
			all[name] = q
		}
	}
	return all
}

// readQuantity reads a number with its unit, or arithmetic.
func readQuantity(s string) (quantity, bool) {
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
	for i < len(s) && (s[i] == '-' && i == 0 || s[i] == '+' && i == 0 || s[i] == '.' || isDigit(s[i])) {
		i++
	}
	if i+1 < len(s) && s[i] == 'e' && (isDigit(s[i+1]) || i+2 < len(s) && (s[i+1] == '-' || s[i+1] == '+') && isDigit(s[i+2])) {
		for i += 2; i < len(s) && isDigit(s[i]); i++ {
		}
	}
	x, err := strconv.ParseFloat(s[:i], 64)
	j := i
	for j < len(s) && ('a' <= s[j] && s[j] <= 'z' || s[j] == '%') {
		j++
	}
	one, known := units[s[i:j]]
	if err != nil || !known {
		return quantity{}, s, false
	}
	return quantity{x * one.x, one.unit}, s[j:], true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// calculation reads calc() and its like.
type calculation struct{ rest string }

// operator takes one of two operators from the rest, or returns 0.
func (c *calculation) operator(one, two byte, spaced bool) byte {
	trimmed := strings.TrimLeft(c.rest, spaces)
	if trimmed == "" || trimmed[0] != one && trimmed[0] != two || spaced && (len(trimmed) < 2 || !isSpace(trimmed[1])) {
		return 0
	}
	c.rest = trimmed[1:]
	return trimmed[0]
}

func (c *calculation) sum(depth int) (quantity, bool) {
	q, ok := c.product(depth)
	for ok {
		op := c.operator('+', '-', true)
		if op == 0 {
			break
		}
		var more quantity
		if more, ok = c.product(depth); !ok {
			break
		}
		if op == '-' {
			more.x = -more.x
		}
		q, ok = q.plus(more)
	}
	return q, ok
}

// plus adds two quantities.
func (q quantity) plus(r quantity) (quantity, bool) {
	switch {
	case q.unit == r.unit:
		return quantity{q.x + r.x, q.unit}, true
	case q.unit == "" || r.unit == "" || q.unit == "deg" || r.unit == "deg":
		return quantity{}, false
	}
	for _, p := range []*quantity{&q, &r} {
		if p.unit == "%" {
			p.x *= windowPixels / 100
		}
	}
	return quantity{q.x + r.x, "px"}, true
}

func (c *calculation) product(depth int) (quantity, bool) {
	q, ok := c.value(depth)
	for ok {
		op := c.operator('*', '/', false)
		if op == 0 {
			break
		}
		more, known := c.value(depth)
		if op == '/' {
			known = known && more.unit == "" && more.x != 0
			more.x = 1 / more.x
		}
		ok = known && (q.unit == "" || more.unit == "")
		q = quantity{q.x * more.x, q.unit + more.unit}
	}
	return q, ok
}

// value reads a number, or what is in parentheses.
func (c *calculation) value(depth int) (q quantity, ok bool) {
	c.rest = strings.TrimLeft(c.rest, spaces)
	name, after, found := strings.Cut(c.rest, "(")
	switch name {
	case "", "calc", "-webkit-calc", "min", "max", "clamp":
		if !found || depth > maxCalcDeep {
			return quantity{}, false
		}
		c.rest = after
	default:
		q, c.rest, ok = simpleQuantity(c.rest)
		return q, ok
	}
	var args []quantity
	for more := true; more; {
		arg, ok := c.sum(depth + 1)
		if !ok || len(args) > 20 {
			return quantity{}, false
		}
		args = append(args, arg)
		c.rest = strings.TrimLeft(c.rest, spaces)
		if more = strings.HasPrefix(c.rest, ","); !more && !strings.HasPrefix(c.rest, ")") && c.rest != "" {
			return quantity{}, false
		}
		c.rest = c.rest[min(1, len(c.rest)):]
	}
	q, ok = args[0], len(args) == 1
	switch name {
	case "min", "max":
		ok = true
		for _, a := range args {
			if (a.x < q.x) == (name == "min") {
				q.x = a.x
			}
		}
	case "clamp":
		if ok = len(args) == 3; ok {
			q = quantity{max(args[0].x, min(args[1].x, args[2].x)), args[1].unit}
		}
	}
	return q, ok
}

// fraction reads a number or a percentage.
func fraction(s string) (float64, bool) {
	q, ok := readQuantity(s)
	if q.unit == "%" {
		q.x /= 100
	}
	return q.x, ok && (q.unit == "" || q.unit == "%")
}

// length reads a length in pixels. A percentage is 0, since its base is not known. A number without a unit is a length
// on pages that browsers read as they did in the past.
func length(s string, quirks bool) (float64, bool) {
	q, ok := readQuantity(s)
	switch q.unit {
	case "px", "em":
		return q.x, ok
	case "%":
		return 0, ok
	}
	return q.x, ok && q.unit == "" && (q.x == 0 || quirks)
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
