package channels

import (
	"context"
	"time"
)

// Query is what one search asks.
type Query struct {
	Text     string
	Limit    int    // results wanted of each channel; below 1: 10, at most 50
	Since    string // YYYY, YYYY-MM or YYYY-MM-DD, inclusive; "" = open
	Until    string // the same; YYYY means to the end of that year
	Language string // BCP 47; "" = the channel's default, English
	// Variants are other wordings of the same question, asked of each channel after Text and fused with it.
	Variants []string
}

// Limits of a query.
const (
	DefaultLimit  = 10
	MaxLimit      = 50    // Wikipedia gives no more to anonymous clients
	maxQueryChars = 1_000 // code points; longer addresses are refused by most services
	MaxVariants   = 3     // chosen: at arXiv's pace three more questions are nine seconds
)

// channel is one search source: a description, and a function that builds requests and reads answers. The frame around
// it does rate limits, retries, circuits, outcomes and cleaning.
type channel struct {
	Description
	url string // documented base address; "{lang}" stands for a language
	// search returns what the source has for q, best first. It keeps to ctx. An error that is a *Failure
	// says which status it means, any other is StatusError. A *Failure with StatusOK or StatusDegraded comes
	// with results: its message is a remark on them.
	search func(ctx context.Context, c *client, q Query) ([]Result, error)

	keyRate float64                // requests per second with a key; 0 = RatePerSecond
	missing func(c *client) string // what to set before it can be asked; nil or "" = nothing
}

// needsContact is for services that refuse who names no contact. A mirror may not care.
func needsContact(words string) func(*client) string {
	return func(c *client) string {
		if c.cfg.Contact != "" || c.base != "" {
			return ""
		}
		return words
	}
}

// needsURL is for services that the user runs: nobody is asked at the documented address.
func needsURL(words string) func(*client) string {
	return func(c *client) string {
		if c.base != "" {
			return ""
		}
		return words
	}
}

// Description is what a channel says of itself.
type Description struct {
	Name        string   // lower case, words joined by "-"
	Description string   // a sentence
	GoodFor     []string // kinds of questions, a few words each
	For         []Kind   // the kinds of questions that Auto asks it for, best first
	SourceTypes []string // what its results can be, of loopstate.SourceTypes
	NeedsKey    bool     // the frame asks it only with a key, or at a base address of the user's own
	KeyFrom     string   // where a key is had
	BestEffort  bool     // off unless the user names it in Config.Enable or configures it
	Configured  bool     // false: it cannot be asked; Missing says what to do
	Missing     string   // what to set, where Configured is false

	RatePerSecond float64  // requests per second and host; 0 = no limit (nothing leaves the machine)
	Burst         int      // requests that may follow at once after a pause; below 1: 1
	Parallel      int      // requests under way at once per host; below 1: no limit of its own
	Hosts         []string // where requests go, or what to configure

	Honours Filters // what the source itself filters by; the frame applies the rest afterwards
	Plain   bool    // titles and snippets are plain text, and what looks like markup in them is text
	Live    bool    // it has been run against the living service
	Tested  string  // against what else this channel was tried
}

// Trial says against what a channel was tried, and says so where that was never the living service.
func (d Description) Trial() string {
	if d.Live {
		return d.Tested
	}
	return "never run against the living service; tested with " + d.Tested
}

// Filters are the parts of a query that narrow it.
type Filters struct{ Dates, Language bool }

// Status is how one channel's search ended.
type Status string

const (
	StatusOK           Status = "ok"
	StatusEmpty        Status = "empty"         // the source answered, and has nothing
	StatusDegraded     Status = "degraded"      // there are results, but a part of the source did not answer
	StatusRateLimited  Status = "rate_limited"  // too many requests, by the source's word or by our own pace
	StatusBlocked      Status = "blocked"       // the source refuses us
	StatusAuthRequired Status = "auth_required" // a key is missing or not accepted
	StatusUnavailable  Status = "unavailable"   // down, out of reach, too slow, or not configured
	StatusMalformed    Status = "malformed"     // an answer that is not what the source documents
	StatusError        Status = "error"         // the source rejected the request, or the channel itself failed
)

// Outcome is what one channel's search came to.
type Outcome struct {
	Name       string
	Status     Status
	Count      int           // results, after cleaning and filters
	Took       time.Duration //
	RetryAfter time.Duration // 0 = not known
	Message    string        // for people and models; "" where the status says it all
}
