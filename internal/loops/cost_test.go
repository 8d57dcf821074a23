package loops_test

import (
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// The cost of a loop includes the open round and the closed ones.
func TestCost(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("What happened?")
	cost := func(round int) loopstate.Answered {
		t.Helper()
		v := h.view(loops.ViewInput{Loop: loop, View: "rounds", Round: round})
		return v.Cost.Answered
	}
	h.CountAnswer(t.Context(), loop, 1_000)
	h.CountAnswer(t.Context(), loop, 500)
	h.CountAnswer(t.Context(), "another", 9)
	if got := cost(0); got != (loopstate.Answered{Calls: 2, Chars: 1_500}) {
		t.Errorf("in the first round: %+v", got)
	}
	h.reflect(loop, loopstate.CloseInput{})
	h.CountAnswer(t.Context(), loop, 200)
	if got := cost(0); got != (loopstate.Answered{Calls: 3, Chars: 1_700}) {
		t.Errorf("in the second round: %+v", got)
	}
	if got := cost(1); got != (loopstate.Answered{Calls: 2, Chars: 1_500}) {
		t.Errorf("at the end of the first round: %+v", got)
	}
}

// A process that ends writes its count to the log. The loop does not count as changed.
func TestCostOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("What happened?")
	before := h.view(loops.ViewInput{Loop: loop})
	h.CountAnswer(t.Context(), loop, 1_000)
	h.CountAnswer(loops.AsOnlooker(t.Context()), loop, 7)
	h.CountAnswer(t.Context(), "another", 9)
	for range 2 { // the second time there is nothing to write
		noError(t, h.SaveCosts(t.Context()))
	}
	cfg := h.Config
	again := loops.New(cfg)
	again.CountAnswer(t.Context(), loop, 500)
	after := done(h, again.State, loops.ViewInput{Loop: loop})
	if want := (loopstate.Answered{Calls: 2, Chars: 1_500}); after.Cost.Answered != want {
		t.Errorf("cost %+v, want %+v", after.Cost.Answered, want)
	}
	if after.Version != before.Version+1 || after.Cost.Minutes != before.Cost.Minutes {
		t.Errorf("version %d after %d, %v minutes after %v", after.Version, before.Version, after.Cost.Minutes, before.Cost.Minutes)
	}
}
