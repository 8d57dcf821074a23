package web

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// The page shows each point with the round of its critic and the author's answer.
func TestPointRows(t *testing.T) {
	answered := loopstate.Point{ID: "P1", What: "a", Critic: 1, Answer: loopstate.PointRefused, Why: "no"}
	open, stray := loopstate.Point{ID: "P2", What: "b", Critic: 2}, loopstate.Point{ID: "P3", Critic: 9, Answer: loopstate.PointTaken}
	got := pointRows(loops.LoopDetail{Critics: []loopstate.CriticReading{{Round: 3}, {Round: 4}}, Points: []loopstate.Point{answered, open, stray}})
	want := []pointRow{{answered, 3, "Refused"}, {open, 4, "Without an answer"}, {stray, 0, "Taken"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := pointRows(loops.LoopDetail{Points: make([]loopstate.Point, 500)}); len(got) != maxPointRows {
		t.Errorf("%d rows", len(got))
	}
}
