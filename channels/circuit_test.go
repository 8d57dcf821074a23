package channels

import (
	"strings"
	"testing"
	"time"
)

// The circuit opens after three failures of some kinds in a row.
func TestFailuresThatOpenTheCircuit(t *testing.T) {
	tests := []struct {
		name     string
		failures [circuitFailures]*Failure
		open     bool
	}{
		{"down", [...]*Failure{Fail(StatusUnavailable, "down"), Fail(StatusUnavailable, "down"), Fail(StatusUnavailable, "down")}, true},
		{"kinds of failure add up", [...]*Failure{Fail(StatusMalformed, ""), Fail(StatusBlocked, ""), Fail(StatusRateLimited, "")}, true},
		{"wrong keys", [...]*Failure{Fail(StatusAuthRequired, ""), Fail(StatusAuthRequired, ""), Fail(StatusAuthRequired, "")}, false},
		{"rejected requests", [...]*Failure{Fail(StatusError, ""), Fail(StatusError, ""), Fail(StatusError, "")}, false},
		{"a success", [...]*Failure{Fail(StatusUnavailable, ""), nil, Fail(StatusUnavailable, "")}, false},
		{"our own rate limit", [...]*Failure{ownPace(1), ownPace(1), ownPace(1)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			circuit := newCircuit(func() time.Time { return time.Unix(1, 0) })
			for _, f := range tt.failures {
				if open := circuit.Allow(); open != nil {
					t.Fatalf("refused early: %v", open)
				}
				recordOutcome(circuit, f)
			}
			open := circuit.Allow()
			if (open != nil) != tt.open {
				t.Fatalf("refused: %v, want %v", open, tt.open)
			}
			if open == nil {
				return
			}
			last := tt.failures[circuitFailures-1]
			if f := circuitOpen(open); f.Status != last.Status || f.RetryAfter != circuitOpenFor || !f.Inconclusive || !strings.Contains(f.Message, last.Message) {
				t.Errorf("refusal %+v", f)
			}
		})
	}
}
