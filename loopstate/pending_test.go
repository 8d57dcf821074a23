package loopstate

import (
	"strings"
	"testing"
)

// Two sign-offs finish a loop over pending reviews, and the decision says so.
func TestSignOffsOverPendingReviews(t *testing.T) {
	const words = "Signed off over pending reviews: no second reader has read 1 sentence."
	for _, read := range []bool{false, true} {
		s := &State{Round: 2, SignOffs: 2, Candidates: []ReviewCandidate{{Key: "k", Claim: "The toll was abolished.", Status: Inferred}}}
		if read {
			s.Readings = map[string]Reading{"k": {Batch: "R1", Item: "R1-1", Answer: AnswerSupported}}
		}
		d, ok := twoSignOffs(s)
		if !ok || d.NextAction != Finalize || strings.Contains(d.Because, words) == read {
			t.Errorf("read %v: %s because %s", read, d.NextAction, d.Because)
		}
	}
}
