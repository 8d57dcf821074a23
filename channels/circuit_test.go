package channels

import (
	"testing"
	"time"
)

func TestCircuit(t *testing.T) {
	down := failure(StatusUnavailable, "down")
	tests := []struct {
		name  string
		steps []any // *Failure or nil (an outcome of an allowed search), time.Duration (time passes)
		open  bool  // whether a search is refused in the end
	}{
		{"new", nil, false},
		{"two failures", []any{down, down}, false},
		{"three failures", []any{down, down, down}, true},
		{"a success in between", []any{down, down, nil, down, down}, false},
		{"a refusal of ours in between changes nothing", []any{down, down, &Failure{Status: StatusRateLimited, inconclusive: true}, down}, true},
		{"wrong keys do not open it", []any{failure(StatusAuthRequired, ""), failure(StatusAuthRequired, ""), failure(StatusAuthRequired, "")}, false},
		{"rejected requests do not open it", []any{failure(StatusError, ""), failure(StatusError, ""), failure(StatusError, "")}, false},
		{"kinds of failure add up", []any{failure(StatusMalformed, ""), failure(StatusBlocked, ""), failure(StatusRateLimited, "")}, true},
		{"before the minute is over", []any{down, down, down, circuitOpenFor - time.Second}, true},
		{"after the minute", []any{down, down, down, circuitOpenFor}, false},
		{"the trial fails", []any{down, down, down, circuitOpenFor, down}, true},
		{"the trial succeeds", []any{down, down, down, circuitOpenFor, nil, down, down}, false},
		{"the trial is given up", []any{down, down, down, circuitOpenFor, &Failure{Status: StatusUnavailable, inconclusive: true}}, false},
		{"the source asked for longer", []any{down, down, &Failure{Status: StatusRateLimited, RetryAfter: 5 * time.Minute}, 4 * time.Minute}, true},
		{"the source asked for a year", []any{down, down, &Failure{Status: StatusRateLimited, RetryAfter: 365 * 24 * time.Hour}, circuitOpenMax}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			clock := newClock()
			c := &circuit{now: clock.Now}
			for i, step := range tt.steps {
				switch step := step.(type) {
				case time.Duration:
					clock.pass(step)
					continue
				case *Failure:
					if f := c.allow(); f != nil {
						t.Fatalf("step %d refused: %v", i, f)
					}
					c.done(step)
				case nil:
					if f := c.allow(); f != nil {
						t.Fatalf("step %d refused: %v", i, f)
					}
					c.done(nil)
				}
			}
			f := c.allow()
			if (f != nil) != tt.open {
				t.Errorf("refused: %v, want %v", f, tt.open)
			}
			if f != nil && (f.RetryAfter <= 0 || !f.inconclusive) {
				t.Errorf("refusal %+v", f)
			}
		})
	}
}

func TestCircuitLetsOneTrialThrough(t *testing.T) {
	clock := newClock()
	c := &circuit{now: clock.Now}
	for range circuitFailures {
		_ = c.allow()
		c.done(failure(StatusUnavailable, "down"))
	}
	clock.pass(circuitOpenFor)
	if f := c.allow(); f != nil {
		t.Fatalf("the first is refused: %v", f)
	}
	if f := c.allow(); f == nil {
		t.Error("a second is let through beside the trial")
	}
}
