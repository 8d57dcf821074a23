package report

import (
	"fmt"
	"time"

	"github.com/citeloop/citeloop/internal/report/drawing"
)

// roundRow is a row of the rounds table, in words.
type roundRow struct {
	Round, Sources, NewSources, Claims, OpenGaps int
	Took, Unseen, Signed                         string
}

// roundRows returns the rows, and whether any has a duration and an estimate: columns without values are omitted.
func (f facts) roundRows() (rows []roundRow, timed, estimated bool) {
	signs := f.signOffs()
	for i, r := range f.Rounds {
		row := roundRow{Round: r.Round, Sources: r.Sources, NewSources: r.NewSources, Claims: r.Claims, OpenGaps: r.OpenGaps, Took: "–", Unseen: "–", Signed: signs[i]}
		if r.TookMS > 0 {
			row.Took, timed = drawing.FormatDuration(time.Duration(r.TookMS)*time.Millisecond), true
		}
		if u := r.Unseen; u != nil {
			row.Unseen, estimated = f.words.T("%d (%d to %d)", u.Unseen, u.Low, u.High), true
		}
		rows = append(rows, row)
	}
	return rows, timed, estimated
}

// signOffs returns the sign-off of each round with the number of consecutive ones: "yes ×2".
func (f facts) signOffs() []string {
	out := make([]string, len(f.Rounds))
	n := 0
	for i, r := range f.Rounds {
		if !r.SignOff {
			n, out[i] = 0, f.words.T("no")
			continue
		}
		n++
		out[i] = fmt.Sprintf("%s ×%d", f.words.T("yes"), n)
	}
	return out
}
