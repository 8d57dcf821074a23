package channels

import (
	"context"
	"sync"
	"time"

	"github.com/citeloop/citeloop/internal/resilience"
	"golang.org/x/time/rate"
)

// retryAfterMax bounds how long one Retry-After blocks a host, even if the server asks for a year.
const retryAfterMax = time.Hour

// pacer limits the requests to one host: their rate, their number in parallel, and the time until which the host
// refuses them. All channels of a host share its pacer.
type pacer struct {
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
	slots chan struct{} // nil = no limit

	shared shared
	name   string // in the ledger

	mu      sync.Mutex
	limiter *rate.Limiter
	waiting int // for a slot
	after   time.Time
}

// pacers finds the pacer of a host.
type pacers struct {
	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	shared shared

	mu    sync.Mutex
	hosts map[string]*pacer
}

// of returns the host's pacer. Channels that share a host use the slowest rate among them, and the first one's limit of
// parallel requests. name is the host's name in the ledger.
func (p *pacers) of(host, name string, perSecond float64, burst, parallel int) *pacer {
	p.mu.Lock()
	defer p.mu.Unlock()
	limit := rate.Limit(perSecond)
	burst = max(burst, 1)
	if h := p.hosts[host]; h != nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		if limit < h.limiter.Limit() {
			h.limiter.SetLimit(limit)
		}
		if burst < h.limiter.Burst() {
			h.limiter.SetBurst(burst)
		}
		return h
	}
	h := &pacer{now: p.now, sleep: p.sleep, limiter: rate.NewLimiter(limit, burst), shared: p.shared, name: name}
	if parallel > 0 {
		h.slots = make(chan struct{}, parallel)
	}
	p.hosts[host] = h
	return h
}

// enter waits for a turn and returns a function to call when the request has ended. If the turn would come after the
// deadline of ctx, it returns at once, with StatusRateLimited and the wait.
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
	// The token is taken after the slot: a token taken earlier would be old when the slot is free, and two requests could
	// follow each other faster than the rate.
	if fail = p.ownTurn(ctx); fail == nil {
		fail = p.sharedTurn(ctx)
	}
	if fail != nil {
		leave()
		return nil, fail
	}
	return leave, nil
}

// ownTurn waits for a turn among the requests of this process. Until then the request counts as waiting.
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
		held := p.after.After(p.now()) // the host sent a Retry-After in the meantime
		p.mu.Unlock()
		if !held {
			return nil
		}
	}
}

// longestTurn is how far ahead a turn is taken if the call has no deadline (chosen).
const longestTurn = 10 * time.Minute

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
		if !p.shared.ask(ctx, func(ctx context.Context, ledger Ledger) (err error) {
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
		if !p.shared.ask(ctx, func(ctx context.Context, ledger Ledger) (err error) {
			left, err = ledger.Held(ctx, p.name)
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

// wait estimates how long a new request would wait. The caller holds mu.
func (p *pacer) wait() time.Duration {
	now := p.now()
	short := float64(p.waiting+1) - p.limiter.TokensAt(now)
	var wait time.Duration
	if short > 0 && p.limiter.Limit() > 0 {
		wait = time.Duration(short / float64(p.limiter.Limit()) * float64(time.Second))
	}
	return max(wait, p.after.Sub(now))
}

// holdOff blocks requests to the host for d, as the host asked.
func (p *pacer) holdOff(ctx context.Context, d time.Duration) {
	if d = min(d, retryAfterMax); d <= 0 {
		return
	}
	p.mu.Lock()
	if until := p.now().Add(d); until.After(p.after) {
		p.after = until
	}
	p.mu.Unlock()
	p.shared.ask(ctx, func(ctx context.Context, ledger Ledger) error { return ledger.Hold(ctx, p.name, d) })
}

func ownPace(wait time.Duration) *Failure {
	f := Fail(StatusRateLimited, "not asked: the next request to this host may start in %s, after this call's deadline", roundUp(wait))
	f.RetryAfter, f.Inconclusive = max(wait, 0), true
	return f
}

func roundUp(d time.Duration) time.Duration {
	return max((d + time.Second - 1).Truncate(time.Second), time.Second)
}
