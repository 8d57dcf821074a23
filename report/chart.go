package report

import (
	"fmt"
	"html/template"
	"strings"
)

// Measures of the convergence drawing, in its own units: a strip for the gaps above a strip for the sources.
const (
	chartHeight  = 196
	chartGapTop  = 24
	chartGapBase = 64
	chartTop     = 98
	chartBase    = 160 // the line on which the bars stand
	chartLeft    = 12
	chartStep    = 64 // a round
	chartBar     = 30
)

// maxChartRounds: more rounds than this are read from the table alone. A loop may have 15, and more when
// the user confirms them (loopstate.RoundsFor).
const maxChartRounds = 24

// convergence draws the sources (all, and those new in the round) as bars and the open material gaps as a
// line, by round. The rounds table says the same in figures, so the drawing is one image to a screen reader.
func convergence(f facts) template.HTML {
	n := len(f.Rounds)
	if n < 2 || n > maxChartRounds {
		return ""
	}
	most, mostGaps := 1, 1
	for _, r := range f.Rounds {
		most, mostGaps = max(most, r.Sources, r.NewSources), max(mostGaps, r.OpenGaps)
	}
	bar := func(v int) float64 { return float64(max(v, 0)) / float64(most) * (chartBase - chartTop) }
	first, last := f.Rounds[0], f.Rounds[n-1]
	width := 2*chartLeft + n*chartStep
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="chart-title">`, width, chartHeight, width, chartHeight)
	fmt.Fprintf(&b, `<title id="chart-title">Convergence over %d rounds: sources from %d to %d, open material gaps from %d to %d</title>`,
		n, first.Sources, last.Sources, first.OpenGaps, last.OpenGaps)
	var line, dots strings.Builder
	for i, r := range f.Rounds {
		x := chartLeft + i*chartStep
		mid := x + chartStep/2
		all, fresh := bar(r.Sources), bar(r.NewSources)
		fmt.Fprintf(&b, `<rect class="bar-all" x="%d" y="%.1f" width="%d" height="%.1f"/>`, mid-chartBar/2, chartBase-all, chartBar, all)
		fmt.Fprintf(&b, `<rect class="bar-new" x="%d" y="%.1f" width="%d" height="%.1f"/>`, mid-chartBar/2, chartBase-fresh, chartBar, fresh)
		fmt.Fprintf(&b, `<text class="tick" x="%d" y="%.1f">%d</text>`, mid, chartBase-all-6, r.Sources)
		mark := fmt.Sprintf("%d", r.Round)
		if r.SignOff {
			mark += " ✓"
		}
		fmt.Fprintf(&b, `<text class="tick" x="%d" y="%d">%s</text>`, mid, chartBase+18, mark)
		y := chartGapBase - float64(max(r.OpenGaps, 0))/float64(mostGaps)*(chartGapBase-chartGapTop)
		fmt.Fprintf(&line, "%d,%.1f ", mid, y)
		fmt.Fprintf(&dots, `<circle class="gap-dot" cx="%d" cy="%.1f" r="3.5"/>`, mid, y)
		fmt.Fprintf(&dots, `<text class="gap-value" x="%d" y="%.1f">%d</text>`, mid, y-8, r.OpenGaps)
	}
	fmt.Fprintf(&b, `<line class="axis" x1="%d" y1="%d" x2="%d" y2="%d"/>`, chartLeft, chartBase, width-chartLeft, chartBase)
	fmt.Fprintf(&b, `<polyline class="gap-line" points="%s"/>%s`, strings.TrimSpace(line.String()), dots.String())
	fmt.Fprintf(&b, `<text class="axis-name" x="%d" y="%d">round (✓ signed off)</text></svg>`, chartLeft, chartHeight-4)
	return template.HTML(b.String()) //nolint:gosec // numbers and our own words only
}
