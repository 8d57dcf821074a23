package web

import "github.com/citeloop/citeloop/loopstate"

// chart is the convergence of a loop: sources as bars and open material gaps as a line, by round. The rounds table
// says the same in figures.
type chart struct {
	Width, Base       int
	Bars              []chartBar
	Line              string
	First, Last       loopstate.Round
	MostSources, Gaps int
}

type chartBar struct {
	Round, X, Mid          int
	All, New, Gaps         int // figures
	AllTop, AllHigh        int // the bar of all sources
	NewTop, NewHigh, GapsY int
	SignOff                bool
}

// Measures of the drawing, in its own units.
const (
	chartLeft, chartStep, chartBarWide = 8, 56, 28
	chartTop, chartBase                = 90, 160
	chartGapTop, chartGapBase          = 22, 62
	// maxChartRounds: of more, the last are drawn.
	maxChartRounds = 24
)

func chartOf(rounds []loopstate.Round) chart {
	rounds = rounds[max(0, len(rounds)-maxChartRounds):]
	c := chart{Width: 2*chartLeft + chartStep*len(rounds), Base: chartBase}
	if len(rounds) < 2 {
		return c
	}
	most, gaps := 1, 1
	for _, r := range rounds {
		most, gaps = max(most, r.Sources), max(gaps, r.OpenGaps)
	}
	c.First, c.Last, c.MostSources, c.Gaps = rounds[0], rounds[len(rounds)-1], most, gaps
	for i, r := range rounds {
		x := chartLeft + i*chartStep
		all, fresh := r.Sources*(chartBase-chartTop)/most, min(r.NewSources, r.Sources)*(chartBase-chartTop)/most
		b := chartBar{Round: r.Round, X: x + (chartStep-chartBarWide)/2, Mid: x + chartStep/2, All: r.Sources, New: r.NewSources, Gaps: r.OpenGaps,
			AllTop: chartBase - all, AllHigh: all, NewTop: chartBase - fresh, NewHigh: fresh, SignOff: r.SignOff,
			GapsY: chartGapBase - r.OpenGaps*(chartGapBase-chartGapTop)/gaps}
		c.Bars = append(c.Bars, b)
		c.Line += itoa(b.Mid) + "," + itoa(b.GapsY) + " "
	}
	return c
}
