package channels

import (
	"context"
	"strings"
	"sync"
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

// recordOutcome tells a circuit how an allowed search ended; nil is success. It returns for how long that opens the circuit.
func recordOutcome(circuit *resilience.Breaker, f *Failure) time.Duration {
	switch {
	case f != nil && f.countsAgainst():
		return circuit.Fail(f, f.RetryAfter)
	case f != nil && f.Inconclusive:
		circuit.Abandon()
	default:
		circuit.Succeed()
	}
	return 0
}

func clockTime(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }

// circuitPrefix is the beginning of the ledger's names of circuits.
const circuitPrefix = "circuit "

// circuits are those that the processes over one store share, by circuitName.
type circuits struct {
	shared shared
	now    func() time.Time

	mu    sync.Mutex // held while the ledger is read, so that concurrent calls read it once
	read  time.Time
	until map[string]time.Time // when the open ones close; a copy of the ledger's
}

// held returns the failure of a source whose circuit another process opened; or nil.
func (s *circuits) held(ctx context.Context, name string) *Failure {
	var left time.Duration
	var why string
	if !s.shared.ask(ctx, func(ctx context.Context, ledger Ledger) (err error) {
		left, why, err = ledger.Held(ctx, name)
		return err
	}) || left <= 0 {
		return nil
	}
	status, words, _ := strings.Cut(why, ": ")
	f := Fail(Status(status), "not asked: circuit open until %s (last: %s)", clockTime(s.now().Add(left)), words)
	f.RetryAfter, f.Inconclusive = max(left, time.Second), true
	return f
}

// opened tells the other processes that a circuit opened here.
func (s *circuits) opened(ctx context.Context, name string, open time.Duration, f *Failure) {
	if open > 0 {
		s.shared.askAlways(ctx, func(ctx context.Context, ledger Ledger) error {
			return ledger.Hold(ctx, name, open, string(f.Status)+": "+f.Message)
		})
	}
}

// openElsewhereFor is how long all reuses the circuits of other processes. Clients list channels often, and a circuit
// stays open for half a minute or more.
const openElsewhereFor = time.Second

// open returns when the open circuits close.
func (s *circuits) open() map[string]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if age := now.Sub(s.read); s.until != nil && age >= 0 && age < openElsewhereFor {
		return s.until
	}
	s.read, s.until = now, map[string]time.Time{} // a new map, because callers read the old one
	s.shared.ask(context.Background(), func(ctx context.Context, ledger Ledger) error {
		held, err := ledger.Holds(ctx, circuitPrefix)
		for name, left := range held {
			s.until[name] = now.Add(left)
		}
		return err
	})
	return s.until
}
