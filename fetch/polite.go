package fetch

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/internal/resilience"
)

// hostGates bounds the concurrent requests to one host:port, and puts a pause between their starts: our own, or the
// crawl-delay of the site if it is longer.
type hostGates struct {
	next  http.RoundTripper
	limit int
	pause time.Duration                  // between the starts of two requests
	asked func(u *url.URL) time.Duration // the site's crawl-delay
	gates *lru.Cache[string, *hostGate]  // of the hosts that were asked most recently
}

type hostGate struct {
	slots chan struct{}
	pace  *rate.Limiter
}

// maxGates bounds the hosts whose requests are bounded.
const maxGates = 1_000

func newHostGates(next http.RoundTripper, limit int, pause time.Duration, asked func(*url.URL) time.Duration) *hostGates {
	gates, _ := lru.New[string, *hostGate](maxGates) // fails only for a size below 1
	return &hostGates{next: next, limit: limit, pause: pause, asked: asked, gates: gates}
}

// RoundTrip waits for a free place at the host and keeps it until the body is closed.
func (h *hostGates) RoundTrip(req *http.Request) (*http.Response, error) {
	release, err := h.acquire(req.Context(), address.HostPort(req.URL), max(h.pause, h.asked(req.URL)))
	if err != nil {
		return nil, refuse(req, err)
	}
	resp, err := h.next.RoundTrip(req)
	if err != nil {
		release()
		return nil, err
	}
	resp.Body = &releasingBody{ReadCloser: resp.Body, release: sync.OnceFunc(release)}
	return resp, nil
}

func (h *hostGates) acquire(ctx context.Context, hostport string, pause time.Duration) (release func(), err error) {
	g, ok := h.gates.Get(hostport)
	if !ok {
		g = &hostGate{slots: make(chan struct{}, h.limit), pace: rate.NewLimiter(rate.Every(pause), 1)}
		if earlier, found, _ := h.gates.PeekOrAdd(hostport, g); found {
			g = earlier
		}
	}
	select {
	case g.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	release = func() { <-g.slots }
	g.pace.SetLimit(rate.Every(pause)) // robots.txt may have been read since
	if err := g.pace.Wait(ctx); err != nil {
		release()
		return nil, cmp.Or(ctx.Err(), context.DeadlineExceeded) // it would pass during the pause
	}
	return release, nil
}

type releasingBody struct {
	io.ReadCloser
	release func()
}

func (b *releasingBody) Close() error {
	defer b.release()
	return b.ReadCloser.Close()
}

// maxRetryAfter is the longest requested pause that is waited for (chosen). Longer ones are reported to the user.
const maxRetryAfter = 8 * time.Second

// retries repeats requests after failures that are likely temporary.
type retries struct {
	next http.RoundTripper
	now  func() time.Time // for dates in Retry-After; deadlines are those of contexts, which know their own clock
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
		if err := resilience.Sleep(req.Context(), pause); err != nil {
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

// Chosen.
const (
	circuitFailures = 5 // in a row
	circuitOpenFor  = 30 * time.Second
	circuitOpenMax  = 10 * time.Minute
	maxCircuitHosts = 2_000
)

// HostDownError reports that a host is not contacted, because its last requests failed.
type HostDownError struct {
	Host string
	*resilience.OpenError
}

func (e *HostDownError) Error() string { return e.Host + " " + e.OpenError.Error() }

// circuits stops requests to hosts that failed several times in a row: a host that is down costs each page its whole
// deadline, and more requests do not help an overloaded one.
type circuits struct {
	next  http.RoundTripper
	now   func() time.Time
	hosts *lru.Cache[string, *resilience.Breaker] // those that failed most recently
}

func newCircuits(next http.RoundTripper, now func() time.Time) *circuits {
	hosts, _ := lru.New[string, *resilience.Breaker](maxCircuitHosts) // fails only for a size below 1
	return &circuits{next: next, now: now, hosts: hosts}
}

// RoundTrip sends a request unless its host's circuit is open.
func (c *circuits) RoundTrip(req *http.Request) (*http.Response, error) {
	host := address.HostPort(req.URL)
	breaker, ok := c.hosts.Get(host)
	if ok {
		if open := breaker.Allow(); open != nil {
			return nil, refuse(req, &HostDownError{host, open})
		}
	}
	resp, err := c.next.RoundTrip(req)
	if errors.Is(err, address.ErrForbidden) || errors.Is(err, context.Canceled) { // no evidence about the host; a deadline is
		if ok {
			breaker.Abandon()
		}
		return resp, err
	}
	failure := err
	var asked time.Duration
	if err == nil && (resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500) {
		failure = errors.New(resp.Status)
		asked = resilience.RetryAfter(resp.Header, c.now())
	}
	if failure == nil {
		c.hosts.Remove(host)
		return resp, nil
	}
	if !ok {
		breaker = &resilience.Breaker{Failures: circuitFailures, OpenFor: circuitOpenFor, OpenMax: circuitOpenMax, Now: c.now}
		if earlier, found, _ := c.hosts.PeekOrAdd(host, breaker); found {
			breaker = earlier
		}
	}
	breaker.Fail(failure, asked)
	return resp, err
}
