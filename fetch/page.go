package fetch

import (
	"net/http"
	"time"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// MinChars is the length, in code points, below which a text is not a source. Shorter texts are error pages, paywalls or
// shells that JavaScript would fill.
const MinChars = 200

// Status is how the reading of one address ended.
type Status string

// The outcomes. Only a page with StatusRead carries text; every other status carries a reason.
const (
	StatusRead        Status = "read"
	StatusTooShort    Status = "too_short"   // answered, but with less than MinChars of text
	StatusNotFound    Status = "not_found"   // 404, 410, a missing file, a page that says so
	StatusBlocked     Status = "blocked"     // refused by the address rules, by the site, or by a challenge page
	StatusPaywalled   Status = "paywalled"   // the site asks for money or a subscription
	StatusRobots      Status = "robots"      // the site's robots.txt forbids automatic reading
	StatusUnsupported Status = "unsupported" // a type that is not read
	StatusTimeout     Status = "timeout"     // not finished within the deadline
	StatusError       Status = "error"       // anything else: the network, the server, a limit
)

// Page is the result of reading one address. A failure is a status and a reason.
type Page struct {
	URL        string // as asked for, without user info
	FinalURL   string // after redirects; empty when nothing answered
	Status     Status
	Reason     string        // one sentence for the user; empty when read
	HTTPStatus int           // the last answer's; 0 for files and when nothing answered
	RetryAfter time.Duration // what the server asked for with a 429 or 503; 0 when it said nothing
	// How the text was reached when it is not that of the address itself: one of the constants Via…, and else
	// empty. FinalURL is then the copy's address.
	Via           string
	CopiedAt      string // of an archived copy: the day on which it was taken, YYYY-MM-DD
	RobotsIgnored bool   // robots.txt forbids this address, and it was read because the user said so
	NeedsScript   bool   // the page as it is served has no text of its own: its scripts would fetch it
	document.Document
	Capture   *Capture  // what was received, when read
	FetchedAt time.Time // when the text left its server: earlier than the call when it came from the cache
	Took      time.Duration
}

// AccessRestricted reports whether a person may be able to open a page that a program cannot: it asks for a subscription,
// a log-in or a bot check. It is false for addresses that citeloop itself refuses, for legal blocks and for rate limits.
func (p Page) AccessRestricted() bool {
	switch {
	case p.Status == StatusPaywalled:
		return true
	case p.Status != StatusBlocked:
		return false
	}
	return p.HTTPStatus != 0 && p.HTTPStatus != http.StatusUnavailableForLegalReasons && p.HTTPStatus != http.StatusTooManyRequests
}
