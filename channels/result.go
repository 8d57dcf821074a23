package channels

import "github.com/citeloop/citeloop/loopstate"

// Result is one result of a source.
type Result struct {
	loopstate.Evidence
	// IDs are the document's typed ids, in addition to its address and DOI: "pmid:1",
	// "pmcid:PMC1", "arxiv:2101.00001", "isbn:9780…", "openalex:W1", "s2:…" (ids.go makes them).
	IDs []string
	// Related are typed ids of other versions of the same work, such as the article that a preprint became.
	// They relate two results but do not merge them.
	Related []string
	// Share is the source's score of the result, as a share of the best one in the same answer; 0 = the source gives no score.
	Share float64
}
