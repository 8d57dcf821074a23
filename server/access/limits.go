package access

import (
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits are how much one owner may ask of a server, so that none can use it up for the others. Zero is no
// limit.
type Limits struct {
	CallsPerMinute int // by token bucket: a minute's worth may come at once
	Parallel       int // calls at one time
}

// BusyError refuses a call for now.
type BusyError struct {
	Problem string
	Wait    time.Duration // how long to wait; 0 when it depends on the caller's own calls
}

func (e *BusyError) Error() string {
	if e.Wait == 0 {
		return e.Problem + "; wait for one of them to end"
	}
	return fmt.Sprintf("%s; wait %d seconds", e.Problem, max(1, int(e.Wait.Round(time.Second).Seconds())))
}

// Meter counts the calls of each owner on this server. Replicas count for themselves: behind n of them an owner
// may have n times as much.
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

// maxIdleOwners is how many owners without a running call are remembered.
const maxIdleOwners = 10_000

// NewMeter makes a meter with these limits.
func NewMeter(limits Limits, now func() time.Time) *Meter {
	return &Meter{limits: limits, now: now, owners: map[string]*counted{}}
}

// Begin counts a call, or refuses it with a [BusyError]. end must be called when it ended.
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
		return nil, &BusyError{Problem: fmt.Sprintf("%d of your calls are running, as many as one owner may have at a time", c.running)}
	}
	if m.limits.CallsPerMinute > 0 {
		r := c.calls.ReserveN(now, 1)
		if wait := r.DelayFrom(now); wait > 0 {
			r.CancelAt(now)
			return nil, &BusyError{Problem: fmt.Sprintf("one owner may make %d calls a minute", m.limits.CallsPerMinute), Wait: wait}
		}
	}
	c.running++
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		c.running--
	}, nil
}

// forget drops an owner's count once their minute is full again and nothing runs, when there are many.
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
