package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
)

const (
	circuitFailures = 5                // in a row, after which a host is left alone; chosen
	circuitRest     = 30 * time.Second // the first time; then twice as long each time
	maxCircuitRest  = 10 * time.Minute
	maxCircuitHosts = 2_000
)

// RestingError says that a host is not asked, because it has failed or asked for a pause.
type RestingError struct {
	Host string
	For  time.Duration // until it is asked again
	Why  string
}

func (e *RestingError) Error() string {
	return fmt.Sprintf("%s %s; it is left alone for another %s", e.Host, e.Why, e.For.Round(time.Second))
}

// circuits leaves alone hosts that failed several times in a row: a host that is down costs each page its whole
// deadline, and one that asks for fewer requests is not helped by more.
type circuits struct {
	next http.RoundTripper
	now  func() time.Time

	mu    sync.Mutex // guards hosts and what they point to
	hosts map[string]*circuit
}

type circuit struct {
	failures int
	opened   int // times in a row
	until    time.Time
	trying   bool // one request at a time finds out whether the host is back
}

// RoundTrip sends a request unless its host rests.
func (c *circuits) RoundTrip(req *http.Request) (*http.Response, error) {
	host := address.HostPort(req.URL)
	if err := c.enter(host); err != nil {
		return nil, refuse(req, err)
	}
	resp, err := c.next.RoundTrip(req)
	var rest time.Duration
	failed := false
	switch {
	case err != nil:
		// What we refuse, and who stops waiting, says nothing about the host. A deadline does.
		failed = !errors.Is(err, address.ErrForbidden) && !errors.Is(err, context.Canceled)
	case resp.StatusCode == http.StatusTooManyRequests, resp.StatusCode == http.StatusServiceUnavailable:
		failed, rest = true, retryAfter(resp.Header.Get("Retry-After"), c.now())
	case resp.StatusCode >= 500:
		failed = true
	}
	c.leave(host, failed, rest)
	return resp, err
}

func (c *circuits) enter(host string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.hosts[host]
	if h == nil || h.until.IsZero() {
		return nil
	}
	left := h.until.Sub(c.now())
	if left <= 0 && !h.trying {
		h.trying = true
		return nil
	}
	return &RestingError{Host: host, For: max(left, time.Second), Why: fmt.Sprintf("has failed %d times in a row", h.failures)}
}

func (c *circuits) leave(host string, failed bool, rest time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !failed {
		delete(c.hosts, host)
		return
	}
	h := c.hosts[host]
	if h == nil {
		if len(c.hosts) >= maxCircuitHosts {
			for any := range c.hosts { // any one: losing it costs a few requests
				delete(c.hosts, any)
				break
			}
		}
		h = &circuit{}
		c.hosts[host] = h
	}
	h.trying = false
	if h.failures++; h.failures >= circuitFailures {
		pause := circuitRest << min(h.opened, 8)
		h.opened++
		h.until = c.now().Add(min(max(pause, rest), maxCircuitRest))
	}
}
