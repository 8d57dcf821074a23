package channels

import (
	"time"

	"github.com/citeloop/citeloop/internal/resilience"
)

// When the circuit of a failing source opens, and for how long (chosen): long enough for a restart, short enough for the
// same conversation.
const (
	circuitFailures = 3 // in a row
	circuitOpenFor  = time.Minute
	circuitOpenMax  = 15 * time.Minute
)

func newCircuit(now func() time.Time) *resilience.Breaker {
	return &resilience.Breaker{Failures: circuitFailures, OpenFor: circuitOpenFor, OpenMax: circuitOpenMax, Now: now}
}

// circuitOpen returns the failure of a search that an open circuit refuses.
func circuitOpen(open *resilience.OpenError) *Failure {
	last := AsFailure(open.Last)
	f := Fail(last.Status, "not asked: %d failures in a row, circuit open until %s (last: %s)",
		open.Failures, clockTime(open.Until), last.Message)
	if open.Trying {
		f.Message = "not asked: the source failed before and another search is trying it now (last: " + last.Message + ")"
	}
	f.RetryAfter, f.Inconclusive = open.Left, true
	return f
}

// recordOutcome tells a circuit how an allowed search ended; nil is success.
func recordOutcome(circuit *resilience.Breaker, f *Failure) {
	switch {
	case f != nil && f.countsAgainst():
		circuit.Fail(f, f.RetryAfter)
	case f != nil && f.Inconclusive:
		circuit.Abandon()
	default:
		circuit.Succeed()
	}
}

func clockTime(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }
