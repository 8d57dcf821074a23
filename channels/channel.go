package channels

import (
	"strings"
	"time"
)

// Query is one search.
type Query struct {
	Text     string
	Limit    int    // results per channel; below 1: 10, at most 50
	Since    string // YYYY, YYYY-MM or YYYY-MM-DD, inclusive; "" = open
	Until    string // the same; YYYY means to the end of that year
	Language string // BCP 47; "" = the channel's default, English
	Else     string // what a channel is asked for if it finds nothing for Text; "" = nothing
	// List asks a folder for all its documents that meet the filters in Text ("status:Final"; "*" is all), in the order of their
	// names, From the one with this number on (from 0). After is the mark of the address before it, see [docid.Mark]; 0 = not known.
	List  bool
	From  int
	After uint32
}

// Limits of a query.
const (
	DefaultLimit  = 10
	MaxLimit      = 50    // Wikipedia gives no more to anonymous clients
	maxQueryChars = 1_000 // code points; longer addresses are refused by most services
)

// Description describes a channel.
type Description struct {
	Name        string   // lower case, words joined by "-"
	Description string   // a sentence
	GoodFor     []string `json:"good_for"` // kinds of questions, a few words each
	For         []Kind   // the kinds of questions that Auto asks it for, best first
	SourceTypes []string `json:"source_types"` // what its results can be, of docid.SourceTypes
	NeedsKey    bool     `json:"needs_key"`    // asked only with a key, or at a configured base address
	KeyFrom     string   `json:"key_from"`     // where to get a key
	BestEffort  bool     `json:"best_effort"`  // off unless named in Config.Enable or configured
	Configured  bool     `json:"-"`            // false: Missing says what to set
	Missing     string   // what to set, where Configured is false

	RatePerSecond float64  `json:"rate"` // requests per second and host; 0 = no limit (nothing leaves the machine)
	Burst         int      // requests that may follow each other after a pause; below 1: 1
	Parallel      int      // parallel requests per host; below 1: no limit
	Hosts         []string // where requests go, or what to configure

	Honours Filters // filters that the source applies; the others are applied afterwards
	Plain   bool    // titles and snippets are plain text, never markup
	Live    bool    // it has run against the live service
	Tested  string  // other tests, such as recorded answers
	// Experimental channels never ran against the live service, and no real answer of it was recorded.
	Experimental bool
}

// Trial describes how a channel was tested, and whether against the live service.
func (d Description) Trial() string {
	switch {
	case d.Live:
		return d.Tested
	case d.Experimental:
		return "experimental: never run against the live service, no recorded answers; tested with " + d.Tested
	}
	return "never run against the live service; tested with " + d.Tested
}

// Filters are the parts of a query that narrow it.
type Filters struct{ Dates, Language bool }

// Status is how one channel's search ended.
type Status string

const (
	StatusOK           Status = "ok"
	StatusEmpty        Status = "empty"         // the source answered that it has nothing
	StatusDegraded     Status = "degraded"      // a part of the source did not answer
	StatusRateLimited  Status = "rate_limited"  // too many requests, as the source says or by our own rate
	StatusBlocked      Status = "blocked"       // the source refuses us
	StatusAuthRequired Status = "auth_required" // a key is missing or not accepted
	StatusUnavailable  Status = "unavailable"   // down, unreachable, too slow, or not configured
	StatusMalformed    Status = "malformed"     // an answer that does not match the source's documentation
	StatusError        Status = "error"         // the source rejected the request, or the channel itself failed
)

// Outcome is how one channel's search ended.
type Outcome struct {
	Name       string
	Status     Status
	Count      int // results, after cleaning and filters
	Took       time.Duration
	RetryAfter time.Duration // 0 = not known
	Message    string        // "" if the status says it all
	// Total is how many documents a list has, and First the number of its first one that was answered, from 0.
	Total, First int
}

// Searched reports whether the source was searched, even if it has nothing.
func (o Outcome) Searched() bool {
	return o.Status == StatusOK || o.Status == StatusEmpty || o.Status == StatusDegraded
}

// Kind is a kind of question. The Description of a channel lists the kinds that it serves, best first; Auto matches
// them with the kinds of a query.
type Kind string

const (
	KindPrivate    Kind = "private"    // the user's own documents
	KindBackground Kind = "background" // what is X, who was Y
	KindEntity     Kind = "entity"     // people, places, organisations and the facts that identify them
	KindScholarly  Kind = "scholarly"  // research literature of all fields
	KindBiomedical Kind = "biomedical" // medicine and life sciences
	KindComputing  Kind = "computing"  // research in computer science and machine learning
	KindData       Kind = "data"       // datasets, models, deposited materials
	KindOpenCopy   Kind = "open-copy"  // where a known work can be read
	KindNews       Kind = "news"       // what happened lately
	KindCode       Kind = "code"       // repositories, libraries, issues
	KindPractice   Kind = "practice"   // how people do it, and their experience
	KindLaw        Kind = "law"        // statutes, courts, regulation
	KindFinance    Kind = "finance"    // companies' filings and figures
	KindArchive    Kind = "archive"    // what a page said in the past
	KindWeb        Kind = "web"        // the general web
)

// Kinds lists all kinds.
var Kinds = []Kind{KindPrivate, KindBackground, KindEntity, KindScholarly, KindBiomedical, KindComputing, KindData, KindOpenCopy,
	KindNews, KindCode, KindPractice, KindLaw, KindFinance, KindArchive, KindWeb}

func JoinKinds(kinds []Kind, separator string) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return strings.Join(words, separator)
}
