package drawing

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// Measures of the convergence drawing, in its own units: a strip for the gaps above a strip for the sources.
const (
	gapsTop   = 24.0
	gapsBase  = 68.0 // no gap is open
	barsTop   = 104.0
	barsBase  = 188.0 // the line on which the bars stand
	roundStep = 64.0
	barWidth  = 28.0
	margin    = 16.0
	below     = 50.0 // for the rounds' numbers and the note

	fileHead = 72.0  // of a file: title and key
	fileMin  = 520.0 // the key needs it
)

// MaxRounds: of more rounds the last ones are drawn, and the drawing says so. A loop may have 15, and more when the
// user confirms them (loopstate.RoundsFor).
const MaxRounds = 40

// Convergence draws sources (all, and those new in the round) as bars, open material gaps as a line, and sign-offs,
// by round. It is "" without rounds.
func Convergence(rounds []loopstate.Round) string {
	if len(rounds) == 0 {
		return ""
	}
	var c canvas
	width := 2*margin + roundStep*float64(min(len(rounds), MaxRounds))
	c.open("convergence", "img", max(width, 200), barsBase+below, "Convergence by round", inWords(rounds))
	c.convergence(rounds, 0, width)
	return c.close()
}

// ConvergenceFile is the same as a file of its own, with its colours, its ground and its key. Without rounds it says
// that there are none.
func ConvergenceFile(rounds []loopstate.Round) string {
	var c canvas
	width := max(fileMin, 2*margin+roundStep*float64(min(len(rounds), MaxRounds)))
	c.open("convergence", "img", width, fileHead+barsBase+below, "Convergence by round", inWords(rounds))
	c.add(`<style>%s</style><rect class="ground" width="%s" height="%s" rx="8"/>`, style, num(width), num(fileHead+barsBase+below))
	c.text("head", margin, 30, "Convergence")
	if len(rounds) == 0 {
		c.text("soft", margin, 60, "No round is closed yet.")
		return c.close()
	}
	c.key(54)
	c.convergence(rounds, fileHead, width)
	return c.close()
}

// inWords is the drawing for those who do not see it.
func inWords(rounds []loopstate.Round) string {
	if len(rounds) == 0 {
		return "No round is closed yet."
	}
	var all []string
	for _, r := range rounds {
		said := fmt.Sprintf("Round %d: %s, %d of them new, %s", r.Round, plural(r.Sources, "source", "sources"), r.NewSources, plural(r.OpenGaps, "open material gap", "open material gaps"))
		if r.SignOff {
			said += ", signed off"
		}
		all = append(all, said+".")
	}
	return strings.Join(all, " ")
}

func (c *canvas) key(y float64) {
	c.line("gap", margin, y-4, margin+20, y-4)
	c.text("soft", margin+26, y, "open material gaps")
	c.rect("all", margin+152, y-10, 12, 12)
	c.text("soft", margin+169, y, "sources")
	c.rect("new", margin+230, y-10, 12, 12)
	c.text("soft", margin+247, y, "new in the round")
	c.text("sign", margin+356, y, "✓")
	c.text("soft", margin+371, y, "signed off")
}

// convergence draws the rounds below a height.
func (c *canvas) convergence(rounds []loopstate.Round, top, width float64) {
	left := max(0, len(rounds)-MaxRounds)
	rounds = rounds[left:]
	most, mostGaps := 1, 1
	for _, r := range rounds {
		most, mostGaps = max(most, r.Sources, r.NewSources), max(mostGaps, r.OpenGaps)
	}
	height := func(n int) float64 { return float64(max(n, 0)) / float64(most) * (barsBase - barsTop) }
	base := top + barsBase
	var points []string
	for i, r := range rounds {
		x, all, fresh := margin+(float64(i)+0.5)*roundStep, height(r.Sources), height(r.NewSources)
		c.rect("all", x-barWidth/2, base-all, barWidth, all)
		c.rect("new", x-barWidth/2, base-fresh, barWidth, fresh)
		c.text("mid", x, base-max(all, fresh)-6, fmt.Sprint(r.Sources))
		if r.NewSources > 0 && r.NewSources != r.Sources {
			c.text("soft", x+barWidth/2+2, base-2, fmt.Sprintf("+%d", r.NewSources))
		}
		class, label := "mid soft", fmt.Sprint(r.Round)
		if r.SignOff {
			class, label = "mid sign", label+" ✓"
		}
		c.text(class, x, base+17, label)
		points = append(points, num(x)+","+num(top+gapHeight(r, mostGaps)))
	}
	c.line("rule", margin, base, width-margin, base)
	c.add(`<polyline class="gap" points="%s"/>`, strings.Join(points, " "))
	for i, r := range rounds {
		x, y := margin+(float64(i)+0.5)*roundStep, top+gapHeight(r, mostGaps)
		c.add(`<circle class="dot" cx="%s" cy="%s" r="3.5"/>`, num(x), num(y))
		c.text("mid gaps", x, y-9, fmt.Sprint(r.OpenGaps))
	}
	note := "round; ✓ signed off"
	if left > 0 {
		note += "; the " + plural(left, "round before is", "rounds before are") + " not drawn"
	}
	c.text("soft", margin, base+38, note)
}

func gapHeight(r loopstate.Round, most int) float64 {
	return gapsBase - float64(max(r.OpenGaps, 0))/float64(most)*(gapsBase-gapsTop)
}
