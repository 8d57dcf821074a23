package resilience

import (
	"context"
	"fmt"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Chosen.
const (
	maxHosts       = 2_000            // whose state is kept
	maxHold        = time.Hour        // for which one Retry-After blocks a host
	hostFailures   = 5                // in a row that open the circuit of a host
	hostOpenFor    = 30 * time.Second // the first time
	hostOpenMax    = 10 * time.Minute
	longestRequest = 8 * time.Second // the longest pause that a host may ask for and a request waits for
)

// Limits bound the requests to one host. The zero value bounds nothing.
type Limits struct {
	Every    time.Duration // between the starts of two requests, on average
	Burst    int           // requests that may start together after a pause; 0 = 1
	Parallel int           // requests at a time; 0 = any number
}

// HostsConfig configures [Hosts]. The zero value of a field is its default.
type HostsConfig struct {
	Retry Retry
	Now   func() time.Time                           // default time.Now
	Sleep func(context.Context, time.Duration) error // default [Sleep]
}

// Hosts keeps the state of the hosts that were asked most recently. A process should have one for all its requests. It is safe
// for concurrent use.
type Hosts struct {
	cfg   HostsConfig
	hosts *lru.Cache[string, *Host]
}

// NewHosts returns an empty set of hosts.
func NewHosts(cfg HostsConfig) *Hosts {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Sleep == nil {
		cfg.Sleep = Sleep
	}
	hosts, _ := lru.New[string, *Host](maxHosts) // fails only for a size below 1
	return &Hosts{cfg: cfg, hosts: hosts}
}

// Of returns a host by its name, such as "example.org:443", or a name that several hosts of one service share.
func (h *Hosts) Of(name string) *Host {
	host, ok := h.hosts.Get(name)
	if !ok {
		host = &Host{name: name, cfg: h.cfg, pace: rate.NewLimiter(rate.Inf, 1),
			circuit: Breaker{Failures: hostFailures, OpenFor: hostOpenFor, OpenMax: hostOpenMax, Now: h.cfg.Now}}
		if earlier, found, _ := h.hosts.PeekOrAdd(name, host); found {
			host = earlier
		}
	}
	return host
}

// Host is the state of one host.
type Host struct {
	name    string
	cfg     HostsConfig
	circuit Breaker

	mu    sync.Mutex
	pace  *rate.Limiter
	slots chan struct{} // nil = any number at a time
	until time.Time     // of a pause that the host asked for
}

// Result is the outcome of one attempt of a request.
type Result struct {
	Err     error
	After   time.Duration // the host's Retry-After, or 0
	Again   bool          // the same request may succeed soon
	Failed  bool          // Err shows that the host is down or overloaded
	Unasked bool          // Err says nothing about the host, such as a cancelled request
}

// BusyError means that a request was not sent, because its turn would come after its deadline.
type BusyError struct {
	Host string
	Wait time.Duration // until the next turn
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s gets no request for another %s", e.Host, max(e.Wait, time.Second).Round(time.Second))
}

// DownError means that a request was not sent, because the last requests to the host failed.
type DownError struct {
	Host string
	*OpenError
}

func (e *DownError) Error() string { return e.Host + " " + e.OpenError.Error() }

// Do calls send when the host may be asked, and again while that may help and the deadline of ctx allows it. send must call
// leave, once, when its response has been read. The strictest limits ever given for a host count. The error is that of the
// last attempt, of ctx, a *BusyError or a *DownError.
func (h *Host) Do(ctx context.Context, limits Limits, send func(leave func()) Result) error {
	if open := h.circuit.Allow(); open != nil {
		return &DownError{h.name, open}
	}
	defer h.circuit.Abandon() // where nothing is said of the host
	for attempt := 0; ; attempt++ {
		leave, err := h.enter(ctx, limits)
		if err != nil {
			return err
		}
		r := send(leave)
		h.HoldOff(r.After)
		if r.Err != nil && r.Again && r.After <= longestRequest {
			if wait, again := h.cfg.Retry.Wait(ctx, attempt, r.After); again && h.cfg.Sleep(ctx, wait) == nil {
				continue
			}
		}
		switch {
		case r.Failed:
			h.circuit.Fail(r.Err, r.After)
		case !r.Unasked:
			h.circuit.Succeed()
		}
		return r.Err
	}
}

// HoldOff sends the host no requests for d, as it asked, or for an hour if that is less.
func (h *Host) HoldOff(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if until := h.cfg.Now().Add(min(d, maxHold)); d > 0 && until.After(h.until) {
		h.until = until
	}
}

// Wait estimates how long a new request would wait for its turn.
func (h *Host) Wait() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.cfg.Now()
	wait := h.until.Sub(now)
	if missing := 1 - h.pace.TokensAt(now); missing > 0 && h.pace.Limit() > 0 {
		wait = max(wait, time.Duration(missing/float64(h.pace.Limit())*float64(time.Second)))
	}
	return max(wait, 0)
}

// OpenUntil returns when the host may be asked again after failures in a row; zero if it may be asked now.
func (h *Host) OpenUntil() time.Time { return h.circuit.OpenUntil() }

// enter waits for a turn. leave ends it.
func (h *Host) enter(ctx context.Context, limits Limits) (leave func(), err error) {
	slots := h.limit(limits)
	if wait := h.Wait(); Exceeds(ctx, wait) {
		return nil, &BusyError{h.name, wait}
	}
	leave = func() {}
	if slots != nil {
		select {
		case slots <- struct{}{}:
			leave = sync.OnceFunc(func() { <-slots })
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	// The turn is taken after the slot: an earlier one could be over when the slot is free.
	if err := h.turn(ctx); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

func (h *Host) turn(ctx context.Context) error {
	for {
		h.mu.Lock()
		now := h.cfg.Now()
		turn := h.pace.ReserveN(now, 1)
		wait := max(turn.DelayFrom(now), h.until.Sub(now))
		h.mu.Unlock()
		if Exceeds(ctx, wait) {
			turn.CancelAt(now)
			return &BusyError{h.name, wait}
		}
		if wait <= 0 {
			return nil
		}
		if err := h.cfg.Sleep(ctx, wait); err != nil {
			turn.CancelAt(h.cfg.Now())
			return err
		}
		h.mu.Lock()
		held := h.until.After(h.cfg.Now()) // the host asked for a pause in the meantime
		h.mu.Unlock()
		if !held {
			return nil
		}
	}
}

// limit applies limits where they are stricter than earlier ones, and returns the slots.
func (h *Host) limit(l Limits) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	every, now := rate.Every(l.Every), h.cfg.Now()
	switch {
	case l.Every <= 0:
	case h.pace.Limit() == rate.Inf:
		h.pace = rate.NewLimiter(every, max(l.Burst, 1))
	default:
		h.pace.SetLimitAt(now, min(every, h.pace.Limit()))
		h.pace.SetBurstAt(now, min(max(l.Burst, 1), h.pace.Burst()))
	}
	if l.Parallel > 0 && (h.slots == nil || l.Parallel < cap(h.slots)) {
		h.slots = make(chan struct{}, l.Parallel)
	}
	return h.slots
}
