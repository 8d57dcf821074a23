package channels

import (
	"strings"
	"testing"
)

// The circuit opens after three failures of some kinds in a row.
func TestFailuresThatOpenTheCircuit(t *testing.T) {
	tests := []struct {
		name     string
		failures [circuitFailures]*Failure
		open     bool
	}{
		{"down", [...]*Failure{failure(StatusUnavailable, "down"), failure(StatusUnavailable, "down"), failure(StatusUnavailable, "down")}, true},
		{"kinds of failure add up", [...]*Failure{failure(StatusMalformed, ""), failure(StatusBlocked, ""), failure(StatusRateLimited, "")}, true},
		{"wrong keys", [...]*Failure{failure(StatusAuthRequired, ""), failure(StatusAuthRequired, ""), failure(StatusAuthRequired, "")}, false},
		{"rejected requests", [...]*Failure{failure(StatusError, ""), failure(StatusError, ""), failure(StatusError, "")}, false},
		{"a success", [...]*Failure{failure(StatusUnavailable, ""), nil, failure(StatusUnavailable, "")}, false},
		{"our own rate limit", [...]*Failure{ownPace(1), ownPace(1), ownPace(1)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			circuit := newCircuit(newClock().Now)
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
			if f := circuitOpen(open); f.Status != last.Status || f.RetryAfter != circuitOpenFor || !f.inconclusive || !strings.Contains(f.Message, last.Message) {
				t.Errorf("refusal %+v", f)
			}
		})
	}
}
