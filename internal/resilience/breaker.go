package resilience

import (
	"fmt"
	"sync"
	"time"
)

// Breaker is a circuit breaker. After Failures failures in a row it is open for OpenFor, or for as long as the service
// asked. Then one request is allowed. If it succeeds the breaker closes; if it fails the breaker is open for twice
// as long as before, up to OpenMax. It is safe for concurrent use.
//
// sony/gobreaker does not fit: it does not report when it closes again, a Retry-After cannot extend its fixed open
// time, and its clock cannot be replaced.
type Breaker struct {
	Failures int           // in a row that open it
	OpenFor  time.Duration // the first time
	OpenMax  time.Duration // the longest, even if the service asks for more
	Now      func() time.Time

	mu     sync.Mutex
	inARow int       // failures
	opened int       // times without a success in between
	until  time.Time // zero = closed
	trying bool      // one request tests whether the service is back
	last   error     // the last of the failures in a row
}

// OpenError means that no request is sent because the service failed.
type OpenError struct {
	Failures int           // in a row
	Until    time.Time     // when a request is allowed again
	Left     time.Duration // until then, at least a second
	Trying   bool          // another request is testing whether the service is back
	Last     error         // the last failure
}

func (e *OpenError) Error() string {
	return fmt.Sprintf("failed %d times in a row; not asked for another %s", e.Failures, e.Left.Round(time.Second))
}

// Allow returns nil if a request may be made. The caller must then call Succeed, Fail or Abandon.
func (b *Breaker) Allow() *OpenError {
	b.mu.Lock()
	defer b.mu.Unlock()
	left := b.until.Sub(b.Now())
	switch {
	case b.until.IsZero():
		return nil
	case left <= 0 && !b.trying:
		b.trying = true
		return nil
	}
	return &OpenError{Failures: b.inARow, Until: b.until, Left: max(left, time.Second), Trying: b.trying, Last: b.last}
}

// Succeed closes the breaker.
func (b *Breaker) Succeed() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inARow, b.opened, b.until, b.trying, b.last = 0, 0, time.Time{}, false, nil
}

// Abandon reports a request without a result, such as a cancelled one.
func (b *Breaker) Abandon() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying = false
}

// Fail counts a failure. asked is the service's Retry-After or 0. It returns for how long the failure opens the
// breaker, or 0.
func (b *Breaker) Fail(cause error, asked time.Duration) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.Now()
	b.inARow++
	b.last = cause
	if b.inARow < b.Failures {
		b.trying = false
		return 0
	}
	if !now.Before(b.until) { // requests that began before it opened do not prolong it
		b.opened++
	}
	b.trying = false
	until := now.Add(min(max(b.OpenFor<<min(b.opened-1, 16), asked), b.OpenMax))
	if until.After(b.until) {
		b.until = until
	}
	return b.until.Sub(now)
}

// OpenUntil returns when an open breaker allows the next request; zero if one is allowed now.
func (b *Breaker) OpenUntil() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.Now().Before(b.until) {
		return time.Time{}
	}
	return b.until
}
