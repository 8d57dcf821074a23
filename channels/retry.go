package channels

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	maxRetries  = 2                      // channels.md, "Rules for all"
	backoffBase = 500 * time.Millisecond // chosen: 0.5 s, then 1 s, each with full jitter
)

var errNoRetry = errors.New("channels: not to be tried again")

// pause waits before the next attempt. An error means that there must not be one: the failure is final, two
// retries were made, or the wait would end after the deadline.
func (d *door) pause(ctx context.Context, attempt int, fail *Failure) error {
	if !fail.retry || attempt >= maxRetries || ctx.Err() != nil {
		return errNoRetry
	}
	// Full jitter: anywhere between nothing and the whole step, so that clients that failed together do not
	// come back together. What the source asked for is a floor, with jitter above it.
	wait := fail.RetryAfter + time.Duration(d.cfg.Rand()*float64(backoffBase<<attempt))
	if exceeds(ctx, wait) {
		return errNoRetry
	}
	return d.sleep(ctx, wait)
}

// retryAfter reads Retry-After, as seconds or as a date; 0 where it is absent, past or unreadable. A date is
// taken against the server's own clock where it tells it, so that a wrong clock here does not matter.
func retryAfter(h http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value == "" {
		return 0
	}
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if !(seconds > 0) {
			return 0
		}
		return time.Duration(min(seconds, float64(24*time.Hour/time.Second)) * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if server, err := http.ParseTime(h.Get("Date")); err == nil {
		now = server
	}
	return min(max(at.Sub(now), 0), 24*time.Hour)
}
