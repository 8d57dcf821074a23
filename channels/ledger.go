package channels

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"time"
)

// Ledger shares the rate of hosts and the circuits of sources between processes: two servers with one store together
// keep the rate limits of one. Names have at most 300 bytes. All times are durations, because the clocks of two
// machines may differ.
//
// Without a ledger, or when it fails, a registry keeps the rates of its own process.
type Ledger interface {
	// Reserve takes the name's next turn and returns how long to wait for it. Turns are every apart, with a burst after
	// a pause, and none is within a hold. taken is false, and no turn is taken, if the wait would be within or longer.
	Reserve(ctx context.Context, name string, every time.Duration, burst int, within time.Duration) (wait time.Duration, taken bool, err error)
	// Hold blocks the name for d from now, for the reason why. A hold that ends later remains.
	Hold(ctx context.Context, name string, d time.Duration, why string) error
	// Held returns the remaining time of a name's hold and the reason, or 0.
	Held(ctx context.Context, name string) (left time.Duration, why string, err error)
	// Holds returns the remaining times of all holds of names with a prefix.
	Holds(ctx context.Context, prefix string) (map[string]time.Duration, error)
}

const (
	// ledgerTimeout bounds one call of the ledger: longer than a busy store takes, shorter than a search.
	ledgerTimeout = 2 * time.Second
	// longestTurn is how far ahead a turn is taken if the call has no deadline (chosen).
	longestTurn = 10 * time.Minute
)

// ledgerName is the name of a host in the ledger. A host from a query is hashed: the store must not reveal it.
func (r Request) ledgerName(host string) string {
	if r.FromQuery {
		sum := sha256.Sum256([]byte(host))
		return "address " + hex.EncodeToString(sum[:12])
	}
	return "host " + host
}

// shared is a ledger that may be missing and may fail.
type shared struct {
	ledger Ledger // nil = this process only
	logger *slog.Logger
}

// ask calls the ledger, if there is one, and reports whether it answered.
func (s shared) ask(ctx context.Context, look func(context.Context, Ledger) error) bool {
	if s.ledger == nil {
		return false
	}
	looking, cancel := context.WithTimeout(ctx, ledgerTimeout)
	defer cancel()
	err := look(looking, s.ledger)
	if err != nil && ctx.Err() == nil {
		s.logger.LogAttrs(ctx, slog.LevelWarn, "ledger failed; using the rates and circuits of this process only", slog.Any("cause", err))
	}
	return err == nil
}

// askAlways is ask even if the search has ended.
func (s shared) askAlways(ctx context.Context, look func(context.Context, Ledger) error) bool {
	return s.ask(context.WithoutCancel(ctx), look)
}

// sharedTurn waits for a turn among all processes. If the ledger fails, the request is sent: it already kept the rate
// of its own process.
func (p *pacer) sharedTurn(ctx context.Context) *Failure {
	for {
		within := longestTurn
		if deadline, ok := ctx.Deadline(); ok {
			within = min(time.Until(deadline), longestTurn)
		}
		every, burst := p.turns()
		var wait time.Duration
		var taken bool
		if !p.shared.askAlways(ctx, func(ctx context.Context, ledger Ledger) (err error) {
			wait, taken, err = ledger.Reserve(ctx, p.name, every, burst, within)
			return err
		}) {
			return nil
		}
		if !taken {
			return ownPace(wait)
		}
		if wait <= 0 {
			return nil
		}
		if p.sleep(ctx, wait) != nil {
			return ownPace(wait)
		}
		var left time.Duration // another process may have received a Retry-After in the meantime
		if !p.shared.askAlways(ctx, func(ctx context.Context, ledger Ledger) (err error) {
			left, _, err = ledger.Held(ctx, p.name)
			return err
		}) || left <= 0 {
			return nil
		}
	}
}

// turns returns the rate in the form that the ledger takes.
func (p *pacer) turns() (every time.Duration, burst int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if limit := p.limiter.Limit(); limit > 0 {
		every = time.Duration(float64(time.Second) / float64(limit))
	}
	return every, p.limiter.Burst()
}
