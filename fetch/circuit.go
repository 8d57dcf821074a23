package fetch

import (
	"context"
	"errors"
	"net/http"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/internal/resilience"
)

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
