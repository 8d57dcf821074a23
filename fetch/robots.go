package fetch

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// robotsRules are the rules of one robots.txt that apply to citeloop.
//
// The parser is our own. temoto/robotstxt (2021) has three departures from RFC 9309 that a site would notice:
// it picks one group where the RFC merges all that match, it compiles patterns to regular expressions from
// untrusted bytes, and it has no limit on size. The format is small enough to read in one page.
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
	// What is granted of a crawl-delay: it is written for crawlers that come for all pages, and above this a
	// second page of a site could not be read within a call.
	maxCrawlDelay = 5 * time.Second
)

// parseRobots reads what body says to the crawler with this product token. Bytes beyond 500 KiB are ignored,
// and so is every line that is not understood (RFC 9309, 2.2).
func parseRobots(body []byte, token string) robotsRules {
	if len(body) > maxRobotsBytes {
		body = body[:maxRobotsBytes]
		if i := bytes.LastIndexByte(body, '\n'); i >= 0 { // a rule cut in half would say something else
			body = body[:i]
		}
	}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	var ours, defaults robotsRules
	var inOurs, inDefault, named, sawUs bool
	naming := false // inside of a run of User-agent lines
	for line := range bytes.FieldsFuncSeq(body, func(r rune) bool { return r == '\n' || r == '\r' }) {
		text, _, _ := strings.Cut(string(line), "#")
		key, value, ok := strings.Cut(text, ":")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		switch key = strings.ToLower(strings.TrimSpace(key)); key {
		case "user-agent":
			if !naming {
				inOurs, inDefault = false, false
			}
			naming, named = true, true
			if value == "*" {
				inDefault = true
			} else if strings.EqualFold(productToken(value), token) {
				inOurs, sawUs = true, true
			}
		case "crawl-delay":
			naming = false
			seconds, err := strconv.ParseFloat(value, 64)
			if err != nil || !(seconds > 0) {
				continue
			}
			delay := time.Duration(min(seconds, maxCrawlDelay.Seconds()) * float64(time.Second))
			if inOurs {
				ours.delay = delay
			}
			if inDefault {
				defaults.delay = delay
			}
		case "allow", "disallow":
			naming = false
			if !named || value == "" { // an empty Disallow forbids nothing
				continue
			}
			r := robotsRule{pattern: escapePath(value), allow: key == "allow"}
			if inOurs && len(ours.rules) < maxRobotsRules {
				ours.rules = append(ours.rules, r)
			}
			if inDefault && len(defaults.rules) < maxRobotsRules {
				defaults.rules = append(defaults.rules, r)
			}
		}
	}
	if sawUs {
		return ours
	}
	return defaults
}

// allows reports whether a path with its query may be read: the longest pattern that matches decides, and
// between equals the one that allows (RFC 9309, 2.2.2).
func (r robotsRules) allows(path string) bool {
	if path == "" {
		path = "/"
	}
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

// matchRobots matches a pattern with * (any run) and a final $ (the end) against the start of a path. Taking
// each literal at its first place is enough when only * separates them, so it never backtracks.
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

// escapePath writes a path or pattern in the form in which both are compared: octets that must be escaped
// are, in upper case, and unreserved ones are not (RFC 9309, 2.2.2; RFC 3986, 2.3).
func escapePath(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '%' && i+2 < len(s) && unhex(s[i+1]) >= 0 && unhex(s[i+2]) >= 0:
			c = byte(unhex(s[i+1])<<4 | unhex(s[i+2]))
			if unreserved(c) {
				b.WriteByte(c)
			} else {
				b.WriteByte('%')
				b.WriteByte(hex[c>>4])
				b.WriteByte(hex[c&15])
			}
			i += 2
		case c <= ' ' || c >= 0x7f:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// productToken is the name at the start of a User-Agent: "citeloop" of "citeloop/0.1 (+https://…)".
func productToken(userAgent string) string {
	end := strings.IndexFunc(userAgent, func(r rune) bool {
		return !(r == '-' || r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	})
	if end < 0 {
		return userAgent
	}
	return userAgent[:end]
}
