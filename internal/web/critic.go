package web

import (
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// pointRow is a point of a critic of the draft.
type pointRow struct {
	loopstate.Point
	Round  int // in which the critic read the draft
	Answer string
}

const (
	maxPointRows  = 100 // on the page (chosen: those of four critics); the newest count
	maxPointShown = 600 // characters of each text (chosen); the report has all
)

// pointWords are the answers in words.
var pointWords = map[string]string{"": "Without an answer", loopstate.PointTaken: "Taken", loopstate.PointPartly: "Taken in part", loopstate.PointRefused: "Refused"}

// pointRows returns the points of the critics with the rounds that they are of.
func pointRows(detail loops.LoopDetail) []pointRow {
	var rows []pointRow
	for _, p := range detail.Points[max(0, len(detail.Points)-maxPointRows):] {
		p.What, p.Lines, p.Why = short(maxPointShown, p.What), short(maxPointShown, p.Lines), short(maxPointShown, p.Why)
		row := pointRow{Point: p, Answer: pointWords[p.Answer]}
		if i := p.Critic - 1; i >= 0 && i < len(detail.Critics) {
			row.Round = detail.Critics[i].Round
		}
		rows = append(rows, row)
	}
	return rows
}
