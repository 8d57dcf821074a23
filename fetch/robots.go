package fetch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// errRobots is a refusal by a site's robots.txt.
var errRobots = errors.New("robots.txt")

const (
	maxRobotsHosts = 2_000          // a few hundred bytes each, for all but the longest files
	robotsTTL      = 24 * time.Hour // RFC 9309, 2.4: not longer
	robotsRetry    = time.Minute    // after a failure; chosen
	maxRobotsHops  = 5              // RFC 9309, 2.3.1.2: at least five
	maxRobotsBytes = 500 << 10      // RFC 9309, 2.5: at least 500 kibibytes must be parsed
	maxRobotsRules = 10_000         // far above the longest lists in use (some 2,000); bounds the time of one match
)

// robotsCache keeps what robots.txt says at a bounded number of hosts, by RFC 9309.
type robotsCache struct {
	token     string // our product token
	transport http.RoundTripper
	limit     time.Duration // for reading one robots.txt
	now       func() time.Time
	flight    singleflight.Group
	answers   *lru.Cache[string, robotsAnswer] // their lifetimes differ
}

// robotsAnswer is the result of a host's robots.txt: its rules, or the reason why nothing may be read.
type robotsAnswer struct {
	rules   robotsRules
	refused error
	until   time.Time
}

func newRobotsCache(token string, transport http.RoundTripper, limit time.Duration, now func() time.Time) *robotsCache {
	answers, _ := lru.New[string, robotsAnswer](maxRobotsHosts) // fails only for a size below 1
	return &robotsCache{token: token, transport: transport, limit: limit, now: now, answers: answers}
}

// allows returns nil if target may be read, an error that wraps errRobots if the site forbids it, or the network error if
// the host does not answer: the page would fail in the same way.
func (c *robotsCache) allows(ctx context.Context, target *url.URL) error {
	answer, known := c.answers.Get(target.Scheme + "://" + target.Host)
	if !known || !c.now().Before(answer.until) {
		shared := c.flight.DoChan(target.Scheme+"://"+target.Host, func() (any, error) {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.limit)
			defer cancel()
			return c.ask(ctx, target), nil
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
		return fmt.Errorf("%w: the site's robots.txt forbids automatic reading of this address", errRobots)
	}
	return nil
}

func (c *robotsCache) ask(ctx context.Context, target *url.URL) robotsAnswer {
	body, err := c.fetch(ctx, &url.URL{Scheme: target.Scheme, Host: target.Host, Path: "/robots.txt"})
	a := robotsAnswer{refused: err, until: c.now().Add(robotsRetry)}
	if err == nil {
		a = robotsAnswer{rules: parseRobots(body, c.token), until: c.now().Add(robotsTTL)}
	}
	c.answers.Add(target.Scheme+"://"+target.Host, a)
	return a
}

// fetch reads a robots.txt as RFC 9309, 2.3.1 requires: after a 4xx everything may be read, after a 5xx nothing. 429
// counts as the latter: a host that asks for fewer requests does not allow all.
func (c *robotsCache) fetch(ctx context.Context, robots *url.URL) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, robots.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "text/plain,*/*;q=0.1")
	req.Header.Set("Accept-Encoding", AcceptEncoding)
	client := http.Client{Transport: c.transport, CheckRedirect: redirectPolicy(maxRobotsHops, nil)}
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
		return nil, fmt.Errorf("%w: the site answers its robots.txt with %d, which counts as a refusal (RFC 9309)",
			errRobots, resp.StatusCode)
	case resp.StatusCode >= 300:
		_, _ = io.CopyN(io.Discard, resp.Body, 16<<10) // read to its end, so that the page can use the same connection
		return nil, nil
	}
	resp.ContentLength = -1 // longer files are read up to the limit, not refused
	body, err := ReadBody(resp, maxRobotsBytes, maxRobotsBytes)
	if err != nil && !errors.Is(err, limit.ErrTooLarge) && !errors.Is(err, errEncoding) {
		return nil, fmt.Errorf("robots.txt could not be read: %w", err)
	}
	return body, nil
}

