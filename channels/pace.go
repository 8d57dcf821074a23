package channels

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/citeloop/citeloop/internal/resilience"
)

// retryAfterMax is the longest that one Retry-After keeps a host from being asked: a server that says a year is
// asked again after an hour.
const retryAfterMax = time.Hour

// pacer holds the pace of one host: how often it is asked, how many requests are under way, and until when it
// asked to be left alone. All channels that share a host share its pacer.
type pacer struct {
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
	slots chan struct{} // nil = no limit

	ledger Ledger // nil = this process alone
	name   string // in the ledger
	logger *slog.Logger

	mu      sync.Mutex
	limiter *rate.Limiter
	ours    rate.Limit // the pace where the host asks for no slower one
	waiting int        // for a slot
	after   time.Time
}

// pacers finds the pacer of a host.
type pacers struct {
	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	ledger Ledger
	logger *slog.Logger

	mu    sync.Mutex
	hosts map[string]*pacer
}

// of returns the host's pacer. Where two channels share a host, the slower pace holds for both;
// how many may be under way is the first one's to say, so channels of one host agree on it. name is the host's in the
// ledger.
func (p *pacers) of(host, name string, perSecond float64, burst, parallel int) *pacer {
	p.mu.Lock()
	defer p.mu.Unlock()
	limit := rate.Limit(perSecond)
	burst = max(burst, 1)
	if h := p.hosts[host]; h != nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.ours = min(h.ours, limit)
		if limit < h.limiter.Limit() {
			h.limiter.SetLimit(limit)
		}
		if burst < h.limiter.Burst() {
			h.limiter.SetBurst(burst)
		}
		return h
	}
	h := &pacer{now: p.now, sleep: p.sleep, limiter: rate.NewLimiter(limit, burst), ours: limit, ledger: p.ledger, name: name, logger: p.logger}
	if parallel > 0 {
		h.slots = make(chan struct{}, parallel)
	}
	p.hosts[host] = h
	return h
}

// enter waits for the host's turn and returns what to call when the request is over. It answers at once, with
// StatusRateLimited and the wait, where the turn would come after the deadline of ctx.
func (p *pacer) enter(ctx context.Context) (leave func(), fail *Failure) {
	p.mu.Lock()
	if wait := p.wait(); resilience.Exceeds(ctx, wait) {
		p.mu.Unlock()
		return nil, ownPace(wait)
	}
	p.waiting++
	p.mu.Unlock()

	leave = func() {}
	if p.slots != nil {
		select {
		case p.slots <- struct{}{}:
			leave = func() { <-p.slots }
		case <-ctx.Done():
			p.mu.Lock()
			p.waiting--
			p.mu.Unlock()
			return nil, ownPace(time.Second)
		}
	}
	// The token is taken with the slot in hand: a token taken earlier would be old by the time the slot is free,
	// and two requests could follow each other faster than the rate.
	if fail = p.ownTurn(ctx); fail == nil {
		fail = p.sharedTurn(ctx)
	}
	if fail != nil {
		leave()
		return nil, fail
	}
	return leave, nil
}

// ownTurn waits for a turn among the requests of this process, which until now were counted as waiting.
func (p *pacer) ownTurn(ctx context.Context) *Failure {
	queued := true // until the reservation, which the limiter counts itself
	for {
		p.mu.Lock()
		if queued {
			p.waiting--
			queued = false
		}
		now := p.now()
		reservation := p.limiter.ReserveN(now, 1)
		wait := max(reservation.DelayFrom(now), p.after.Sub(now))
		p.mu.Unlock()
		if resilience.Exceeds(ctx, wait) {
			reservation.CancelAt(now)
			return ownPace(max(wait, time.Second))
		}
		if wait <= 0 {
			return nil
		}
		if err := p.sleep(ctx, wait); err != nil {
			reservation.CancelAt(p.now())
			return ownPace(wait)
		}
		p.mu.Lock()
		held := p.after.After(p.now()) // the host asked to be left alone meanwhile
		p.mu.Unlock()
		if !held {
			return nil
		}
	}
}

// wait estimates how long a request that came now would wait. Callers hold mu.
func (p *pacer) wait() time.Duration {
	now := p.now()
	short := float64(p.waiting+1) - p.limiter.TokensAt(now)
	var wait time.Duration
	if short > 0 && p.limiter.Limit() > 0 {
		wait = time.Duration(short / float64(p.limiter.Limit()) * float64(time.Second))
	}
	return max(wait, p.after.Sub(now))
}

// holdOff keeps the host from being asked for d, as it asked for.
func (p *pacer) holdOff(ctx context.Context, d time.Duration) {
	if d = min(d, retryAfterMax); d <= 0 {
		return
	}
	p.mu.Lock()
	if until := p.now().Add(d); until.After(p.after) {
		p.after = until
	}
	p.mu.Unlock()
	if p.ledger != nil {
		p.looked(ctx, func(ctx context.Context) error { return p.ledger.Hold(ctx, p.name, d, "") })
	}
}

// slowestAsked bounds the pace that a host's headers may ask for.
const slowestAsked = 1.0 / 60

// slowTo makes the pace what the host asks for now, and no faster than ours.
func (p *pacer) slowTo(perSecond float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if limit := min(rate.Limit(max(perSecond, slowestAsked)), p.ours); limit != p.limiter.Limit() {
		p.limiter.SetLimitAt(p.now(), limit)
	}
}

func ownPace(wait time.Duration) *Failure {
	f := failure(StatusRateLimited, "not asked: the next request to this host may start in %s, after this call's deadline", roundUp(wait))
	f.RetryAfter, f.inconclusive = max(wait, 0), true
	return f
}

func roundUp(d time.Duration) time.Duration {
	return max((d + time.Second - 1).Truncate(time.Second), time.Second)
}
