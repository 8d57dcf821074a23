package resilience

import (
	"errors"
	"testing"
	"time"
)

func TestBreaker(t *testing.T) {
	type (
		fail    time.Duration // an allowed request fails, and the service asks for this wait
		succeed struct{}
		abandon struct{}
		pass    time.Duration
		late    struct{} // a request fails that was in progress when the breaker opened
	)
	const openFor, openMax = time.Minute, 5 * time.Minute
	tests := []struct {
		name  string
		steps []any
		left  time.Duration // until the next request is allowed; 0 = now
	}{
		{"new", nil, 0},
		{"two failures", []any{fail(0), fail(0)}, 0},
		{"three failures", []any{fail(0), fail(0), fail(0)}, openFor},
		{"a success in between", []any{fail(0), fail(0), succeed{}, fail(0), fail(0)}, 0},
		{"an abandoned request in between changes nothing", []any{fail(0), fail(0), abandon{}, fail(0)}, openFor},
		{"before it is over", []any{fail(0), fail(0), fail(0), pass(openFor - time.Second)}, time.Second},
		{"after it", []any{fail(0), fail(0), fail(0), pass(openFor)}, 0},
		{"the trial fails", []any{fail(0), fail(0), fail(0), pass(openFor), fail(0)}, 2 * openFor},
		{"trials keep failing", []any{fail(0), fail(0), fail(0), pass(openFor), fail(0), pass(openMax), fail(0), pass(openMax), fail(0)},
			openMax},
		{"the trial succeeds", []any{fail(0), fail(0), fail(0), pass(openFor), succeed{}, fail(0), fail(0)}, 0},
		{"open for as long as at first after a success", []any{fail(0), fail(0), fail(0), pass(openFor), fail(0), pass(openMax), succeed{},
			fail(0), fail(0), fail(0)}, openFor},
		{"the trial is abandoned", []any{fail(0), fail(0), fail(0), pass(openFor), abandon{}}, 0},
		{"the service asks for longer", []any{fail(0), fail(0), fail(3 * time.Minute)}, 3 * time.Minute},
		{"the service asks for a year", []any{fail(0), fail(0), fail(365 * 24 * time.Hour)}, openMax},
		{"late failures prolong it no further", []any{fail(0), fail(0), fail(3 * time.Minute), late{}, late{}}, 3 * time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
			b := &Breaker{Failures: 3, OpenFor: openFor, OpenMax: openMax, Now: func() time.Time { return now }}
			down := errors.New("down")
			for i, step := range tt.steps {
				switch step := step.(type) {
				case pass:
					now = now.Add(time.Duration(step))
					continue
				case late:
					b.Fail(down, 0)
					continue
				}
				if open := b.Allow(); open != nil {
					t.Fatalf("step %d refused: %v", i, open)
				}
				switch step := step.(type) {
				case fail:
					b.Fail(down, time.Duration(step))
				case succeed:
					b.Succeed()
				case abandon:
					b.Abandon()
				}
			}
			var until time.Time
			if tt.left > 0 {
				until = now.Add(tt.left)
			}
			if got := b.OpenUntil(); !got.Equal(until) {
				t.Errorf("open until %s, want %s", got, until)
			}
			open := b.Allow()
			if (open != nil) != (tt.left > 0) {
				t.Fatalf("refused: %v, want %v", open, tt.left > 0)
			}
			if open != nil && (open.Left != tt.left || !open.Until.Equal(until) || open.Last != down || open.Failures < 3) {
				t.Errorf("refusal %+v", open)
			}
		})
	}
}

func TestBreakerLetsOneTrialThrough(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	b := &Breaker{Failures: 1, OpenFor: time.Minute, OpenMax: time.Hour, Now: func() time.Time { return now }}
	b.Fail(errors.New("down"), 0)
	now = now.Add(time.Minute)
	if open := b.Allow(); open != nil {
		t.Fatalf("the first is refused: %v", open)
	}
	if open := b.Allow(); open == nil || !open.Trying {
		t.Errorf("a second beside the trial: %+v", open)
	}
}
