package channels

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// sharedCircuit returns the failure of a source whose circuit another process opened; or nil.
func (r *Registry) sharedCircuit(ctx context.Context, s *Client) *Failure {
	if r.Config.Ledger == nil {
		return nil
	}
	looking, cancel := context.WithTimeout(ctx, ledgerTimeout)
	defer cancel()
	left, why, err := r.Config.Ledger.Held(looking, s.circuitName())
	if err != nil && ctx.Err() == nil {
		r.circuitLedgerFailed(ctx, err)
	}
	if err != nil || left <= 0 {
		return nil
	}
	status, words, _ := strings.Cut(why, ": ")
	f := Fail(Status(status), "not asked: circuit open until %s (last: %s)", clockTime(r.Config.Now().Add(left)), words)
	f.RetryAfter, f.Inconclusive = max(left, time.Second), true
	return f
}

func (r *Registry) circuitLedgerFailed(ctx context.Context, err error) {
	r.Config.Logger.LogAttrs(ctx, slog.LevelWarn, "circuit ledger failed; using the circuits of this process only", slog.Any("cause", err))
}

// openElsewhereFor is how long List reuses the circuits of other processes. Clients list channels often, and a circuit
// stays open for half a minute or more.
const openElsewhereFor = time.Second

// openElsewhere is a copy of the ledger's open circuits.
type openElsewhere struct {
	mu    sync.Mutex // held while the ledger is read, so that concurrent calls read it once
	read  time.Time
	until map[string]time.Time // by circuitName
}

// openCircuits returns when the circuits close that processes over the same store opened, by circuitName.
func (r *Registry) openCircuits() map[string]time.Time {
	if r.Config.Ledger == nil {
		return nil
	}
	e := &r.elsewhere
	e.mu.Lock()
	defer e.mu.Unlock()
	now := r.Config.Now()
	if age := now.Sub(e.read); e.until != nil && age >= 0 && age < openElsewhereFor {
		return e.until
	}
	ctx, cancel := context.WithTimeout(context.Background(), ledgerTimeout)
	defer cancel()
	held, err := r.Config.Ledger.Holds(ctx, circuitPrefix)
	if err != nil {
		r.circuitLedgerFailed(ctx, err)
	}
	e.read, e.until = now, make(map[string]time.Time, len(held)) // a new map, because callers read the old one
	for name, left := range held {
		e.until[name] = now.Add(left)
	}
	return e.until
}

// shareCircuit tells the other processes that a circuit opened here.
func (r *Registry) shareCircuit(ctx context.Context, s *Client, open time.Duration, f *Failure) {
	if r.Config.Ledger == nil || open <= 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ledgerTimeout)
	defer cancel()
	if err := r.Config.Ledger.Hold(ctx, s.circuitName(), open, string(f.Status)+": "+f.Message); err != nil {
		r.Config.Logger.LogAttrs(ctx, slog.LevelWarn, "sharing an open circuit failed", slog.Any("cause", err))
	}
}
