package drawing

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/translations"
	"github.com/citeloop/citeloop/loopstate"
)

// noRounds is the text of a drawing without rounds.
const noRounds = "No closed rounds yet."

// Measures of the convergence drawing, in its own units: the gaps above the sources.
const (
	gapsTop   = 24.0
	gapsBase  = 68.0 // the line of zero open gaps
	barsTop   = 104.0
	barsBase  = 188.0 // the base line of the bars
	roundStep = 64.0
	barWidth  = 28.0
	margin    = 16.0
	below     = 50.0 // for the rounds' numbers and the note

	fileHead = 72.0  // of a file: title and legend
	fileMin  = 520.0 // for the legend
)

// MaxRounds is how many rounds are drawn, the last ones; the drawing notes omitted ones. A loop may have 15, and more if
// the user confirms them (loopstate.RoundsFor).
const MaxRounds = 40

// Convergence draws, by round, sources (all and new) as bars, open material gaps as a line, and sign-offs. It returns ""
// without rounds.
func Convergence(m translations.Table, rounds []loopstate.Round) string {
	if len(rounds) == 0 {
		return ""
	}
	var c canvas
	width := 2*margin + roundStep*float64(min(len(rounds), MaxRounds))
	c.open("convergence", "img", max(width, 200), barsBase+below, m.T("Convergence by round"), inWords(m, rounds))
	c.convergence(m, rounds, 0, width)
	return c.close()
}

// ConvergenceFile is Convergence as a complete file with style sheet, background and legend. Without rounds it contains a
// note.
func ConvergenceFile(rounds []loopstate.Round) string {
	var c canvas
	width := max(fileMin, 2*margin+roundStep*float64(min(len(rounds), MaxRounds)))
	c.open("convergence", "img", width, fileHead+barsBase+below, "Convergence by round", inWords(translations.Table{}, rounds))
	c.add(`<style>%s</style><rect class="ground" width="%s" height="%s" rx="8"/>`, style, num(width), num(fileHead+barsBase+below))
	c.text("head", margin, 30, "Convergence")
	if len(rounds) == 0 {
		c.text("soft", margin, 60, noRounds)
		return c.close()
	}
	c.key(54)
	c.convergence(translations.Table{}, rounds, fileHead, width)
	return c.close()
}

// inWords describes the drawing in text.
func inWords(m translations.Table, rounds []loopstate.Round) string {
	if len(rounds) == 0 {
		return noRounds
	}
	var all []string
	for _, r := range rounds {
		said := m.T("Round %d: %s, %d of them new, %s", r.Round, sourcesIn(m, r.Sources), r.NewSources, m.Count(r.OpenGaps, strconv.Itoa(r.OpenGaps), "1 open material gap", "%s open material gaps"))
		if r.SignOff {
			said += m.T(", signed off")
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

// convergence draws the rounds below a vertical offset.
func (c *canvas) convergence(m translations.Table, rounds []loopstate.Round, top, width float64) {
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
	note := m.T("round; ✓ signed off")
	if left > 0 {
		note += m.Count(left, strconv.Itoa(left), "; the 1 round before is not drawn", "; the %s rounds before are not drawn")
	}
	c.text("soft", margin, base+38, note)
}

func gapHeight(r loopstate.Round, most int) float64 {
	return gapsBase - float64(max(r.OpenGaps, 0))/float64(most)*(gapsBase-gapsTop)
}

// sourcesIn formats a number of sources in the language of a table.
func sourcesIn(m translations.Table, n int) string {
	return m.Count(n, strconv.Itoa(n), "1 source", "%s sources")
}
