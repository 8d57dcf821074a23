package fetch

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/internal/resilience"
)

// maxRetryAfter is the longest that a site may ask a reading to wait (chosen). The user is told of longer waits instead.
const maxRetryAfter = 8 * time.Second

// retries repeats requests that failed in a way that is likely to pass.
type retries struct {
	next http.RoundTripper
	now  func() time.Time // for dates in Retry-After; deadlines are those of contexts, which know their own clock
	wait func(ctx context.Context, d time.Duration) error
}

// pageRetry leaves a second of the deadline for the page itself.
var pageRetry = resilience.Retry{Reserve: time.Second}

// RoundTrip sends a request, up to three times. Only requests without a body are repeated: pages are read,
// never sent.
func (r *retries) RoundTrip(req *http.Request) (*http.Response, error) {
	for attempt := 0; ; attempt++ {
		resp, err := r.next.RoundTrip(req)
		if req.Body != nil && req.Body != http.NoBody || !r.mayPass(resp, err) {
			return resp, err
		}
		var asked time.Duration
		if resp != nil {
			asked = resilience.RetryAfter(resp.Header, r.now())
		}
		pause, again := pageRetry.Wait(req.Context(), attempt, asked)
		if !again || asked > maxRetryAfter {
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
	}
}

// mayPass reports whether the same request may succeed soon. A timeout does not: it has used up the time that an
// attempt may take.
func (r *retries) mayPass(resp *http.Response, err error) bool {
	if err == nil {
		switch resp.StatusCode {
		case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusBadGateway, http.StatusGatewayTimeout:
			return true
		}
		return false
	}
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.Is(err, address.ErrForbidden), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.As(err, &dns):
		return dns.IsTemporary && !dns.IsNotFound
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return true
	}
	return errors.As(err, &op) && !op.Timeout()
}
