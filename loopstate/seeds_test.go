package loopstate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Mechanisms of docs/mechanisms.md without another test.

// A closed gap has its round, however it was closed (mechanisms 57, 77 and C12).
func TestClosedGapsKeepTheirRound(t *testing.T) {
	h := begin(t, StartInput{Query: "q", Gaps: gaps("a", "b", "c", "d")})
	h.update(UpdateInput{AnsweredGaps: []string{"G1"}})
	h.close(CloseInput{})
	h.close(CloseInput{AnsweredGaps: []string{"G2"}})
	h.close(CloseInput{OpenQuestions: []OpenQuestionInput{{"G3", "the archive burned"}}})
	type closed struct {
		Status, Why string
		Round       int
	}
	want := map[string]closed{"G1": {GapAnswered, "", 1}, "G2": {GapAnswered, "", 2}, "G3": {GapUnanswerable, "the archive burned", 3}, "G4": {GapOpen, "", 0}}
	got := map[string]closed{}
	for _, g := range restored(t, h.state).Gaps {
		got[g.ID] = closed{g.Status, g.Why, g.ClosedRound}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Coverage below the loop's threshold does not decide, but every decision about a sign-off mentions it (mechanisms 142, 151
// and C1).
func TestLowCoverageIsMentioned(t *testing.T) {
	tests := []struct {
		name      string
		threshold *float64
		coverage  float64
		said      bool
	}{
		{"below the default", nil, 0.84, true},
		{"at the default", nil, 0.85, false},
		{"below the loop's own", pointer(0.95), 0.94, true},
		{"above the loop's own", pointer(0.6), 0.61, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := begin(t, StartInput{Query: "q", Complete: tt.threshold})
			for _, rule := range []string{"first_signoff", "two_signoffs"} {
				h.findAndRead(1)
				h.criticised()
				h.close(CloseInput{SignOff: true, Coverage: &Coverage{Overall: tt.coverage}})
				d := h.state.Rounds[len(h.state.Rounds)-1].Decision
				if said := strings.Contains(d.Because, "say what is thin"); d.Rule != rule || said != tt.said {
					t.Errorf("%s instead of %s, thin coverage said: %v, want %v\n%s", d.Rule, rule, said, tt.said, d.Because)
				}
			}
		})
	}
}
