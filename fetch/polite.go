package fetch

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/internal/resilience"
)

// hostGates bounds the concurrent requests to one host:port, and puts a pause between their starts: our own, or the
// crawl-delay of the site if it is longer.
type hostGates struct {
	next  http.RoundTripper
	limit int
	pause time.Duration                  // between the starts of two requests
	asked func(u *url.URL) time.Duration // the site's crawl-delay; nil = unknown
	now   func() time.Time
	wait  func(ctx context.Context, d time.Duration) error

	mu    sync.Mutex // guards gates and the users of each
	gates map[string]*hostGate
}

type hostGate struct {
	slots chan struct{}
	next  time.Time // when the next request may start
	users int       // holding or waiting; a gate without users is dropped when its pause is over
}

// RoundTrip waits for a free place at the host and keeps it until the body is closed.
func (h *hostGates) RoundTrip(req *http.Request) (*http.Response, error) {
	release, err := h.acquire(req.Context(), address.HostPort(req.URL), h.pauseAt(req.URL))
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

// pauseAt returns the time between the starts of two requests to a site.
func (h *hostGates) pauseAt(u *url.URL) time.Duration {
	if h.asked == nil {
		return h.pause
	}
	return max(h.pause, h.asked(u))
}

func (h *hostGates) acquire(ctx context.Context, hostport string, pause time.Duration) (release func(), err error) {
	h.mu.Lock()
	if len(h.gates) >= maxGates {
		h.sweep()
	}
	g := h.gates[hostport]
	if g == nil {
		g = &hostGate{slots: make(chan struct{}, h.limit)}
		h.gates[hostport] = g
	}
	g.users++
	h.mu.Unlock()
	leave := func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if g.users--; g.users == 0 && !h.now().Before(g.next) {
			delete(h.gates, hostport)
		}
	}
	select {
	case g.slots <- struct{}{}:
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
	release = func() { <-g.slots; leave() }
	h.mu.Lock()
	now := h.now()
	start := now
	if g.next.After(now) {
		start = g.next
	}
	g.next = start.Add(pause)
	h.mu.Unlock()
	if start.After(now) {
		if err := h.wait(ctx, start.Sub(now)); err != nil {
			release()
			return nil, err
		}
	}
	return release, nil
}

// maxGates is the number of hosts above which unused ones are dropped.
const maxGates = 1_000

// sweep drops unused gates whose pause is over. The caller holds mu.
func (h *hostGates) sweep() {
	now := h.now()
	for hostport, g := range h.gates {
		if g.users == 0 && !now.Before(g.next) {
			delete(h.gates, hostport)
		}
	}
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
