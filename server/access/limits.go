package access

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/time/rate"
)

// Limits bound the calls of one owner. Zero is no limit.
type Limits struct {
	CallsPerMinute int // token bucket: calls of a whole minute may come at once
	Parallel       int // concurrent calls
}

// Meter enforces the limits of each owner on this server. Replicas count separately: with n replicas, an owner has n
// times the limits.
type Meter struct {
	perMinute int
	running   *Quota
	now       func() time.Time

	mu    sync.Mutex
	calls *simplelru.LRU[string, *rate.Limiter] // by owner
}

// maxOwners bounds the owners whose rates are remembered: the last ones that called.
const maxOwners = 10_000

// NewMeter returns a meter with these limits.
func NewMeter(limits Limits, now func() time.Time) *Meter {
	calls, _ := simplelru.NewLRU[string, *rate.Limiter](maxOwners, nil) // its only error is a size below one
	full := BusyError{Problem: fmt.Sprintf("too many parallel calls: %d are running, the limit of one owner; wait for one to end, then retry; nothing was done", limits.Parallel),
		Wait: time.Second, code: "too_many_requests", status: http.StatusTooManyRequests}
	return &Meter{perMinute: limits.CallsPerMinute, running: &Quota{each: int64(limits.Parallel), ownerFull: full}, now: now, calls: calls}
}

// Begin counts a call, or rejects it with a [BusyError]. end must be called after the call.
func (m *Meter) Begin(owner string) (end func(), err error) {
	if end, err = m.running.Open(owner); err != nil || m.perMinute <= 0 {
		return end, err
	}
	now := m.now()
	r := m.rateOf(owner).ReserveN(now, 1)
	if wait := r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		end()
		wait = max(wait.Round(time.Second), time.Second)
		return nil, &BusyError{Problem: fmt.Sprintf("rate limit of %d calls a minute reached; wait %.0f seconds, then retry; nothing was done", m.perMinute, wait.Seconds()),
			Wait: wait, code: "too_many_requests", status: http.StatusTooManyRequests}
	}
	return end, nil
}

func (m *Meter) rateOf(owner string) *rate.Limiter {
	m.mu.Lock()
	defer m.mu.Unlock()
	limiter, known := m.calls.Get(owner)
	if !known {
		limiter = rate.NewLimiter(rate.Limit(float64(m.perMinute)/60), m.perMinute)
		m.calls.Add(owner, limiter)
	}
	return limiter
}
