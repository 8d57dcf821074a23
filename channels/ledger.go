package channels

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"strings"
	"time"
)

// Ledger keeps the pace of hosts and the circuits of sources where several processes see them: two servers over one
// store are together as polite as one. Names are at most 300 bytes. Times are the ledger's own: waits go in and come
// out, never times of day, so that the clocks of two machines need not agree.
//
// A registry without one, and one whose ledger fails, keeps the pace of its own process.
type Ledger interface {
	// Reserve takes the name's next turn, and says how long to wait for it. Turns lie every apart, burst of them
	// together after a pause, and none lies where the name is held. taken is false, and nothing is taken, where the
	// wait would be within or longer.
	Reserve(ctx context.Context, name string, every time.Duration, burst int, within time.Duration) (wait time.Duration, taken bool, err error)
	// Hold keeps the name back for d from now, and says why. A hold that ends later stays.
	Hold(ctx context.Context, name string, d time.Duration, why string) error
	// Held is for how much longer a name is held, and why; 0 where it is not.
	Held(ctx context.Context, name string) (left time.Duration, why string, err error)
}

const (
	// ledgerTimeout bounds one look into the ledger: longer than a busy store takes, shorter than a search.
	ledgerTimeout = 2 * time.Second
	// longestTurn is how far ahead a turn is taken where the call has no deadline (chosen).
	longestTurn = 10 * time.Minute
)

// ledgerName is a host in the ledger. A host that stood in a query is nobody's business who reads the store.
func (r request) ledgerName(host string) string {
	if r.foreign {
		sum := sha256.Sum256([]byte(host))
		return "address " + hex.EncodeToString(sum[:12])
	}
	return "host " + host
}

// circuitName is a source in the ledger: a channel at its address, since a mirror may answer where the service does not.
func (d *client) circuitName() string { return "circuit " + strings.TrimSpace(d.Name+" "+d.base) }

// sharedTurn waits for a turn among all processes. A ledger that fails holds nobody up: the process's own pace was
// kept before.
func (p *pacer) sharedTurn(ctx context.Context) *Failure {
	if p.ledger == nil {
		return nil
	}
	for {
		within := longestTurn
		if deadline, ok := ctx.Deadline(); ok {
			within = min(time.Until(deadline), longestTurn)
		}
		every, burst := p.turns()
		var wait time.Duration
		var taken bool
		if !p.looked(ctx, func(ctx context.Context) (err error) {
			wait, taken, err = p.ledger.Reserve(ctx, p.name, every, burst, within)
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
		var left time.Duration // the host may have asked another process to be left alone meanwhile
		if !p.looked(ctx, func(ctx context.Context) (err error) {
			left, _, err = p.ledger.Held(ctx, p.name)
			return err
		}) || left <= 0 {
			return nil
		}
	}
}

// turns are the pace as the ledger takes it.
func (p *pacer) turns() (every time.Duration, burst int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if limit := p.limiter.Limit(); limit > 0 {
		every = time.Duration(float64(time.Second) / float64(limit))
	}
	return every, p.limiter.Burst()
}

// looked runs one look into the ledger, to its end even where the call is over, and reports whether it answered.
func (p *pacer) looked(ctx context.Context, look func(context.Context) error) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ledgerTimeout)
	defer cancel()
	err := look(ctx)
	if err != nil {
		p.logger.LogAttrs(ctx, slog.LevelWarn, "the pace is this process's own", slog.Any("cause", err))
	}
	return err == nil
}

// sharedCircuit is the failure of a source that some process of the ledger found failing; nil where none did.
func (r *Registry) sharedCircuit(ctx context.Context, s *client) *Failure {
	left, why := r.heldOpen(ctx, s)
	if left <= 0 {
		return nil
	}
	status, words, _ := strings.Cut(why, ": ")
	f := failure(Status(status), "not asked: circuit open until %s (last: %s)", clockTime(r.cfg.Now().Add(left)), words)
	f.RetryAfter, f.inconclusive = max(left, time.Second), true
	return f
}

// heldOpen is for how long the ledger keeps a source's circuit open, and why.
func (r *Registry) heldOpen(ctx context.Context, s *client) (left time.Duration, why string) {
	if r.cfg.Ledger == nil {
		return 0, ""
	}
	looking, cancel := context.WithTimeout(ctx, ledgerTimeout)
	defer cancel()
	left, why, err := r.cfg.Ledger.Held(looking, s.circuitName())
	if err != nil {
		if ctx.Err() == nil {
			r.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "the circuits are this process's own", slog.Any("cause", err))
		}
		return 0, ""
	}
	return left, why
}

// shareCircuit tells the other processes of a circuit that opened here.
func (r *Registry) shareCircuit(ctx context.Context, s *client, open time.Duration, f *Failure) {
	if r.cfg.Ledger == nil || open <= 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ledgerTimeout)
	defer cancel()
	if err := r.cfg.Ledger.Hold(ctx, s.circuitName(), open, string(f.Status)+": "+f.Message); err != nil {
		r.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "a circuit could not be shared", slog.Any("cause", err))
	}
}
