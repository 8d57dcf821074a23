package server

import (
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// The picture of a loop's convergence, as a file of its own: colours for light and dark, a ground of its own and
// its key inside. The drawing in the report's page leaves all three to the page.

// Measures of the picture, in its own units: a strip for the gaps above a strip for the sources.
const (
	pictureHeight = 300
	gapsTop       = 88
	gapsBase      = 128 // no gap is open
	barsTop       = 164
	barsBase      = 244 // the line on which the bars stand
	roundStep     = 56
	barWidth      = 28
	sideMargin    = 20
	pictureMin    = 520 // the key needs it
)

// maxPictureRounds: of more rounds the last ones are drawn. A loop may have 15, and more when the user confirms
// them (loopstate.RoundsFor).
const maxPictureRounds = 40

const pictureStyle = `
.ground{fill:#fdfcf9}.rule{stroke:#8b8e95}.all{fill:#c9d3df}.new{fill:#3d6fa5}.gap{stroke:#a3242b;fill:none;stroke-width:2}.dot{fill:#a3242b}.off{fill:#1a6a3a}
text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;fill:#1e1f22}.head{font-size:15px;font-weight:600}.soft{fill:#55585f}.mid{text-anchor:middle}.gaps{fill:#a3242b}.sign{fill:#1a6a3a;font-weight:600}
@media (prefers-color-scheme:dark){.ground{fill:#16181b}.rule{stroke:#6b7078}.all{fill:#3a4653}.new{fill:#79a8dd}.gap{stroke:#f3918f}.dot{fill:#f3918f}.off{fill:#7fcb9b}text{fill:#e6e4df}.soft{fill:#a9adb5}.gaps{fill:#f3918f}.sign{fill:#7fcb9b}}
`

// convergencePicture draws sources (all, and those new in the round) as bars, open material gaps as a line, and
// sign-offs, by round. It is an SVG of numbers and our own words only.
func convergencePicture(rounds []loopstate.Round) string {
	left := max(0, len(rounds)-maxPictureRounds)
	rounds = rounds[left:]
	width := max(pictureMin, 2*sideMargin+len(rounds)*roundStep)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="t d">`, width, pictureHeight, width, pictureHeight)
	fmt.Fprintf(&b, `<title id="t">Convergence by round</title><desc id="d">%s</desc><style>%s</style>`, inWords(rounds), pictureStyle)
	fmt.Fprintf(&b, `<rect class="ground" width="%d" height="%d" rx="8"/>`, width, pictureHeight)
	fmt.Fprintf(&b, `<text class="head" x="%d" y="30">Convergence</text>`, sideMargin)
	if len(rounds) == 0 {
		fmt.Fprintf(&b, `<text class="soft" x="%d" y="60">No round is closed yet.</text></svg>`, sideMargin)
		return b.String()
	}
	writeKey(&b)
	writeBars(&b, rounds)
	writeGaps(&b, rounds)
	fmt.Fprintf(&b, `<line class="rule" x1="%d" y1="%d" x2="%d" y2="%d"/>`, sideMargin, barsBase, width-sideMargin, barsBase)
	note := "round; ✓ signed off"
	if left > 0 {
		note += fmt.Sprintf("; the %d rounds before are not drawn", left)
	}
	fmt.Fprintf(&b, `<text class="soft" x="%d" y="%d">%s</text></svg>`, sideMargin, pictureHeight-12, note)
	return b.String()
}

// inWords is the picture for those who do not see it.
func inWords(rounds []loopstate.Round) string {
	if len(rounds) == 0 {
		return "No round is closed yet."
	}
	var all []string
	for _, r := range rounds {
		said := fmt.Sprintf("Round %d: %d sources, %d of them new, %d open material gaps", r.Round, r.Sources, r.NewSources, r.OpenGaps)
		if r.SignOff {
			said += ", signed off"
		}
		all = append(all, said+".")
	}
	return strings.Join(all, " ")
}

func writeKey(b *strings.Builder) {
	const y = 54
	fmt.Fprintf(b, `<circle class="dot" cx="%d" cy="%d" r="4"/><text x="%d" y="%d">open material gaps</text>`, sideMargin+5, y-4, sideMargin+16, y)
	fmt.Fprintf(b, `<rect class="all" x="%d" y="%d" width="12" height="12"/><text x="%d" y="%d">sources</text>`, sideMargin+150, y-10, sideMargin+168, y)
	fmt.Fprintf(b, `<rect class="new" x="%d" y="%d" width="12" height="12"/><text x="%d" y="%d">new in the round</text>`, sideMargin+236, y-10, sideMargin+254, y)
	fmt.Fprintf(b, `<text class="sign" x="%d" y="%d">✓</text><text x="%d" y="%d">signed off</text>`, sideMargin+370, y, sideMargin+386, y)
}

// middle is where the round at a position is drawn.
func middle(i int) int { return sideMargin + i*roundStep + roundStep/2 }

func writeBars(b *strings.Builder, rounds []loopstate.Round) {
	most := 1
	for _, r := range rounds {
		most = max(most, r.Sources, r.NewSources)
	}
	height := func(n int) float64 { return float64(max(n, 0)) / float64(most) * (barsBase - barsTop) }
	for i, r := range rounds {
		x, all, fresh := middle(i), height(r.Sources), height(r.NewSources)
		fmt.Fprintf(b, `<rect class="all" x="%d" y="%.1f" width="%d" height="%.1f"/>`, x-barWidth/2, barsBase-all, barWidth, all)
		fmt.Fprintf(b, `<rect class="new" x="%d" y="%.1f" width="%d" height="%.1f"/>`, x-barWidth/2, barsBase-fresh, barWidth, fresh)
		fmt.Fprintf(b, `<text class="mid" x="%d" y="%.1f">%d</text>`, x, barsBase-all-6, r.Sources)
		if r.NewSources > 0 && r.NewSources != r.Sources {
			fmt.Fprintf(b, `<text class="soft" x="%d" y="%d">+%d</text>`, x+barWidth/2+1, barsBase-2, r.NewSources)
		}
		class, label := "mid", fmt.Sprint(r.Round)
		if r.SignOff {
			class, label = "mid sign", label+" ✓"
		}
		fmt.Fprintf(b, `<text class="%s" x="%d" y="%d">%s</text>`, class, x, barsBase+18, label)
	}
}

func writeGaps(b *strings.Builder, rounds []loopstate.Round) {
	most := 1
	for _, r := range rounds {
		most = max(most, r.OpenGaps)
	}
	var line, dots strings.Builder
	for i, r := range rounds {
		x, y := middle(i), gapsBase-float64(max(r.OpenGaps, 0))/float64(most)*(gapsBase-gapsTop)
		fmt.Fprintf(&line, "%d,%.1f ", x, y)
		fmt.Fprintf(&dots, `<circle class="dot" cx="%d" cy="%.1f" r="4"/><text class="mid gaps" x="%d" y="%.1f">%d</text>`, x, y, x, y-9, r.OpenGaps)
	}
	fmt.Fprintf(b, `<polyline class="gap" points="%s"/>%s`, strings.TrimSpace(line.String()), dots.String())
}
