package loopstate

import "time"

// Source is a document whose text was read and stored. Only a source can be cited.
type Source struct {
	ID          string    `json:"source_id"`     // S1, S2, …
	Key         string    `json:"canonical_key"` // what is proven of the document's identity, see docid.Identify
	URL         string    `json:"url"`           // as requested
	FinalURL    string    `json:"final_url"`
	Title       string    `json:"title"`
	Authors     []string  `json:"authors"`
	Publisher   string    `json:"publisher,omitempty"`
	Container   string    `json:"container,omitempty"` // what Publisher names: journal, proceedings; empty for a site, a publishing house, or if unknown
	DocStatus   string    `json:"status,omitempty"`    // Draft, Final, Withdrawn, …, in the document's own words; with the next two, its head or properties
	Subject     string    `json:"subject,omitempty"`
	Keywords    string    `json:"keywords,omitempty"`
	PublishedAt string    `json:"published_at"`
	DOI         string    `json:"doi"`                   // proven
	ClaimedDOI  string    `json:"claimed_doi,omitempty"` // that the page states about itself, without proof
	DOIProof    string    `json:"doi_proof,omitempty"`   // who proved DOI if not the address: registry or library
	SourceType  string    `json:"source_type"`
	ContentType string    `json:"content_type"`
	Language    string    `json:"language,omitempty"`
	Chars       int       `json:"chars"` // code points of the stored text
	SHA256      string    `json:"sha256"`
	FetchedAt   time.Time `json:"fetched_at"`
	Round       int       `json:"round"`                     // in which it was read, from 1
	Via         string    `json:"via,omitempty"`             // how it was read, if not from the page itself: "unpaywall", "wayback", "browser"
	Pasted      bool      `json:"pasted,omitempty"`          // the user pasted the text; citeloop did not fetch it
	DuplicateOf string    `json:"duplicate_of,omitempty"`    // the first source with the same or nearly the same text
	Flags       []string  `json:"flags,omitempty"`           // suspicious parts of the text, as "kind: what and where"
	Hidden      int       `json:"hidden_chars,omitempty"`    // code points without white space that the page hides; not in the text
	Invisible   int       `json:"invisible_chars,omitempty"` // removed characters that no reader sees and that can spell words
	Pages       Pages     `json:"pages,omitempty"`           // of a PDF
	Capture     *Capture  `json:"capture,omitempty"`         // nil for pasted texts
	TextBytes   int       `json:"-"`                         // input of a step: size of the stored text
	SameAs      string    `json:"-"`                         // input of a step: canonical key of the source whose text this one repeats

	// AtCheck is set if a check read the text because a draft cites it, and the host was not shown any of it since. Such a
	// source affects no decision.
	AtCheck bool `json:"at_check,omitempty"`

	// RobotsIgnored is set if robots.txt disallows the address and the user allowed reading it anyway.
	RobotsIgnored bool `json:"robots_ignored,omitempty"`
}

// BadURL is an address without a source, and why.
type BadURL struct {
	URL    string `json:"url"`
	Reason string `json:"reason"`
	Round  int    `json:"round,omitempty"`
	// AtCheck is set if a check asked for the address because a draft cites it. It affects no decision.
	AtCheck bool `json:"at_check,omitempty"`
}

// MinSourceChars is the minimum length of a source. A shorter text is a 404 page, a paywall or an empty page.
const MinSourceChars = 200
