package citing

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/citeloop/citeloop/internal/grounding"
)

// While others use all turns, a check waits, and ends with its context. It runs as soon as one turn is free.
func TestChecksTakeTurns(t *testing.T) {
	texts := []grounding.Source{{ID: "S1", Text: "The lamp of the harbour burned 40 litres of oil in a week."}}
	checker := grounding.NewChecker(texts)
	claims := func() []Claim {
		claims := make([]Claim, 9)
		for i := range claims {
			claims[i] = New("The lamp burned 40 litres of oil in a week.", "S1")
			claims[i].Ask("S1", "")
		}
		return claims
	}
	synctest.Test(t, func(t *testing.T) {
		if err := turns.Acquire(t.Context(), int64(cores)); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		waiting := claims()
		if _, err := Check(ctx, checker, waiting); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a check without a turn ended with %v", err)
		}
		if waiting[0].Status != "" {
			t.Error("a claim was checked without a turn")
		}
		if _, err := Prepare(ctx, nil, texts); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("texts without a turn: %v", err)
		}
		turns.Release(1)
		later := claims()
		if _, err := Check(t.Context(), checker, later); err != nil || later[8].Status == "" {
			t.Errorf("with one turn: %v, status %q", err, later[8].Status)
		}
		turns.Release(int64(cores) - 1)
	})
}
