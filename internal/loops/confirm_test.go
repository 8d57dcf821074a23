package loops_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// beforeRound returns a loop with a budget of rounds and a hit in the open round.
func (h *harness) beforeRound(round, budget int) string {
	h.t.Helper()
	started := must(h.Start(h.t.Context(), loopstate.StartInput{Query: "q", Budget: loopstate.BudgetInput{Rounds: &budget}}))(h.t)
	for range round - 1 {
		must(h.Reflect(h.t.Context(), started.StateID, "", loopstate.CloseInput{}, nil))(h.t)
	}
	h.update(started.StateID, loopstate.UpdateInput{Query: "q", Evidence: []loopstate.Evidence{{Title: "T", URL: "https://example.org/a", Source: "x"}}})
	return started.StateID
}

func (h *harness) update(loop string, in loopstate.UpdateInput) loops.Updated {
	h.t.Helper()
	return must(h.Update(h.t.Context(), loop, "", in))(h.t)
}

// stateOf returns the fold of a loop's log.
func (h *harness) stateOf(loop string) *loopstate.State {
	h.t.Helper()
	return must(loopstate.Fold(nil, h.Store.Load(h.t.Context(), loop, 0)))(h.t)
}

// material closes a round with an open material gap.
func material(words string) loopstate.CloseInput {
	return loopstate.CloseInput{Gaps: []loopstate.GapInput{{Gap: words}}}
}

func TestWhenTheUserIsAsked(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name          string
		round, budget int
		before        loopstate.UpdateInput
		want          *loops.RoundsQuestion
	}{
		{"the round before", 7, 15, loopstate.UpdateInput{}, nil},
		{"the round", 8, 15, loopstate.UpdateInput{}, &loops.RoundsQuestion{Query: "q", Round: 8, MaterialGaps: 1, Least: 9, Most: 15}},
		{"a later one that was never confirmed", 11, 15, loopstate.UpdateInput{}, &loops.RoundsQuestion{Query: "q", Round: 11, MaterialGaps: 1, Least: 12, Most: 15}},
		{"the last but one", 14, 15, loopstate.UpdateInput{}, &loops.RoundsQuestion{Query: "q", Round: 14, MaterialGaps: 1, Least: 15, Most: 15}},
		{"the last", 15, 15, loopstate.UpdateInput{}, nil},
		{"a budget that ends with it", 8, 8, loopstate.UpdateInput{}, nil},
		{"confirmed before", 8, 15, loopstate.UpdateInput{ConfirmRounds: 10}, nil},
		{"confirmed until now", 10, 15, loopstate.UpdateInput{ConfirmRounds: 10}, &loops.RoundsQuestion{Query: "q", Round: 10, MaterialGaps: 1, Least: 11, Most: 15}},
		{"confirmed beyond the budget", 16, 15, loopstate.UpdateInput{ConfirmRounds: 20}, nil},
		{"the tokens are spent", 8, 15, loopstate.UpdateInput{Usage: loopstate.Usage{Tokens: loopstate.DefaultTokens}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHarness(t)
			loop := h.beforeRound(tt.round, tt.budget)
			h.update(loop, tt.before)
			var got *loops.RoundsQuestion
			_, err := h.Reflect(t.Context(), loop, "", material("open"), func(_ context.Context, q loops.RoundsQuestion) (int, error) {
				got = &q
				return 0, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("question (-want +got):\n%s", diff)
			}
			if st := h.stateOf(loop); st.Round != tt.round {
				t.Errorf("%d rounds closed", st.Round)
			}
		})
	}
}

// Two sign-offs end a loop; a question about more rounds says so.
func TestRoundsQuestionOfAFinishedLoop(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.beforeRound(7, 15)
	h.reflect(loop, loopstate.CloseInput{SignOff: true})
	var ends string
	if _, err := h.Reflect(t.Context(), loop, "", loopstate.CloseInput{SignOff: true}, func(_ context.Context, q loops.RoundsQuestion) (int, error) {
		ends = q.Ends
		return 0, nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := "complete: two sign-offs in a row with no material gap open and no evaluator failure"; ends != want {
		t.Errorf("ends %q, want %q", ends, want)
	}
}

// While the user is asked, and after asking failed, the loop is unchanged.
func TestAskingChangesNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.beforeRound(8, 15)
	before, err := h.stateOf(loop).MarshalSnapshot()
	if err != nil {
		t.Fatal(err)
	}
	same := func(when string) {
		t.Helper()
		after, err := h.stateOf(loop).MarshalSnapshot()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(before), string(after)); diff != "" {
			t.Errorf("%s (-before +after):\n%s", when, diff)
		}
	}
	gone := errors.New("gone")
	_, err = h.Reflect(t.Context(), loop, "", material("open"), func(context.Context, loops.RoundsQuestion) (int, error) {
		same("while the user is asked")
		// Other calls can change the loop in the meantime.
		if _, err := h.State(t.Context(), loops.ViewInput{Loop: loop}); err != nil {
			t.Error(err)
		}
		return 12, gone
	})
	if !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
	same("after asking failed")
	if _, err := h.Reflect(t.Context(), loop, "", loopstate.CloseInput{AnsweredGaps: []string{"G99"}}, func(context.Context, loops.RoundsQuestion) (int, error) {
		t.Error("the user is asked about a call that is wrong")
		return 0, nil
	}); err == nil {
		t.Error("an unknown gap is accepted")
	}
	same("after a wrong call")
}

func TestAnswersToTheRoundsQuestion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ rounds, want int }{{0, 0}, {-1, 0}, {8, 0}, {9, 9}, {15, 15}, {16, 0}, {1 << 40, 0}} {
		t.Run(fmt.Sprint(tt.rounds), func(t *testing.T) {
			h := newHarness(t)
			loop := h.beforeRound(8, 15)
			got := must(h.Reflect(t.Context(), loop, "", material("open"), func(context.Context, loops.RoundsQuestion) (int, error) { return tt.rounds, nil }))(t)
			st := h.stateOf(loop)
			if st.ConfirmedRounds != tt.want || st.Round != 8 || (got.Decision.NextAction == loopstate.EscalateBudget) != (tt.want == 0) || got.Round.Decision.NextAction != got.Decision.NextAction {
				t.Errorf("%d confirmed, %d closed, decision %s, row's %s", st.ConfirmedRounds, st.Round, got.Decision.NextAction, got.Round.Decision.NextAction)
			}
		})
	}
}
