package fetch

import "time"

// MinChars is the length, in code points, under which a text is not a source (research-synthesis-loop:
// "text.length < 200"). What is shorter is a 404, a wall or a shell that JavaScript would have filled.
const MinChars = 200

// Status is how the reading of one address ended.
type Status string

// The outcomes. Only a page with StatusRead carries text; every other status carries a reason.
const (
	StatusRead        Status = "read"
	StatusTooShort    Status = "too_short"   // answered, but with less than MinChars of text
	StatusNotFound    Status = "not_found"   // 404, 410, a missing file, a page that says so
	StatusBlocked     Status = "blocked"     // refused: by our address rules, by the site, or by a challenge page
	StatusPaywalled   Status = "paywalled"   // the site asks for money or a subscription
	StatusRobots      Status = "robots"      // the site's robots.txt forbids automatic reading
	StatusUnsupported Status = "unsupported" // a type that is not read
	StatusTimeout     Status = "timeout"     // not finished within the deadline
	StatusError       Status = "error"       // anything else: the network, the server, a limit
)

// Page is what came of reading one address. It is always complete: a failure is a status and a reason.
type Page struct {
	URL        string // as asked for, without user info
	FinalURL   string // after redirects; empty when nothing answered
	Status     Status
	Reason     string        // one sentence for the user; empty when read
	HTTPStatus int           // the last answer's; 0 for files and when nothing answered
	RetryAfter time.Duration // what the server asked for with a 429 or 503; 0 when it said nothing
	Document
	FetchedAt time.Time
	Took      time.Duration
}

// Document is a text that can be cited, and what its own metadata says about it. Everything in it was
// written by strangers.
type Document struct {
	Title        string
	Authors      []string // in the page's order, without repeats
	Publisher    string   // the site, journal or publishing house
	PublishedAt  string   // YYYY, YYYY-MM or YYYY-MM-DD
	DOI          string   // lower case, without https://doi.org/; the page's own, never from a reference list
	Language     string   // BCP 47, as the page declares it
	CanonicalURL string   // the page's own canonical address, when it is on the same site
	ContentType  string   // the type that was read: text/html, text/markdown or text/plain
	SourceType   string   // one of loopstate.SourceTypes, or empty when unknown
	Text         string   // plain text in valid UTF-8, blocks separated by a blank line
	Chars        int      // code points of the text; set also when the page was too short to keep
}
