package drawing

import "github.com/citeloop/citeloop/loopstate"

// mark draws the shape of a verdict: grounded is a square, inferred a diamond, unsupported a cross, uncited a ring, the
// author's own a hollow diamond, not checked a bar. Hollow marks have the background color.
func (c *canvas) mark(status string, hollow bool, x, y, r float64) {
	class := "m m-" + status
	switch status {
	case loopstate.Grounded, loopstate.Inferred, loopstate.Unsupported, Uncited, Own:
	default:
		class = "m"
	}
	if hollow || status == Uncited || status == Own {
		class += " hollow"
	}
	switch status {
	case loopstate.Grounded:
		c.rect(class, x-r, y-r, 2*r, 2*r)
	case loopstate.Inferred, Own:
		d := r * 1.25
		c.add(`<polygon class="%s" points="%s,%s %s,%s %s,%s %s,%s"/>`, class, num(x), num(y-d), num(x+d), num(y), num(x), num(y+d), num(x-d), num(y))
	case loopstate.Unsupported:
		c.add(`<path class="%s" d="M%s %sL%s %sM%s %sL%s %s"/>`, class, num(x-r), num(y-r), num(x+r), num(y+r), num(x-r), num(y+r), num(x+r), num(y-r))
	case Uncited:
		c.add(`<circle class="%s" cx="%s" cy="%s" r="%s"/>`, class, num(x), num(y), num(r))
	default:
		c.line(class, x-r, y, x+r, y)
	}
}
