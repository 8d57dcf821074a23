package access

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound the calls of one owner. Zero is no limit.
type Limits struct {
	CallsPerMinute int // token bucket: calls of a whole minute may come at once
	Parallel       int // concurrent calls
}

// BusyError rejects a call temporarily.
type BusyError struct {
	Problem string
	Wait    time.Duration // time to wait; 0 if it depends on the caller's own calls
}

func (e *BusyError) Error() string {
	if e.Wait == 0 {
		return e.Problem + "; wait for one to end"
	}
	return fmt.Sprintf("%s; wait %d seconds", e.Problem, max(1, int(e.Wait.Round(time.Second).Seconds())))
}

// RefuseBusy answers a request that a [Meter] rejected.
func RefuseBusy(w http.ResponseWriter, err error) {
	seconds := 1
	if busy, ok := errors.AsType[*BusyError](err); ok {
		seconds = max(1, int(busy.Wait.Round(time.Second).Seconds()))
	}
	w.Header().Set("Retry-After", strconv.Itoa(seconds))
	refuse(w, http.StatusTooManyRequests, "", "too_many_requests", fmt.Sprintf("too many requests: %v, then retry; nothing was done", err))
}

// Meter enforces the limits of each owner on this server. Replicas count separately: with n replicas, an owner has n
// times the limits.
type Meter struct {
	limits Limits
	now    func() time.Time

	mu     sync.Mutex
	owners map[string]*counted
}

type counted struct {
	running int
	calls   *rate.Limiter
	last    time.Time
}

// maxIdleOwners bounds the remembered owners without a running call.
const maxIdleOwners = 10_000

// NewMeter returns a meter with these limits.
func NewMeter(limits Limits, now func() time.Time) *Meter {
	return &Meter{limits: limits, now: now, owners: map[string]*counted{}}
}

// Begin counts a call, or rejects it with a [BusyError]. end must be called after the call.
func (m *Meter) Begin(owner string) (end func(), err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	c, ok := m.owners[owner]
	if !ok {
		m.forget(now)
		c = &counted{calls: rate.NewLimiter(rate.Limit(float64(m.limits.CallsPerMinute)/60), m.limits.CallsPerMinute)}
		m.owners[owner] = c
	}
	c.last = now
	if m.limits.Parallel > 0 && c.running >= m.limits.Parallel {
		return nil, &BusyError{Problem: fmt.Sprintf("too many parallel calls: %d are running, the limit of one owner", c.running)}
	}
	if m.limits.CallsPerMinute > 0 {
		r := c.calls.ReserveN(now, 1)
		if wait := r.DelayFrom(now); wait > 0 {
			r.CancelAt(now)
			return nil, &BusyError{Problem: fmt.Sprintf("rate limit of %d calls a minute reached", m.limits.CallsPerMinute), Wait: wait}
		}
	}
	c.running++
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		c.running--
	}, nil
}

// forget drops owners that were idle for a minute, if there are many.
func (m *Meter) forget(now time.Time) {
	if len(m.owners) < maxIdleOwners {
		return
	}
	for owner, c := range m.owners {
		if c.running == 0 && now.Sub(c.last) > time.Minute {
			delete(m.owners, owner)
		}
	}
}
