package access

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
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

	mu      sync.Mutex
	running map[string]int
	rates   *lru.Cache[string, *rate.Limiter]
}

// maxRates bounds the owners whose rates are remembered.
const maxRates = 10_000

// NewMeter returns a meter with these limits.
func NewMeter(limits Limits, now func() time.Time) *Meter {
	rates, _ := lru.New[string, *rate.Limiter](maxRates) // fails for a size below 1 only
	return &Meter{Limits: limits, now: now, running: map[string]int{}, rates: rates}
}

// Begin counts one for an owner, or fails with a [BusyError]. end must be called afterwards.
func (m *Meter) Begin(owner string) (end func(), err error) {
	if m == nil {
		return func() {}, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Parallel > 0 && m.running[owner] >= m.Parallel {
		const format = "too many parallel %s: you have %d, the limit of one owner; wait for one to end, then retry; nothing was done"
		return nil, &BusyError{fmt.Sprintf(format, m.What, m.Parallel), time.Second}
	}
	if m.PerMinute > 0 {
		limiter, known := m.rates.Get(owner)
		if !known {
			limiter = rate.NewLimiter(rate.Limit(float64(m.PerMinute)/60), m.PerMinute)
			m.rates.Add(owner, limiter)
		}
		now := m.now()
		r := limiter.ReserveN(now, 1)
		if wait := r.DelayFrom(now); wait > 0 {
			r.CancelAt(now)
			wait = max(wait.Round(time.Second), time.Second)
			const format = "rate limit of %d %s a minute reached; wait %.0f seconds, then retry; nothing was done"
			return nil, &BusyError{fmt.Sprintf(format, m.PerMinute, m.What, wait.Seconds()), wait}
		}
	}
	m.running[owner]++
	return sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.running[owner]--; m.running[owner] == 0 {
			delete(m.running, owner)
		}
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
