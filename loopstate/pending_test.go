package loopstate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Two sign-offs finish a loop over pending reviews, and the decision says so.
func TestSignOffsOverPendingReviews(t *testing.T) {
	const words = "Signed off although nobody has read 1 sentence beside the sources."
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

// A verified draft replaces the recorded claims that wait; checking the claims again brings them back.
func TestDraftReplacesPendingClaims(t *testing.T) {
	s := &State{Readings: map[string]Reading{"read": {Answer: AnswerSupported}}}
	claims := []ReviewCandidate{{Key: "waits", Status: Inferred}, {Key: "read", Status: Inferred}, {Key: "grounded", Status: Grounded}}
	pending := func() (keys []string) {
		for _, c := range s.PendingReviews() {
			keys = append(keys, c.Key)
		}
		return keys
	}
	for _, step := range []struct {
		candidates []ReviewCandidate
		draft      bool
		want       []string
	}{
		{claims, false, []string{"waits"}},
		{[]ReviewCandidate{{Key: "sentence", Status: Inferred}}, true, []string{"sentence"}},
		{claims, false, []string{"sentence", "waits"}},
	} {
		s.addCandidates(step.candidates, step.draft)
		if diff := cmp.Diff(step.want, pending()); diff != "" {
			t.Errorf("pending after %v, draft %v (-want +got):\n%s", step.candidates, step.draft, diff)
		}
	}
	if len(s.Candidates) != 4 { // claims that were read or grounded stay, for controls
		t.Errorf("candidates %v", s.Candidates)
	}
}
