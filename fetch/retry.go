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

// maxRetryAfter is the longest requested pause that is waited for (chosen). Longer ones are reported to the user.
const maxRetryAfter = 8 * time.Second

// retries repeats requests after failures that are likely temporary.
type retries struct {
	next http.RoundTripper
	now  func() time.Time // for dates in Retry-After; deadlines are those of contexts, which know their own clock
	wait func(ctx context.Context, d time.Duration) error
}

// pageRetry leaves a second of the deadline for the page itself.
var pageRetry = resilience.Retry{Reserve: time.Second}

// RoundTrip sends a request, up to three times. Only requests without a body are repeated.
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
			// Read to its end, up to a limit, so that the connection can be reused.
			_, _ = io.CopyN(io.Discard, resp.Body, 16<<10)
			_ = resp.Body.Close()
		}
		if err := r.wait(req.Context(), pause); err != nil {
			return nil, err
		}
	}
}

// mayPass reports whether the same request may succeed soon. After a timeout it does not, because the time is used up.
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
