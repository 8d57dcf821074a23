package verdict

import (
	"github.com/citeloop/citeloop/loopstate"
)

// unreadKeys returns the keys of the candidates without a reading, each once.
func unreadKeys(candidates []loopstate.ReviewCandidate, readings map[string]loopstate.Reading) (keys []string) {
	seen := map[string]bool{}
	for _, c := range candidates {
		if _, read := readings[c.Key]; !read && !seen[c.Key] {
			seen[c.Key] = true
			keys = append(keys, c.Key)
		}
	}
	return keys
}

// ReviewNeeded counts the claims for a second reader.
type ReviewNeeded struct {
	Pending int    // claims that nobody has read
	Batch   string // the open batch, or ""
}

// Needed counts what a loop wants read.
func Needed(st *loopstate.State) ReviewNeeded {
	out := ReviewNeeded{Pending: len(st.PendingReviews())}
	if r := st.OpenReview(); r != nil {
		out.Batch = r.Batch
	}
	return out
}
