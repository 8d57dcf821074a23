package loopstate

import "slices"

// Evidence is a hit of a search. It was found but not read; only a [Source] can be cited.
type Evidence struct {
	ID          string   `json:"evidence_id,omitempty"`  // E1, E2, …
	Title       string   `json:"title"`                  // never empty
	URL         string   `json:"url"`                    // never empty
	Snippet     string   `json:"snippet"`                // plain text, no markup
	Source      string   `json:"source"`                 // the channel's name
	SourceType  string   `json:"source_type,omitempty"`  // one of SourceTypes, or empty when unknown
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
func (e Evidence) Key() string { return CanonicalKey(e.URL, e.DOI) }

// Source types: peer-reviewed, primary or official, reputable press, practitioner.
var sourceTypes = []string{"peer", "primary", "press", "practitioner"}

// SourceTypes returns the source types, strongest first.
func SourceTypes() []string { return slices.Clone(sourceTypes) }

// ValidSourceType reports whether s is a source type, or empty for unknown.
func ValidSourceType(s string) bool { return s == "" || slices.Contains(sourceTypes, s) }
