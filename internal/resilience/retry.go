package resilience

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Defaults of [Retry] (chosen): two retries, after up to 0.5 s and up to 1 s.
const (
	defaultRetries = 2
	defaultBase    = 500 * time.Millisecond
)

// maxRetryAfter bounds a wait that a server asks for.
const maxRetryAfter = 24 * time.Hour

// Retry decides whether and when a failed request is repeated: after a random part of an interval that doubles with
// each attempt ("full jitter"), so that clients that failed together do not retry together. The server's Retry-After is
// the minimum; the random part is added. A retry that cannot end within the deadline is not made.
//
// cenkalti/backoff does not fit: its Retry-After replaces the jitter, so that all clients retry at the same moment, and
// it starts waits that end after the deadline.
type Retry struct {
	Max     int            // retries after the first attempt; 0 = 2
	Base    time.Duration  // the interval before the first retry; 0 = 500 ms
	Reserve time.Duration  // must be left of the deadline after the wait
	Random  func() float64 // in [0, 1); nil = math/rand/v2
}

// Wait returns how long to wait after attempt, counted from 0, has failed. asked is the server's Retry-After or 0. If
// again is false, the request must not be repeated.
func (r Retry) Wait(ctx context.Context, attempt int, asked time.Duration) (wait time.Duration, again bool) {
	retries, base, random := r.Max, r.Base, r.Random
	retries = cmp.Or(retries, defaultRetries)
	base = cmp.Or(base, defaultBase)
	if random == nil {
		random = rand.Float64
	}
	if attempt >= retries || ctx.Err() != nil {
		return 0, false
	}
	wait = asked + time.Duration(random()*float64(base<<attempt))
	return wait, !Exceeds(ctx, wait+r.Reserve)
}

// Exceeds reports whether a wait of d ends at or after the deadline of ctx.
func Exceeds(ctx context.Context, d time.Duration) bool {
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

// RetryAfter reads Retry-After-Ms and Retry-After, as a number or as a date. It returns 0 if they are missing, past or
// unreadable, and at most a day. A date is compared with the server's clock if the response has the header Date, so
// that a wrong local clock does not matter.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	for _, header := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		n, err := strconv.ParseFloat(strings.TrimSpace(h.Get(header.name)), 64)
		if err == nil && n > 0 {
			return time.Duration(min(n, float64(maxRetryAfter/header.unit)) * float64(header.unit))
		}
	}
	at, err := http.ParseTime(strings.TrimSpace(h.Get("Retry-After")))
	if err != nil {
		return 0
	}
	if server, err := http.ParseTime(h.Get("Date")); err == nil {
		now = server
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}
