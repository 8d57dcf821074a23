package fetch

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// hostGates lets a bounded number of requests to one host:port be in progress at once.
type hostGates struct {
	next  http.RoundTripper
	limit int

	mu    sync.Mutex // guards gates and the users of each
	gates map[string]*hostGate
}

type hostGate struct {
	slots chan struct{}
	users int // holding or waiting; the gate is dropped with the last one, so that the map stays small
}

// RoundTrip waits for a free place at the host and keeps it until the body is closed.
func (h *hostGates) RoundTrip(req *http.Request) (*http.Response, error) {
	release, err := h.acquire(req.Context(), hostPort(req.URL))
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

func (h *hostGates) acquire(ctx context.Context, hostport string) (release func(), err error) {
	h.mu.Lock()
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
		if g.users--; g.users == 0 {
			delete(h.gates, hostport)
		}
	}
	select {
	case g.slots <- struct{}{}:
		return func() { <-g.slots; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
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