// robotsRules are the rules of one robots.txt that apply to citeloop.
//
// temoto/robotstxt (2021) is not used, because it differs from RFC 9309: it takes one matching group instead of merging all,
// compiles patterns from untrusted bytes to regular expressions, and has no limit on size.
type robotsRules []robotsRule

type robotsRule struct {
	pattern string
	allow   bool
}

// parseRobots returns the rules for the crawler with this product token. It ignores bytes beyond 500 KiB and unknown lines
// (RFC 9309, 2.2).
func parseRobots(body []byte, token string) robotsRules {
	if len(body) > maxRobotsBytes {
		body = body[:maxRobotsBytes]
		body = body[:bytes.LastIndexByte(body, '\n')+1] // a truncated rule could match other paths
	}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	var ours, others robotsRules // the latter of the group of *
	found := false
	var open []*robotsRules // of the current User-agent lines
	naming := false         // within consecutive User-agent lines
	for line := range bytes.FieldsFuncSeq(body, func(r rune) bool { return r == '\n' || r == '\r' }) {
		text, _, _ := strings.Cut(string(line), "#")
		key, value, ok := strings.Cut(text, ":")
		if !ok {
			continue
		}
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch key {
		case "user-agent":
			if !naming {
				open = nil
			}
			naming = true
			if value == "*" {
				open = append(open, &others)
			} else if strings.EqualFold(productToken(value), token) {
				found, open = true, append(open, &ours)
			}
		case "allow", "disallow":
			naming = false
			for _, g := range open {
				if value != "" && len(*g) < maxRobotsRules { // an empty Disallow forbids nothing
					*g = append(*g, robotsRule{pattern: escapePath(value), allow: key == "allow"})
				}
			}
		}
	}
	if found {
		return ours
	}
	return others
}

// allows reports whether a path with its query may be read: the longest matching pattern decides, and among equally long
// ones the one that allows (RFC 9309, 2.2.2).
func (r robotsRules) allows(path string) bool {
	path = cmp.Or(path, "/")
	if path == "/robots.txt" {
		return true
	}
	path = escapePath(path)
	best, allowed := -1, true
	for _, rule := range r {
		if len(rule.pattern) < best || len(rule.pattern) == best && !rule.allow {
			continue
		}
		if matchRobots(rule.pattern, path) {
			best, allowed = len(rule.pattern), rule.allow
		}
	}
	return allowed
}

// matchRobots matches a pattern with * (any characters) and a final $ (the end) against the start of a path. It never
// backtracks: the first occurrence of each literal is enough if only * separates them.
func matchRobots(pattern, path string) bool {
	anchored := strings.HasSuffix(pattern, "$")
	parts := strings.Split(strings.TrimSuffix(pattern, "$"), "*")
	rest, ok := strings.CutPrefix(path, parts[0])
	if !ok || len(parts) == 1 {
		return ok && (!anchored || rest == "")
	}
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	if anchored {
		return strings.HasSuffix(rest, last)
	}
	return strings.Contains(rest, last)
}

// octets are the parts of a path that may be written in more than one way.
var octets = lazyregexp.New(`%[0-9A-Fa-f]{2}|[^!-~]`)

// escapePath normalises a path or a pattern for comparison: octets that need escaping are escaped in upper case, and
// unreserved ones are not (RFC 9309, 2.2.2; RFC 3986, 2.3).
func escapePath(s string) string {
	return octets.ReplaceAllStringFunc(s, func(octet string) string {
		plain, err := url.PathUnescape(octet)
		if err != nil || len(octet) < 3 || octet[0] != '%' {
			return url.PathEscape(octet)
		}
		if strings.Trim(plain, unreserved) == "" {
			return plain
		}
		return strings.ToUpper(octet)
	})
}

const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"

var productName = lazyregexp.New(`^[A-Za-z_-]*`)

// productToken returns the name at the start of a User-Agent: "citeloop" of "citeloop/0.1 (+https://…)".
func productToken(userAgent string) string {
	return productName.FindString(userAgent)
}
