package fetch

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// robotsRules are the rules of one robots.txt that apply to citeloop.
//
// temoto/robotstxt (2021) is not used, because it differs from RFC 9309 in ways that sites would notice: it takes one
// matching group instead of merging all, compiles patterns from untrusted bytes to regular expressions, and has no limit on
// size.
type robotsRules struct {
	rules []robotsRule
	delay time.Duration // Crawl-delay, not part of the RFC, but in use
}

type robotsRule struct {
	pattern string
	allow   bool
}

const (
	maxRobotsBytes = 500 << 10 // RFC 9309, 2.5: at least 500 kibibytes must be parsed
	maxRobotsRules = 10_000    // far above the longest lists in use (some 2,000); bounds the time of one match
	// Longer crawl-delays are cut: they are meant for crawlers that read whole sites, and a second page of a site could not
	// be read within a call.
	maxCrawlDelay = 5 * time.Second
)

// parseRobots returns the rules for the crawler with this product token. It ignores bytes beyond 500 KiB and unknown lines
// (RFC 9309, 2.2).
func parseRobots(body []byte, token string) robotsRules {
	if len(body) > maxRobotsBytes {
		body = body[:maxRobotsBytes]
		if i := bytes.LastIndexByte(body, '\n'); i >= 0 { // a truncated rule could match other paths
			body = body[:i]
		}
	}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	var ours, others *robotsRules // the latter of the group of *
	var open []*robotsRules       // of the current User-agent lines
	group := func(at **robotsRules) *robotsRules {
		if *at == nil {
			*at = &robotsRules{}
		}
		return *at
	}
	naming := false // within consecutive User-agent lines
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
				open = append(open, group(&others))
			} else if strings.EqualFold(productToken(value), token) {
				open = append(open, group(&ours))
			}
		case "crawl-delay":
			naming = false
			if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
				for _, g := range open {
					g.delay = time.Duration(min(seconds, maxCrawlDelay.Seconds()) * float64(time.Second))
				}
			}
		case "allow", "disallow":
			naming = false
			for _, g := range open {
				if value != "" && len(g.rules) < maxRobotsRules { // an empty Disallow forbids nothing
					g.rules = append(g.rules, robotsRule{pattern: escapePath(value), allow: key == "allow"})
				}
			}
		}
	}
	if ours != nil {
		return *ours
	}
	return *group(&others)
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
	for _, rule := range r.rules {
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
	if !strings.HasPrefix(path, parts[0]) {
		return false
	}
	rest := path[len(parts[0]):]
	if len(parts) == 1 {
		return !anchored || rest == ""
	}
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	if anchored {
		return strings.HasSuffix(rest, last)
	}
	return strings.Contains(rest, last)
}

// escapePath normalises a path or a pattern for comparison: octets that need escaping are escaped in upper case, and
// unreserved ones are not (RFC 9309, 2.2.2; RFC 3986, 2.3).
func escapePath(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		escape := c <= ' ' || c >= 0x7f
		if c == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				c = byte(n)
				escape = !unreserved(c)
				i += 2
			}
		}
		if escape {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// productToken returns the name at the start of a User-Agent: "citeloop" of "citeloop/0.1 (+https://…)".
func productToken(userAgent string) string {
	end := strings.IndexFunc(userAgent, func(r rune) bool {
		return !(r == '-' || r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	})
	if end < 0 {
		return userAgent
	}
	return userAgent[:end]
}
