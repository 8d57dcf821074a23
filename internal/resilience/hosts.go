// Package resilience has the common policy for requests to services that others run: their rate, the pauses that a host asks
// for, when a request is repeated, and when a failing host gets no requests for a while. [Hosts] applies all of it, for pages and
// channels alike.
package resilience

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Chosen.
const (
	maxHosts     = 2_000           // whose state is kept
	maxHold      = time.Hour       // for which one Retry-After blocks a host
	longestPause = 8 * time.Second // that a host may ask for and a repeated request waits for
)

// Limits bound the requests to one host. The zero value bounds nothing.
type Limits struct {
	Every    time.Duration // between the starts of two requests, on average
	Burst    int           // requests that may start together after a pause; 0 = 1
	Parallel int           // requests at a time; 0 = any number
}

// HostsConfig configures [Hosts]. The zero value of a field is its default.
type HostsConfig struct {
	Now    func() time.Time                           // default time.Now
	Sleep  func(context.Context, time.Duration) error // default [Sleep]
	Random func() float64                             // in [0, 1); default math/rand/v2
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
	if cfg.Random == nil {
		cfg.Random = rand.Float64
	}
	hosts, _ := lru.New[string, *Host](maxHosts) // fails only for a size below 1
	return &Hosts{cfg: cfg, hosts: hosts}
}

// Of returns a host by its name, such as "example.org:443", or a name that several hosts of one service share.
func (h *Hosts) Of(name string) *Host {
	host := &Host{name: name, cfg: h.cfg, pace: rate.NewLimiter(rate.Inf, 1)}
	if earlier, found, _ := h.hosts.PeekOrAdd(name, host); found {
		h.hosts.Get(name) // it is in use
		return earlier
	}
	return host
}

// Host is the state of one host.
type Host struct {
	name string
	cfg  HostsConfig

	mu      sync.Mutex // guards the fields below
	circuit circuit
	pace    *rate.Limiter
	slots   chan struct{} // nil = any number at a time
	until   time.Time     // of a pause that the host asked for
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

// Do calls send when the host may be asked, and again while that may help and the deadline of ctx allows it. send must call
// leave, once, when its response has been read. The strictest limits ever given for a host count. The error is that of the
// last attempt, of ctx, a *BusyError or a *DownError.
func (h *Host) Do(ctx context.Context, limits Limits, send func(leave func()) Result) error {
	h.mu.Lock()
	err := h.circuit.allow(h.name, h.cfg.Now())
	h.mu.Unlock()
	if err != nil {
		return err
	}
	r := Result{Unasked: true}
	for attempt := 0; ; attempt++ {
		leave, err := h.enter(ctx, limits)
		if err != nil {
			r = Result{Err: err, Unasked: true}
			break
		}
		r = send(leave)
		h.HoldOff(r.After)
		if wait, ok := h.cfg.again(ctx, attempt, r); !ok || h.cfg.Sleep(ctx, wait) != nil {
			break
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.circuit.record(r, h.cfg.Now())
	return r.Err
}

// HoldOff sends the host no requests for d, as it asked, or for an hour if that is less.
func (h *Host) HoldOff(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if until := h.cfg.Now().Add(min(d, maxHold)); d > 0 && until.After(h.until) {
		h.until = until
	}
}

// OpenUntil returns when the host may be asked again after failures in a row; zero if it may be asked now.
func (h *Host) OpenUntil() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.cfg.Now().Before(h.circuit.until) {
		return time.Time{}
	}
	return h.circuit.until
}

// enter waits for a turn. leave ends it.
func (h *Host) enter(ctx context.Context, limits Limits) (leave func(), err error) {
	slots := h.limit(limits)
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
		if exceeds(ctx, wait) {
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
