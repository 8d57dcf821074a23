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

// Limits bound what one owner does. Zero is no limit.
type Limits struct {
	What      string // what is counted, as in "calls"
	PerMinute int    // those of a whole minute may come at once
	Parallel  int
}

// Meter enforces limits on this server. Replicas count separately. A nil Meter has no limits.
type Meter struct {
	Limits
	now func() time.Time

	mu     sync.Mutex
	owners map[string]*usage
}

type usage struct {
	running int
	rate    *rate.Limiter
}

// maxIdleOwners bounds the owners whose rates are remembered while they do nothing.
const maxIdleOwners = 10_000

// NewMeter returns a meter with these limits.
func NewMeter(limits Limits, now func() time.Time) *Meter {
	return &Meter{Limits: limits, now: now, owners: map[string]*usage{}}
}

// Begin counts one for an owner, or fails with a [BusyError]. end must be called afterwards.
func (m *Meter) Begin(owner string) (end func(), err error) {
	if m == nil {
		return func() {}, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.of(owner)
	if m.Parallel > 0 && u.running >= m.Parallel {
		const format = "too many parallel %s: you have %d, the limit of one owner; wait for one to end, then retry; nothing was done"
		return nil, busy(time.Second, format, m.What, m.Parallel)
	}
	if m.PerMinute > 0 {
		now := m.now()
		r := u.rate.ReserveN(now, 1)
		if wait := r.DelayFrom(now); wait > 0 {
			r.CancelAt(now)
			wait = max(wait.Round(time.Second), time.Second)
			return nil, busy(wait, "rate limit of %d %s a minute reached; wait %.0f seconds, then retry; nothing was done",
				m.PerMinute, m.What, wait.Seconds())
		}
	}
	u.running++
	return sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		u.running--
	}), nil
}

// of returns the usage of an owner. The caller holds the lock.
func (m *Meter) of(owner string) *usage {
	u := m.owners[owner]
	if u == nil {
		if len(m.owners) >= maxIdleOwners {
			for name, other := range m.owners {
				if other.running == 0 {
					delete(m.owners, name)
				}
			}
		}
		u = &usage{rate: rate.NewLimiter(rate.Limit(float64(m.PerMinute)/60), m.PerMinute)}
		m.owners[owner] = u
	}
	return u
}

// BusyError rejects a request at a limit, for now.
type BusyError struct {
	Problem string        // and what to do
	Wait    time.Duration // until a retry makes sense
}

func (e *BusyError) Error() string { return e.Problem }

func busy(wait time.Duration, format string, args ...any) *BusyError {
	return &BusyError{fmt.Sprintf(format, args...), wait}
}

// Refuse answers a request that a limit rejected: 429 at the limit of the owner, 503 at that of the server.
func Refuse(w http.ResponseWriter, err error) {
	status, wait := http.StatusServiceUnavailable, time.Second
	if limit, ok := errors.AsType[*BusyError](err); ok {
		status, wait = http.StatusTooManyRequests, limit.Wait
	}
	w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())))
	refuse(w, status, "", "busy", err.Error())
}

// RefuseSize answers a request that is too large at any time.
func RefuseSize(w http.ResponseWriter, problem string) {
	refuse(w, http.StatusRequestEntityTooLarge, "", "too_large", problem)
}
