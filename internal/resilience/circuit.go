package resilience

import (
	"fmt"
	"time"
)

// Chosen.
const (
	hostFailures = 5                // in a row that open the circuit of a host
	hostOpenFor  = 30 * time.Second // the first time
	hostOpenMax  = 10 * time.Minute // even if the host asks for more
)

// circuit is open for a while after failures in a row, or for as long as the host asked. Then one request is allowed. If it
// succeeds the circuit closes; if it fails the circuit is open for twice as long as before.
//
// sony/gobreaker does not fit: it does not report when it closes again, a Retry-After cannot extend its fixed open time, and its
// clock cannot be replaced.
type circuit struct {
	failures int       // in a row
	opened   int       // times without a success in between
	until    time.Time // zero = closed
	trying   bool      // one request tests whether the host is back
	last     error     // the last of the failures
}

// DownError means that a request was not sent, because the last requests to the host failed.
type DownError struct {
	Host     string
	Failures int           // in a row
	Until    time.Time     // when a request is allowed again
	Left     time.Duration // until then, at least a second
	Trying   bool          // another request is testing whether the host is back
	Last     error         // the last failure
}

func (e *DownError) Error() string {
	return fmt.Sprintf("%s failed %d times in a row; not asked for another %s", e.Host, e.Failures, e.Left.Round(time.Second))
}

// allow returns nil if a request may be sent. Its result must be recorded.
func (c *circuit) allow(host string, now time.Time) error {
	left := c.until.Sub(now)
	switch {
	case c.until.IsZero():
		return nil
	case left <= 0 && !c.trying:
		c.trying = true
		return nil
	}
	return &DownError{host, c.failures, c.until, max(left, time.Second), c.trying, c.last}
}

// record takes the result of a request that was allowed.
func (c *circuit) record(r Result, now time.Time) {
	switch {
	case r.Failed:
		c.fail(r, now)
	case !r.Unasked:
		*c = circuit{}
	}
	c.trying = false
}

func (c *circuit) fail(r Result, now time.Time) {
	c.failures++
	c.last = r.Err
	if c.failures < hostFailures {
		return
	}
	if !now.Before(c.until) { // requests that began before it opened do not prolong it
		c.opened++
	}
	until := now.Add(min(max(hostOpenFor<<min(c.opened-1, 16), r.After), hostOpenMax))
	if until.After(c.until) {
		c.until = until
	}
}
