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
	// How the text was reached when it is not that of the address itself: one of the constants Via…, and else
	// empty. FinalURL is then the copy's address.
	Via           string
	CopiedAt      string // of an archived copy: the day on which it was taken, YYYY-MM-DD
	RobotsIgnored bool   // robots.txt forbids this address, and it was read because the user said so
	Document
	FetchedAt time.Time // when the text left its server: earlier than the call when it came from the cache
	Took      time.Duration
}

// Document is a text that can be cited, and what its own metadata says about it. Everything in it was
// written by strangers.
type Document struct {
	Title        string
	Authors      []string    // in the page's order, without repeats
	Publisher    string      // the site, journal or publishing house
	PublishedAt  string      // YYYY, YYYY-MM or YYYY-MM-DD
	DOI          string      // lower case, without https://doi.org/; the page's own, never from a reference list
	Language     string      // BCP 47, as the page declares it
	CanonicalURL string      // the page's own canonical address, when it is on the same site
	ContentType  string      // the type that was read: text/html, text/markdown, text/plain, application/pdf, …
	SourceType   string      // one of loopstate.SourceTypes, or empty when unknown
	ModifiedAt   string      // as PublishedAt; the page's last change, when it says so
	ArXiv        string      // the page's own arXiv id without its version, as 2101.00001
	PMID         string      // the page's own number in PubMed
	Licence      string      // the address of the licence that the page states, or its name
	Text         string      // plain text in valid UTF-8, blocks separated by a blank line
	Markdown     string      // HTML only: the same nodes as Markdown, with code, tables, lists, links, formulas and footnotes
	Runs         []Run       // HTML only: what stands in Text and in Markdown alike, in order
	References   []Reference // HTML only: what the page refers to on other sites, and the papers that it cites; at most 300
	Chars        int         // code points of the text; set also when the page was too short to keep
	Pages        []int       // of a PDF: the code point of the text at which each page begins, the first page first
	Partial      string      // what was left out by a limit, as a sentence; empty when the text is whole
}
