package resilience

import (
	"errors"
	"testing"
	"time"
)

func TestCircuit(t *testing.T) {
	type (
		fails  int           // requests that fail
		asks   time.Duration // the fifth fails, and the host asks for this wait
		late   struct{}      // a request fails that was in progress when the circuit opened
		passes time.Duration
		works  struct{}
		unsaid struct{} // a request without a result
	)
	tests := []struct {
		name  string
		steps []any
		left  time.Duration // until the next request is allowed; 0 = now
	}{
		{"new", nil, 0},
		{"four failures", []any{fails(4)}, 0},
		{"five failures", []any{fails(5)}, hostOpenFor},
		{"a success in between", []any{fails(4), works{}, fails(4)}, 0},
		{"a request without a result in between changes nothing", []any{fails(4), unsaid{}, fails(1)}, hostOpenFor},
		{"before it is over", []any{fails(5), passes(hostOpenFor - time.Second)}, time.Second},
		{"after it", []any{fails(5), passes(hostOpenFor)}, 0},
		{"the trial fails", []any{fails(5), passes(hostOpenFor), fails(1)}, 2 * hostOpenFor},
		{"the trial succeeds", []any{fails(5), passes(hostOpenFor), works{}, fails(4)}, 0},
		{"the trial has no result", []any{fails(5), passes(hostOpenFor), unsaid{}}, 0},
		{"as long as at first after a success", []any{fails(5), passes(hostOpenFor), works{}, fails(5)}, hostOpenFor},
		{"the host asks for longer", []any{fails(4), asks(3 * time.Minute)}, 3 * time.Minute},
		{"the host asks for a year", []any{fails(4), asks(365 * 24 * time.Hour)}, hostOpenMax},
		{"late failures prolong it no further", []any{fails(4), asks(3 * time.Minute), late{}, late{}}, 3 * time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now, c := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), circuit{}
			try := func(r Result) {
				if err := c.allow("a", now); err != nil {
					t.Fatalf("refused: %v", err)
				}
				c.record(r, now)
			}
			for _, step := range tt.steps {
				switch step := step.(type) {
				case fails:
					for range step {
						try(Result{Err: errDown, Failed: true})
					}
				case asks:
					try(Result{Err: errDown, Failed: true, After: time.Duration(step)})
				case late:
					c.record(Result{Err: errDown, Failed: true}, now)
				case passes:
					now = now.Add(time.Duration(step))
				case works:
					try(Result{})
				case unsaid:
					try(Result{Unasked: true})
				}
			}
			err := c.allow("a", now)
			down, _ := errors.AsType[*DownError](err)
			if (down != nil) != (tt.left > 0) {
				t.Fatalf("refused: %v, want %v", err, tt.left > 0)
			}
			if down != nil && (down.Left != tt.left || !down.Until.Equal(now.Add(tt.left)) || down.Last != errDown) {
				t.Errorf("refusal %+v", down)
			}
			if down == nil && !c.until.IsZero() && c.allow("a", now) == nil {
				t.Error("a second request beside the trial is allowed")
			}
		})
	}
}
