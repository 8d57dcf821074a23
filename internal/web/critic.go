package web

import (
	"github.com/citeloop/citeloop/internal/views"
	"github.com/citeloop/citeloop/loopstate"
)

// pointRow is a point of a critic of the draft.
type pointRow struct {
	loopstate.Point
	Round  int // in which the critic read the draft
	Answer string
}

const (
	maxPointRows = 50 // on the page (chosen: those of two critics); the newest count
	// Characters of each text of a point (chosen: the page stays below 2.5 MB with the worst texts; the report has them whole).
	maxPointShown, maxLinesShown, maxWhyShown = 280, 40, 100
)

// pointWords are the answers in words.
var pointWords = map[string]string{"": "Without an answer", loopstate.PointTaken: "Taken", loopstate.PointPartly: "Taken in part", loopstate.PointRefused: "Refused"}

// pointRows returns the points of the critics with the rounds that they are of.
func pointRows(detail views.LoopDetail) []pointRow {
	var rows []pointRow
	for _, p := range detail.Points[max(0, len(detail.Points)-maxPointRows):] {
		p.What, p.Lines, p.Why = short(maxPointShown, p.What), short(maxLinesShown, p.Lines), short(maxWhyShown, p.Why)
		row := pointRow{Point: p, Answer: pointWords[p.Answer]}
		if i := p.Critic - 1; i >= 0 && i < len(detail.Critics) {
			row.Round = detail.Critics[i].Round
		}
		rows = append(rows, row)
	}
	return rows
}
