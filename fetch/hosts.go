package fetch

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
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
