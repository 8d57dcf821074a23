package web

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// The summary is of the running round, of a past one, or of the one in which the loop was stopped.
func TestSummaryOfARound(t *testing.T) {
	searched := func(rounds ...int) (out []loopstate.Search) {
		for _, n := range rounds {
			out = append(out, loopstate.Search{Round: n})
		}
		return out
	}
	loop := func(status string, closed int, searches []loopstate.Search) loops.LoopDetail {
		return loops.LoopDetail{Closed: closed, View: loops.View{Status: status, Rounds: make([]loopstate.Round, closed), Searches: searches}}
	}
	type seen struct {
		Round, Searches int
		Running         bool
	}
	for _, tt := range []struct {
		name string
		at   int
		p    loops.LoopDetail
		want seen
	}{
		{"running", 0, loop(loopstate.StatusRunning, 2, searched(1, 2, 3, 3)), seen{3, 2, true}},
		{"a past round", 1, loop(loopstate.StatusRunning, 2, searched(1, 2, 3)), seen{1, 1, false}},
		{"finished", 0, loop(loopstate.StatusFinished, 2, searched(1, 2, 2)), seen{2, 2, false}},
		{"stopped in its first round", 0, loop(loopstate.StatusAborted, 0, searched(1)), seen{1, 1, false}},
		{"stopped before anything", 0, loop(loopstate.StatusAborted, 0, nil), seen{1, 0, false}},
		{"stopped in a later one", 0, loop(loopstate.StatusAborted, 2, searched(1, 2, 3)), seen{3, 1, false}},
		{"stopped between two", 0, loop(loopstate.StatusAborted, 2, searched(1, 2)), seen{2, 1, false}},
	} {
		got := roundOf(tt.p, tt.at)
		if diff := cmp.Diff(tt.want, seen{got.Round, got.Searches, got.Running}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
