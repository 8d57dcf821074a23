package access

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Meter limits the calls of each owner on this server. Replicas count separately. A nil Meter has no limits.
type Meter struct {
	perMinute, parallel int
	now                 func() time.Time

	mu     sync.Mutex
	owners map[string]*usage
}

type usage struct {
	running int
	rate    *rate.Limiter
}

// maxOwners bounds the owners whose calls are remembered.
const maxOwners = 10_000

// NewMeter returns a meter for so many calls a minute, which may come at once, and so many in parallel. Zero is no limit.
func NewMeter(perMinute, parallel int, now func() time.Time) *Meter {
	return &Meter{perMinute: perMinute, parallel: parallel, now: now, owners: map[string]*usage{}}
}

// Begin counts a call of an owner, or fails with a [BusyError]. end must be called afterwards.
func (m *Meter) Begin(owner string) (end func(), err error) {
	if m == nil {
		return func() {}, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.owners[owner]
	if u == nil {
		if len(m.owners) >= maxOwners {
			maps.DeleteFunc(m.owners, func(_ string, u *usage) bool { return u.running == 0 })
		}
		u = &usage{rate: rate.NewLimiter(rate.Limit(float64(m.perMinute)/60), m.perMinute)}
		m.owners[owner] = u
	}
	if m.parallel > 0 && u.running >= m.parallel {
		const format = "too many parallel calls: you have %d, the limit of one owner; wait for one to end, then retry; nothing was done"
		return nil, &BusyError{fmt.Sprintf(format, m.parallel), time.Second}
	}
	if m.perMinute > 0 && !u.rate.AllowN(m.now(), 1) {
		wait := max(time.Minute/time.Duration(m.perMinute), time.Second) // until the next call at the latest
		const format = "rate limit of %d calls a minute reached; wait %.0f seconds, then retry; nothing was done"
		return nil, &BusyError{fmt.Sprintf(format, m.perMinute, wait.Seconds()), wait}
	}
	u.running++
	return sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		u.running--
	}), nil
}

// BusyError rejects a request at a limit, for now.
type BusyError struct {
	Problem string        // and what to do
	Wait    time.Duration // until a retry makes sense
}

func (e *BusyError) Error() string { return e.Problem }

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
