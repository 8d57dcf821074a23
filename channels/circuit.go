package channels

import (
	"sync"
	"time"
)

const (
	circuitFailures = 3                // in a row (channels.md, "Rules for all")
	circuitOpenFor  = time.Minute      // chosen: long enough for a restart, short enough for the same conversation
	circuitOpenMax  = 15 * time.Minute // the longest that a Retry-After may keep it open
)

// circuit stops asking a source that keeps failing. After three failures in a row it is open for a minute, or
// for as long as the source asked; then one search is let through, which closes it or opens it again.
//
// It is not gobreaker because it must say until when it is open, and because its clock is the frame's.
type circuit struct {
	now func() time.Time

	mu       sync.Mutex
	inARow   int
	until    time.Time // zero = closed
	probing  bool
	why      Status // of the failure that opened it
	whyWords string
}

// allow says whether the source may be asked now; if not, the failure tells until when.
// A caller that was allowed must report with done or forget.
func (c *circuit) allow() *Failure {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.until.IsZero() {
		return nil
	}
	now := c.now()
	if !now.Before(c.until) && !c.probing {
		c.probing = true
		return nil
	}
	f := failure(c.why, "not asked: %d failures in a row, circuit open until %s (last: %s)",
		c.inARow, clockTime(c.until), c.whyWords)
	if c.probing {
		f.Message = "not asked: the source failed before and another search is trying it now (last: " + c.whyWords + ")"
	}
	f.inconclusive = true
	f.RetryAfter = max(c.until.Sub(now), time.Second)
	return f
}

// done reports how a search ended that was allowed; nil is success. It answers for how long that opens the circuit.
func (c *circuit) done(f *Failure) (open time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case f == nil || !f.countsAgainst():
		if f != nil && f.inconclusive { // nothing was learned about the source
			c.probing = false
			return 0
		}
		c.inARow, c.until, c.probing = 0, time.Time{}, false
	default:
		c.inARow++
		if c.inARow >= circuitFailures {
			open = min(max(circuitOpenFor, f.RetryAfter), circuitOpenMax)
			c.until = c.now().Add(open)
			c.why, c.whyWords = f.Status, f.Message
		}
		c.probing = false
	}
	return open
}

// openUntil is when an open circuit lets the next search through; zero when closed.
func (c *circuit) openUntil() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.until.IsZero() || !c.now().Before(c.until) {
		return time.Time{}
	}
	return c.until
}

func clockTime(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }
