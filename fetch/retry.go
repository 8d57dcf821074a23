package fetch

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
)

const (
	maxAttempts  = 3
	firstBackoff = 250 * time.Millisecond // before the second attempt; four times as long before the third
	maxWait      = 8 * time.Second        // that a site may ask for and get; longer, the user is told instead
)

// retries asks again when a failure is likely to pass and the caller's deadline leaves time for it.
type retries struct {
	next http.RoundTripper
	now  func() time.Time // for dates in Retry-After; deadlines are those of contexts, which know their own clock
	wait func(ctx context.Context, d time.Duration) error
}

// RoundTrip sends a request, up to three times. Only requests without a body are repeated: pages are read,
// never sent.
func (r *retries) RoundTrip(req *http.Request) (*http.Response, error) {
	backoff := firstBackoff
	for attempt := 1; ; attempt++ {
		resp, err := r.next.RoundTrip(req)
		if attempt == maxAttempts || req.Body != nil && req.Body != http.NoBody {
			return resp, err
		}
		pause, again := r.pause(resp, err, backoff)
		if deadline, ok := req.Context().Deadline(); !again || ok && time.Until(deadline) < pause+time.Second {
			return resp, err
		}
		if resp != nil {
			// Read to its end, within reason, so that the connection can be used again.
			_, _ = io.CopyN(io.Discard, resp.Body, 16<<10)
			_ = resp.Body.Close()
		}
		if err := r.wait(req.Context(), pause); err != nil {
			return nil, err
		}
		backoff *= 4
	}
}

// pause is how long to wait before the next attempt, and whether there should be one.
func (r *retries) pause(resp *http.Response, err error, backoff time.Duration) (time.Duration, bool) {
	// Half of it is chance, so that readers who failed together do not come back together.
	jittered := backoff/2 + time.Duration(rand.Int64N(int64(backoff)))
	if err != nil {
		return jittered, passes(err)
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		asked := retryAfter(resp.Header.Get("Retry-After"), r.now())
		return max(asked, jittered), asked <= maxWait
	case http.StatusBadGateway, http.StatusGatewayTimeout:
		return jittered, true
	}
	return 0, false
}

// passes reports errors of a connection that another one may not have. A timeout is none: it has used up the
// time that an attempt may take.
func passes(err error) bool {
	var dns *net.DNSError
	switch {
	case errors.Is(err, address.ErrForbidden), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.As(err, &dns):
		return dns.IsTemporary && !dns.IsNotFound
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return true
	}
	var rest *RestingError
	var op *net.OpError
	return !errors.As(err, &rest) && errors.As(err, &op) && !op.Timeout()
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
