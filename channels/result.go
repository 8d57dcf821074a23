package channels

import "github.com/citeloop/citeloop/internal/docid"

// Evidence is what a source says of a document that it found: a record to read from, not yet the text.
type Evidence struct {
	Title       string // never empty
	URL         string // never empty
	Snippet     string // plain text, no markup
	Source      string // the channel's name
	SourceType  string // one of [docid.SourceTypes], or empty when unknown
	PublishedAt string // YYYY, YYYY-MM or YYYY-MM-DD
	Authors     []string
	DOI         string  // lower case, without https://doi.org/
	Score       float64 // the source's own; in a [Ranked] the fused one
	Language    string  // BCP 47
	Container   string  // journal, proceedings or book; empty when unknown
	Update      Update
}

// Update is what was published about a document later, such as its retraction. The zero value is nothing known.
type Update struct {
	Kind   string // "retracted", "withdrawn", "removed", "expression of concern", "corrected"
	Notice string // the DOI of the notice
	Date   string // of the notice, as PublishedAt
}

// Key returns the canonical key of the document.
func (e Evidence) Key() string { return docid.CanonicalKey(e.URL, e.DOI) }

// Result is one result of a source.
type Result struct {
	Evidence
	// IDs are the document's typed ids, in addition to its address and DOI: "pmid:1",
	// "pmcid:PMC1", "arxiv:2101.00001", "isbn:9780…", "openalex:W1", "s2:…" (ids.go makes them).
	IDs []string
	// Related are typed ids of other versions of the same work, such as the article that a preprint became.
	// They relate two results but do not merge them.
	Related []string
	// Share is the source's score of the result, as a share of the best one in the same answer; 0 = the source gives no score.
	Share float64
	// Lines and Section are the place of the snippet in a file of the user's folders: its lines ("120-128"), and the headings
	// above it.
	Lines, Section string
}
