package loopstate

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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

func (h *history) current() string {
	var ids []string
	for _, c := range h.state.CurrentClaims() {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, " ")
}

func TestRetractedClaimsDoNotCount(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.findAndRead(2)
	cite := func(claim string, ids ...string) Claim { return Claim{Claim: claim, SourceIDs: ids} }
	h.update(UpdateInput{Claims: []Claim{cite("It rose.", "S1"), cite("It rose.", "S2"), cite("It fell.", "S1"),
		cite("It stayed.", "S2")}})
	h.verify(Unsupported, cite("It fell.", "S1"))
	if got := h.current(); got != "C1 C2 C3 C4" {
		t.Fatalf("before: %s", got)
	}
	p, err := h.state.Update(UpdateInput{Retractions: []string{"c3", "it rose", "C3", "It never happened."}})
	h.must(p, err)
	if !slices.Equal(p.Retracted, []string{"C3", "C1", "C2"}) || len(p.Rejected) != 1 ||
		!strings.Contains(p.Rejected[0].Why, "use the claim's id") {
		t.Errorf("retracted %v, rejected %+v", p.Retracted, p.Rejected)
	}
	if got := h.current(); got != "C4" || len(h.state.Claims) != 4 {
		t.Errorf("after: %s of %d", got, len(h.state.Claims))
	}
	h.close(CloseInput{SignOff: true})
	if row := h.state.Rounds[0]; row.Claims != 1 {
		t.Errorf("the round counts retracted claims: %s", compact(row))
	}
	p, err = h.state.Update(UpdateInput{Retractions: []string{"C3"}})
	if err != nil || len(p.Rejected) != 1 || p.Rejected[0].Why != "it was retracted in round 1" {
		t.Errorf("retracted twice: %+v, %v", p.Rejected, err)
	}
	if _, err := h.state.Update(UpdateInput{Retractions: []string{"C9"}}); !Has(err, CodeUnknownClaim) {
		t.Errorf("an unknown id: %v", err)
	}
	h.update(UpdateInput{Claims: []Claim{cite("It fell.", "S1")}})
	if got := h.current(); got != "C4 C5" {
		t.Errorf("recorded again: %s", got)
	}
	if diff := diffStates(fold(t, fold(t, nil, h.log[:5]), h.log[5:]), h.state); diff != "" {
		t.Errorf("replayed (-want +got):\n%s", diff)
	}
}

// A sign-off with hallucinated citations does not count, until the next clean verification.
func TestHallucinatedCitationsVoidTheSignOff(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.findAndRead(1)
	verify := func(hallucinated ...Hallucinated) {
		h.must(h.state.Verify(Verified{Verdict: "fail", Groundedness: 0.2, Hallucinated: hallucinated}, nil, ""))
	}
	verify(Hallucinated{Claim: "c", Citation: "S9", Why: "never read"})
	h.close(CloseInput{SignOff: true})
	if row := h.state.Rounds[0]; row.SignOff || !slices.Contains(row.Guardrails, "signoff_with_hallucinated_citations") {
		t.Errorf("signed off over an invented citation: %s", compact(row))
	}
	h.findAndRead(1)
	verify(Hallucinated{Claim: "c", Citation: "S9", Why: "never read"})
	verify()
	h.close(CloseInput{SignOff: true})
	if row := h.state.Rounds[1]; !row.SignOff {
		t.Errorf("mended, and still barred: %s", compact(row))
	}
	h.findAndRead(1)
	h.close(CloseInput{SignOff: true}) // a round without any verification of its claims
	if d := Decide(h.state); d.Rule != "two_signoffs" {
		t.Errorf("%s", compact(d))
	}
}

// Two sign-offs in a row are two rounds without a new material gap, answered or not.
func TestAMaterialGapResetsTheSignOffs(t *testing.T) {
	for _, tt := range []struct {
		name     string
		material bool
		rule     string
	}{{"material", true, "first_signoff"}, {"cosmetic", false, "two_signoffs"}} {
		h := begin(t, StartInput{Query: "q"})
		h.findAndRead(1)
		h.close(CloseInput{SignOff: true})
		h.gap(GapInput{Gap: "a", Material: pointer(tt.material)})
		h.findAndRead(1)
		h.update(UpdateInput{AnsweredGaps: []string{"G1"}})
		h.close(CloseInput{SignOff: true})
		if d := Decide(h.state); d.Rule != tt.rule {
			t.Errorf("%s: %s, want %s", tt.name, compact(d), tt.rule)
		}
	}
}

// A blocked search does not count as tried, and a stall reports the number of blocked searches.
func TestBlockedSearchesDoNotCount(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	for i := range 2 {
		h.must(h.state.Search(Search{Query: "q", Angle: "byEntity", Channels: []SearchOutcome{{Channel: "a", Status: "blocked"},
			{Channel: "b", Status: "unavailable"}}}, nil))
		h.close(CloseInput{})
		if a := Advise(h.state)[0]; a.Code != AdviseAngles || !slices.Contains(a.Of, "byEntity") {
			t.Errorf("round %d: a blocked angle counts as tried", i+1)
		}
	}
	if d := Decide(h.state); d.Rule != "stalled_no_evidence" || d.Numbers.Searches != 2 || d.Numbers.Blind != 2 {
		t.Errorf("%s", compact(d))
	}
}
