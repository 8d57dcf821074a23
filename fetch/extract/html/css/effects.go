package css

import (
	"slices"
	"strings"
)

// readFilter reads a list of filters; on says that they leave nothing to read.
func readFilter(d declaration) (s setting, ok bool) {
	if d.value == "none" {
		return s, true
	}
	for _, word := range valueWords(d.value) {
		name, args, ok := function(word)
		if !ok {
			return s, false
		}
		q, isNumber := readQuantity(args)
		if q.unit == "%" {
			q.x /= 100
		}
		faded := (name == "opacity" || name == "contrast") && q.x <= Faint
		s.on = s.on || isNumber && (faded || name == "blur" && q.x >= farBlur)
	}
	return s, true
}

// readMask reads a mask; on says that it has gradients, and that all their colours are clear.
func readMask(d declaration) (s setting, ok bool) {
	for _, layer := range splitOutside(d.value, ",") {
		for _, word := range valueWords(layer) {
			name, args, _ := function(word)
			if !strings.HasSuffix(name, "gradient") {
				continue
			}
			for _, arg := range splitOutside(args, ",") {
				stop := valueWords(arg)
				if len(stop) == 0 {
					continue
				}
				switch c := readColor(stop[0]); {
				case c.IsClear():
					s.on = true
				case c.Said():
					return setting{}, true
				}
			}
		}
	}
	return s, true
}

// quantities reads the numbers in the arguments of a function; false when it has something else.
func quantities(args string) (all []quantity, ok bool) {
	for _, word := range valueWords(strings.ReplaceAll(args, ",", " ")) {
		if word == "at" || word == "round" {
			break
		}
		q, ok := readQuantity(word)
		if word == "auto" {
			q, ok = quantity{unit: word}, true
		}
		if !ok {
			return nil, false
		}
		all = append(all, q)
	}
	return all, true
}

// readClip reads clip or clip-path; on says that it leaves nothing.
func readClip(d declaration) (s setting, ok bool) {
	if d.value == "auto" || d.value == "none" || strings.HasPrefix(d.value, "url(") || strings.HasSuffix(d.value, "-box") {
		return s, true
	}
	shape, args, ok := function(valueWords(d.value)[0])
	at, numbers := quantities(args)
	if !ok || !numbers || len(at) == 0 {
		return s, shape == "path" || shape == "shape" || shape == "polygon" || strings.Contains(args, "-side")
	}
	meet := func(a, b int) bool { return at[a].unit != "auto" && at[b].unit != "auto" && at[b].x-at[a].x <= 1 }
	far := func(side int) float64 { // in per cent; 0 for a length, whose base is not known, unless it is far off
		if q := sideOf(at, side); q.unit == "%" || q.x >= farBelow {
			return q.x
		}
		return 0
	}
	switch shape {
	case "rect": // top, right, bottom, left
		s.on = len(at) == 4 && (meet(0, 2) || meet(3, 1))
	case "inset":
		s.on = far(0)+far(2) >= 100 || far(1)+far(3) >= 100
	case "circle":
		s.on = at[0].x == 0
	case "ellipse":
		s.on = at[0].x == 0 || len(at) > 1 && at[1].x == 0
	case "xywh":
		s.on = len(at) >= 4 && (at[2].x <= 0 || at[3].x <= 0)
	case "polygon": // whose points are one
		s.on = !slices.ContainsFunc(at, func(q quantity) bool { return q.x != at[0].x })
	default:
		return s, false
	}
	return s, true
}

// readTransform reads transform, scale, rotate or translate; on says that it makes an element nothing, and x, if not
// zero, that it moves it out of sight.
func readTransform(d declaration) (s setting, ok bool) {
	if d.value == "none" {
		return s, true
	}
	steps := valueWords(d.value)
	if !strings.HasSuffix(d.name, "transform") {
		steps = []string{d.name + "(" + strings.Join(steps, ",") + ")"}
	}
	for _, step := range steps {
		name, args, ok := function(step)
		if !ok {
			return s, false
		}
		at, ok := quantities(args)
		if !ok && name != "rotate" || len(at) == 0 && ok {
			return s, false
		}
		none := func(x float64) bool { return x >= -0.01 && x <= 0.01 }
		switch name {
		case "scale", "scale3d", "scalex", "scaley":
			for i, q := range at {
				if q.unit == "%" {
					q.x /= 100
				}
				s.on = s.on || i < 2 && none(q.x)
			}
		case "matrix":
			if len(at) == 6 {
				s.on = s.on || none(at[0].x*at[3].x-at[1].x*at[2].x)
				s.x += flag(isFar(at[4]) || isFar(at[5]))
			}
		case "rotatex", "rotatey":
			s.on = s.on || at[0].x == 90 || at[0].x == 270 || at[0].x == -90
		case "translate", "translatex", "translatey", "translate3d":
			for i, q := range at {
				s.x += flag(i < 2 && isFar(q))
			}
		}
	}
	return s, true
}

// isFar reports a distance that is out of sight to the left or above, or so far to the right or below that nobody goes
// there.
func isFar(q quantity) bool { return q.unit != "%" && (q.x <= -farOff || q.x >= 5*farOff) }
