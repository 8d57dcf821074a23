package storage

import (
	"context"
	"testing"
	"time"
)

// Turns and holds of a clock that was set back are ignored.
func TestNextTurn(t *testing.T) {
	const second, minute = int64(1_000_000), int64(60_000_000)
	now := 1_000 * minute
	for _, tt := range []struct {
		name       string
		burst      int
		next, held int64
		start, end int64
	}{
		{"the first", 1, 0, 0, now, now + second},
		{"after one that was taken", 1, now + 5*second, 0, now + 5*second, now + 6*second},
		{"within a burst", 3, now + 2*second, 0, now, now + 3*second},
		{"after a burst", 3, now + 3*second, 0, now + second, now + 4*second},
		{"while held", 3, now, now + minute, now + minute, now + minute + 3*second},
		{"a clock that was set back", 1, now + 1_000*minute, now + 1_000*minute, now, now + second},
	} {
		start, end := Turn{Next: tt.next, Held: tt.held}.next(time.Second, tt.burst, now)
		if start != tt.start || end != tt.end {
			t.Errorf("%s: from %d to %d, want %d to %d", tt.name, start-now, end-now, tt.start-now, tt.end-now)
		}
	}
}

// setBack has a row from a clock that was set back three days.
type setBack struct{ row Turn }

func (s *setBack) ChangeTurn(_ context.Context, _ string, change func(*Turn, int64) bool) error {
	change(&s.row, 0)
	return nil
}

func (s *setBack) HeldTurns(context.Context, string) (map[string]Turn, int64, error) {
	return map[string]Turn{"x": s.row}, 0, nil
}

func TestHoldOfAClockThatWasSetBack(t *testing.T) {
	later := (72 * time.Hour).Microseconds()
	turns := Turns{&setBack{Turn{Next: later, Held: later}}}
	if left, err := turns.Held(t.Context(), "x"); left != 0 || err != nil {
		t.Errorf("held for %s, %v", left, err)
	}
	if err := turns.Hold(t.Context(), "x", time.Minute); err != nil {
		t.Fatal(err)
	}
	if left, err := turns.Held(t.Context(), "x"); left != time.Minute || err != nil {
		t.Errorf("held for %s, %v", left, err)
	}
}
