package resilience

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Chosen.
const (
	maxRetries = 2
	retryBase  = 500 * time.Millisecond // up to which the first retry waits
	reserve    = time.Second            // that must be left of the deadline after the wait
	// maxRetryAfter bounds a wait that a server asks for.
	maxRetryAfter = 24 * time.Hour
)

// again returns how long to wait before a request is repeated, after an attempt counted from 0 has failed: a random part of an
// interval that doubles with each attempt ("full jitter"), so that clients that failed together do not retry together. The host's
// Retry-After is the minimum. A retry that cannot end within the deadline is not made.
//
// cenkalti/backoff does not fit: its Retry-After replaces the jitter, so that all clients retry at the same moment, and it starts
// waits that end after the deadline.
func (c HostsConfig) again(ctx context.Context, attempt int, r Result) (wait time.Duration, ok bool) {
	wait = r.After + time.Duration(c.Random()*float64(retryBase<<attempt))
	return wait, r.Err != nil && r.Again && r.After <= longestPause && attempt < maxRetries && ctx.Err() == nil &&
		!exceeds(ctx, wait+reserve)
}

// exceeds reports whether a wait of d ends at or after the deadline of ctx.
func exceeds(ctx context.Context, d time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ok && d >= time.Until(deadline)
}

// Sleep waits for d, or until ctx ends and then returns its error.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// RetryAfter reads Retry-After, as a number of seconds or as a date. It returns 0 if it is missing, past or unreadable, and at
// most a day. A date is compared with the server's clock if the response has the header Date, so that a wrong local clock
// does not matter.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseFloat(value, 64); err == nil && n > 0 {
		return time.Duration(min(n, maxRetryAfter.Seconds()) * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if server, err := http.ParseTime(h.Get("Date")); err == nil {
		now = server
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}
