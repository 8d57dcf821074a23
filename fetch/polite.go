package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/internal/resilience"
)

// polite sends the requests for pages within the limits of their hosts.
type polite struct {
	next  http.RoundTripper
	hosts *resilience.Hosts
	pause time.Duration    // between the starts of two requests to one host
	now   func() time.Time // for dates in Retry-After
}

// RoundTrip waits for its turn at the host and keeps its place until the body is closed. It repeats requests without a body
// after failures that are likely temporary.
func (p *polite) RoundTrip(req *http.Request) (*http.Response, error) {
	limits := resilience.Limits{Every: max(p.pause, 0), Parallel: maxPerHost}
	var resp *http.Response
	err := p.hosts.Of(address.HostPort(req.URL)).Do(req.Context(), limits, func(leave func()) (r resilience.Result) {
		resp, r.Err = p.next.RoundTrip(req)
		if r.Err != nil {
			leave()
			r.Unasked = errors.Is(r.Err, address.ErrForbidden) || errors.Is(r.Err, context.Canceled)
			r.Failed, r.Again = !r.Unasked, Temporary(r.Err) && (req.Body == nil || req.Body == http.NoBody)
			return r
		}
		code := resp.StatusCode
		if code != http.StatusTooManyRequests && code < 500 {
			resp.Body = &leavingBody{resp.Body, leave}
			return r
		}
		defer leave()
		body, _ := io.ReadAll(io.LimitReader(resp.Body, errorBytes)) // the status counts
		_ = resp.Body.Close()
		resp.Body = io.NopCloser(bytes.NewReader(body))
		repeatable := req.Body == nil || req.Body == http.NoBody
		return resilience.Result{Err: errors.New(resp.Status), Failed: true, After: resilience.RetryAfter(resp.Header, p.now()),
			Again: repeatable && (code == http.StatusTooManyRequests || code >= http.StatusBadGateway && code <= http.StatusGatewayTimeout)}
	})
	if resp != nil {
		return resp, nil
	}
	return nil, refuse(req, err)
}

type leavingBody struct {
	io.ReadCloser
	leave func()
}

func (b *leavingBody) Close() error {
	defer b.leave()
	return b.ReadCloser.Close()
}

// Temporary reports whether the same request may succeed soon. After a timeout it does not, because the time is used up.
func Temporary(err error) bool {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.Is(err, address.ErrForbidden), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENETUNREACH):
		return false
	case errors.As(err, &dns):
		return dns.IsTemporary && !dns.IsNotFound
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return true
	}
	return errors.As(err, &op) && !op.Timeout()
}
