package fetch

import (
	"crypto/sha256"
	"net/http"
	"slices"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// MinChars is the length, in code points, below which a text is not a source. Shorter texts are error pages, paywalls or
// shells that JavaScript would fill.
const MinChars = 200

// Status is the outcome of reading one address.
type Status string

// The outcomes. Only a page with StatusRead carries text; every other status carries a reason.
const (
	StatusRead        Status = "read"
	StatusTooShort    Status = "too_short"   // answered with less than MinChars of text
	StatusNotFound    Status = "not_found"   // 404, 410, a missing file, a page that says so
	StatusBlocked     Status = "blocked"     // refused by the address rules, by the site, or by a challenge page
	StatusPaywalled   Status = "paywalled"   // the site asks for money or a subscription
	StatusRobots      Status = "robots"      // the site's robots.txt forbids automatic reading
	StatusUnsupported Status = "unsupported" // an unsupported type
	StatusTimeout     Status = "timeout"     // not finished within the deadline
	StatusError       Status = "error"       // anything else: the network, the server, a limit
)

// Statuses lists the outcomes.
func Statuses() []Status {
	return []Status{StatusRead, StatusTooShort, StatusNotFound, StatusBlocked, StatusPaywalled, StatusRobots,
		StatusUnsupported, StatusTimeout, StatusError}
}

// Values of [Page].Via: where a text comes from that is not from the address itself.
const (
	ViaBrowser   = "browser" // a browser ran the page's scripts before its text was taken
	ViaUnpaywall = "unpaywall"
	ViaArXiv     = "arxiv"
	ViaEuropePMC = "europe-pmc"
	ViaDOI       = "doi"
	ViaWayback   = "wayback"
)

// Page is the result of reading one address. A failure is a status and a reason.
type Page struct {
	URL        string // as requested, without user info
	FinalURL   string // after redirects; empty when nothing answered
	Status     Status
	Reason     string        // one sentence for the user; when read, what a limit left out
	HTTPStatus int           // of the last response; 0 for files and when nothing answered
	RetryAfter time.Duration // requested by the server with a 429 or 503; 0 if it was not
	// Via names the source of a text that is not from the address itself: one of the constants Via….
	// FinalURL is then the address of the copy.
	Via           string
	ProvenDOI     string // the DOI that others than the page have for its address; what the page claims is Document.DOI
	ProvenBy      string // ProvenByRegistry, or ""
	CopiedAt      string // the day of an archived copy, YYYY-MM-DD
	RobotsIgnored bool   // robots.txt forbids this address, and it was read because the user said so
	NeedsScript   bool   // the page has no text before its scripts run
	NoHost        bool   // the name of the host does not exist
	Offline       bool   // this machine has no network connection, so the address may well exist
	document.Document
	Capture   *Capture  // record of the response, if read
	FetchedAt time.Time // when the text was received
}

// Missing reports whether the address leads nowhere: no page is there, or its host does not exist. Every other failure leaves
// open what a later attempt finds.
func (p Page) Missing() bool { return p.Status == StatusNotFound || p.NoHost }

// AccessRestricted reports whether a person may be able to open a page that a program cannot, because it requires a
// subscription, a log-in or a bot check. It is false for addresses that citeloop refuses, legal blocks and rate limits.
func (p Page) AccessRestricted() bool {
	return p.Status == StatusPaywalled || p.Status == StatusBlocked && p.HTTPStatus != 0 &&
		p.HTTPStatus != http.StatusUnavailableForLegalReasons && p.HTTPStatus != http.StatusTooManyRequests
}

// Capture records what an address returned, so that a reading can be checked. Pages that shared a request share it; do not
// modify it.
type Capture struct {
	Status    int      // of HTTP; 0 for a file
	Redirects []string // addresses before this one, the requested one first
	SHA256    [sha256.Size]byte
	Bytes     int // length of the decompressed body, as for SHA256
}

// captured records the response to a request. forwards are the addresses of the pages that led to it, oldest first.
func captured(resp *http.Response, forwards []string, body []byte) *Capture {
	c := capturedBody(body)
	c.Status = resp.StatusCode
	for req := resp.Request; req.Response != nil && req.Response.Request != nil; req = req.Response.Request {
		c.Redirects = append(c.Redirects, address.Redact(req.Response.Request.URL.String()))
	}
	slices.Reverse(c.Redirects)
	c.Redirects = slices.Concat(forwards, c.Redirects)
	return c
}

// capturedBody records bytes that were read without HTTP.
func capturedBody(body []byte) *Capture {
	return &Capture{SHA256: sha256.Sum256(body), Bytes: len(body)}
}
