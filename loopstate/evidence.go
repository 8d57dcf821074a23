package loopstate

// Evidence is a hit of a search. It was found but not read; only a [Source] can be cited.
type Evidence struct {
	ID          string   `json:"evidence_id,omitempty"`  // E1, E2, …: minted in the log
	Title       string   `json:"title"`                  // never empty
	URL         string   `json:"url"`                    // never empty
	Snippet     string   `json:"snippet"`                // plain text, no markup
	Source      string   `json:"source"`                 // the channel's name
	SourceType  string   `json:"source_type,omitempty"`  // one of SourceTypes, or empty when unknown
	PublishedAt string   `json:"published_at,omitempty"` // YYYY, YYYY-MM or YYYY-MM-DD
	Authors     []string `json:"authors,omitempty"`
	DOI         string   `json:"doi,omitempty"`     // lower case, without https://doi.org/
	IDs         []string `json:"ids,omitempty"`     // typed ids under which it is known as well: "pmid:123", "arxiv:1706.03762"
	Related     []string `json:"related,omitempty"` // typed ids of other versions, such as the preprint
	Score       float64  `json:"score,omitempty"`
	Language    string   `json:"language,omitempty"` // BCP 47
	Round       int      `json:"round,omitempty"`    // the round it was found in, from 1
	Found       int      `json:"found,omitempty"`    // how many angles (or queries without one) found it
	FoundBy     []string `json:"found_by,omitempty"` // the last maxFinders of them, so that none counts twice
	SameAs      string   `json:"-"`                  // given to a step: the key of the hit that this one repeats
}

// Key is the canonical key under which this evidence counts once.
func (e Evidence) Key() string { return CanonicalKey(e.URL, e.DOI) }

// Source types: peer-reviewed, primary or official, reputable press, practitioner.
var sourceTypes = []string{"peer", "primary", "press", "practitioner"}

// SourceTypes lists the kinds of source, strongest first.
func SourceTypes() []string { return append([]string(nil), sourceTypes...) }

// ValidSourceType reports whether s is a source type, or empty for unknown.
func ValidSourceType(s string) bool {
	if s == "" {
		return true
	}
	for _, t := range sourceTypes {
		if s == t {
			return true
		}
	}
	return false
}
