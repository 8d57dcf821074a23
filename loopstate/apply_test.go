package loopstate

import (
	"slices"
	"testing"
)

// A sign-off with hallucinated citations does not count, until the next clean verification.
func TestHallucinatedCitationsVoidTheSignOff(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.findAndRead(1)
	verify := func(hallucinated ...Hallucinated) {
		h.must(h.state.Verify(Verified{Verdict: "fail", Groundedness: 0.2, Threshold: 0.8, Hallucinated: hallucinated}, nil, ""))
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
