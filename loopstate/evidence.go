package loopstate

import "github.com/citeloop/citeloop/internal/docid"

// Evidence is a hit of a search. It was found but not read; only a [Source] can be cited.
type Evidence struct {
	ID          string   `json:"evidence_id,omitempty"`  // E1, E2, …
	Title       string   `json:"title"`                  // never empty
	URL         string   `json:"url"`                    // never empty
	Snippet     string   `json:"snippet"`                // plain text, no markup
	Source      string   `json:"source"`                 // the channel's name
	SourceType  string   `json:"source_type,omitempty"`  // one of [docid.SourceTypes], or empty when unknown
	PublishedAt string   `json:"published_at,omitempty"` // YYYY, YYYY-MM or YYYY-MM-DD
	Authors     []string `json:"authors,omitempty"`
	DOI         string   `json:"doi,omitempty"`     // lower case, without https://doi.org/
	IDs         []string `json:"ids,omitempty"`     // other typed ids: "pmid:123", "arxiv:1706.03762"
	Related     []string `json:"related,omitempty"` // typed ids of other versions, such as the preprint
	Score       float64  `json:"score,omitempty"`
	Language    string   `json:"language,omitempty"` // BCP 47
	Round       int      `json:"round,omitempty"`    // in which it was found, from 1
	Found       int      `json:"found,omitempty"`    // number of angles (or queries without one) that found it
	FoundBy     []string `json:"found_by,omitempty"` // the last maxFinders of them, so that none counts twice
	SameAs      string   `json:"-"`                  // input of a step: the key of the hit that this one repeats
}

// Key returns the canonical key of the evidence.
func (e Evidence) Key() string { return docid.CanonicalKey(e.URL, e.DOI) }
