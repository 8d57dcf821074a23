package channels

import "github.com/citeloop/citeloop/loopstate"

// Result is one hit as a source tells it.
type Result struct {
	loopstate.Evidence
	// IDs are the typed ids that the source gives the document, beside its address and DOI: "pmid:1",
	// "pmcid:PMC1", "arxiv:2101.00001", "isbn:9780…", "openalex:W1", "s2:…" (ids.go makes them).
	IDs []string
	// Related are typed ids of other versions of the same work, such as the article that a preprint became.
	// They say that two results belong together, never that they are one.
	Related []string
}
