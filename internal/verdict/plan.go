package verdict

import (
	"slices"

	"github.com/citeloop/citeloop/loopstate"
)

// Waiting returns the claims of a loop that a reader is to read: all that nobody has read, or, while a draft is checked that is
// not the loop's text, those of the draft and of the loop's text.
func Waiting(st *loopstate.State) []loopstate.ReviewCandidate {
	pending := st.PendingReviews()
	if st.Scratch == nil {
		return pending
	}
	scratch := make(map[string]bool, len(st.Scratch.Candidates))
	for _, c := range st.Scratch.Candidates {
		scratch[c.Key] = true
	}
	return slices.DeleteFunc(pending, func(c loopstate.ReviewCandidate) bool { return !c.Draft && !scratch[c.Key] })
}

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
	out := ReviewNeeded{Pending: len(Waiting(st))}
	if r := st.OpenReview(); r != nil {
		out.Batch = r.Batch
	}
	return out
}
