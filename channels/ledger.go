package channels

import (
	"context"
	"log/slog"
	"time"
)

// Ledger shares the rate of hosts between processes: two servers with one store together
// keep the rate limits of one. Names have at most 300 bytes. All times are durations, because the clocks of two
// machines may differ.
//
// Without a ledger, or when it fails, a registry keeps the rates of its own process.
type Ledger interface {
	// Reserve takes the name's next turn and returns how long to wait for it. Turns are every apart, with a burst after
	// a pause, and none is within a hold. taken is false, and no turn is taken, if the wait would be within or longer.
	Reserve(ctx context.Context, name string, every time.Duration, burst int, within time.Duration) (wait time.Duration, taken bool, err error)
	// Hold blocks the name for d from now. A hold that ends later remains.
	Hold(ctx context.Context, name string, d time.Duration) error
	// Held returns the remaining time of a name's hold, or 0.
	Held(ctx context.Context, name string) (left time.Duration, err error)
}

// ledgerTimeout bounds one call of the ledger: longer than a busy store takes, shorter than a search.
const ledgerTimeout = 2 * time.Second

// shared is a ledger that may be missing and may fail.
type shared struct {
	ledger Ledger // nil = this process only
	logger *slog.Logger
}

// ask calls the ledger, if there is one, and reports whether it answered. It does so even if the search has ended.
func (s shared) ask(ctx context.Context, look func(context.Context, Ledger) error) bool {
	if s.ledger == nil {
		return false
	}
	looking, cancel := context.WithTimeout(context.WithoutCancel(ctx), ledgerTimeout)
	defer cancel()
	err := look(looking, s.ledger)
	if err != nil {
		s.logger.LogAttrs(ctx, slog.LevelWarn, "ledger failed; using the rates of this process only", slog.Any("cause", err))
	}
	return err == nil
}
