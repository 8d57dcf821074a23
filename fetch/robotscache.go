package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"github.com/citeloop/citeloop/fetch/extract/limit"
)

// errRobots is a refusal by a site's robots.txt.
var errRobots = errors.New("robots.txt")

const (
	maxRobotsHosts   = 2_000          // a few hundred bytes each, for all but the longest files
	robotsTTL        = 24 * time.Hour // RFC 9309, 2.4: not longer
	robotsRetry      = time.Minute    // after a failure; chosen
	maxRobotsHops    = 5              // RFC 9309, 2.3.1.2: at least five
	maxRobotsOnWire  = maxRobotsBytes // the rest is not received
	robotsDisallowed = "the site's robots.txt forbids automatic reading of this address"
)

// robotsAnswer is the result of a host's robots.txt: its rules, or the reason why nothing may be read.
type robotsAnswer struct {
	rules   robotsRules
	refused error
	until   time.Time
}

// robotsCache caches the results of a bounded number of hosts.
type robotsCache struct {
	token  string
	now    func() time.Time
	limit  time.Duration // for reading one robots.txt
	fetch  func(ctx context.Context, origin *url.URL) ([]byte, error)
	flight singleflight.Group

	// Results have different lifetimes and use a given clock; golang-lru/expirable has one lifetime and the system's clock.
	answers *lru.Cache[string, robotsAnswer]
}

func newRobotsCache(token string, limit time.Duration, now func() time.Time, fetch func(context.Context, *url.URL) ([]byte, error)) *robotsCache {
	answers, _ := lru.New[string, robotsAnswer](maxRobotsHosts) // fails only for a size below 1
	return &robotsCache{token: token, limit: limit, now: now, fetch: fetch, answers: answers}
}

// allows returns nil if target may be read, an error that wraps errRobots if the site forbids it, or the network error if
// the host does not answer: the page would fail in the same way.
func (c *robotsCache) allows(ctx context.Context, target *url.URL) error {
	origin := target.Scheme + "://" + target.Host
	answer, ok := c.cached(origin)
	if !ok {
		shared := c.flight.DoChan(origin, func() (any, error) {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.limit)
			defer cancel()
			return c.ask(ctx, origin, target), nil
		})
		select {
		case res := <-shared:
			answer = res.Val.(robotsAnswer)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if answer.refused != nil {
		return answer.refused
	}
	path := target.EscapedPath()
	if target.RawQuery != "" {
		path += "?" + target.RawQuery
	}
	if !answer.rules.allows(path) {
		return fmt.Errorf("%w: %s", errRobots, robotsDisallowed)
	}
	return nil
}

func (c *robotsCache) cached(origin string) (robotsAnswer, bool) {
	a, ok := c.answers.Get(origin)
	return a, ok && c.now().Before(a.until)
}

// delay returns the crawl-delay of a site if it is known.
func (c *robotsCache) delay(target *url.URL) time.Duration {
	a, ok := c.cached(target.Scheme + "://" + target.Host)
	if !ok {
		return 0
	}
	return a.rules.delay
}

func (c *robotsCache) ask(ctx context.Context, origin string, target *url.URL) robotsAnswer {
	body, err := c.fetch(ctx, &url.URL{Scheme: target.Scheme, Host: target.Host, Path: "/robots.txt"})
	a := robotsAnswer{refused: err, until: c.now().Add(robotsRetry)}
	if err == nil {
		a = robotsAnswer{rules: parseRobots(body, c.token), until: c.now().Add(robotsTTL)}
	}
	c.answers.Add(origin, a)
	return a
}

// fetchRobots reads a robots.txt as RFC 9309, 2.3.1 requires: after a 4xx everything may be read, after a 5xx nothing. 429
// counts as the latter: a host that asks for fewer requests does not allow all.
func fetchRobots(ctx context.Context, transport http.RoundTripper, robots *url.URL) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, robots.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "text/plain,*/*;q=0.1")
	req.Header.Set("Accept-Encoding", acceptEncoding)
	client := http.Client{Transport: transport, CheckRedirect: redirectPolicy(maxRobotsHops, nil)}
	resp, err := client.Do(req)
	switch {
	case errors.Is(err, ErrTooManyRedirects):
		return nil, nil // 2.3.1.2: may be taken as unavailable
	case err != nil:
		return nil, fmt.Errorf("robots.txt could not be read: %w", err)
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode >= 500 || resp.StatusCode == http.StatusTooManyRequests:
		return nil, fmt.Errorf("%w: the site answers its robots.txt with %d, which counts as a refusal (RFC 9309)", errRobots, resp.StatusCode)
	case resp.StatusCode >= 300:
		_, _ = io.CopyN(io.Discard, resp.Body, 16<<10) // read to its end, so that the page can use the same connection
		return nil, nil
	}
	resp.ContentLength = -1 // longer files are read up to the limit, not refused
	body, err := readBody(resp, maxRobotsOnWire, maxRobotsBytes)
	if err != nil && !errors.Is(err, limit.ErrTooLarge) && !errors.Is(err, errEncoding) {
		return nil, fmt.Errorf("robots.txt could not be read: %w", err)
	}
	return body, nil
}
