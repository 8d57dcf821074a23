package loopstate

import (
	"slices"
	"strings"
	"testing"
)

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
	cite := func(claim string, ids ...string) ClaimInput { return ClaimInput{Claim: claim, SourceIDs: ids} }
	h.update(UpdateInput{Claims: []ClaimInput{cite("It rose.", "S1"), cite("It rose.", "S2"), cite("It fell.", "S1"), cite("It stayed.", "S2")}})
	h.verify(Unsupported, cite("It fell.", "S1"))
	if got := h.current(); got != "C1 C2 C3 C4" {
		t.Fatalf("before: %s", got)
	}
	p, err := h.state.Update(UpdateInput{Retractions: []string{"c3", "it rose", "C3", "It never happened."}})
	h.must(p, err)
	if !slices.Equal(p.Retracted, []string{"C3", "C1", "C2"}) || len(p.Rejected) != 1 || !strings.Contains(p.Rejected[0].Why, "use the claim's id") {
		t.Errorf("retracted %v, rejected %+v", p.Retracted, p.Rejected)
	}
	if got := h.current(); got != "C4" || len(h.state.Claims) != 4 {
		t.Errorf("after: %s of %d", got, len(h.state.Claims))
	}
	h.close(CloseInput{SignOff: true})
	if row := h.state.Rounds[0]; row.Claims != 1 || strings.Contains(row.Decision.Because, "unsupported") {
		t.Errorf("the round counts retracted claims: %s", compact(row))
	}
	p, err = h.state.Update(UpdateInput{Retractions: []string{"C3"}})
	if err != nil || len(p.Rejected) != 1 || p.Rejected[0].Why != "it was retracted in round 1" {
		t.Errorf("retracted twice: %+v, %v", p.Rejected, err)
	}
	if _, err := h.state.Update(UpdateInput{Retractions: []string{"C9"}}); !Has(err, CodeUnknownClaim) {
		t.Errorf("an unknown id: %v", err)
	}
	h.update(UpdateInput{Claims: []ClaimInput{cite("It fell.", "S1")}})
	if got := h.current(); got != "C4 C5" {
		t.Errorf("recorded again: %s", got)
	}
	if diff := diffStates(fold(t, restored(t, fold(t, nil, h.log[:5])), h.log[5:]), h.state); diff != "" {
		t.Errorf("replayed (-want +got):\n%s", diff)
	}
}

// A draft supersedes the claims that only the previous draft stated.
func TestADraftSupersedesThePreviousOne(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.findAndRead(1)
	h.claim(4)
	draft := func(stated ...string) {
		t.Helper()
		p, err := h.state.Verify(VerifyInput{Verdict: "pass", Draft: true, Final: true, Stated: stated})
		h.must(p, err)
	}
	steps := []struct {
		name string
		do   func()
		want string
	}{
		{"the first draft", func() { draft("C1", "C2") }, "C1 C2 C3 C4"},
		{"the second", func() { draft("C2", "C3") }, "C2 C3 C4"},
		{"the same again", func() { draft("C2", "C3") }, "C2 C3 C4"},
		{"a draft without any of them", func() { draft() }, "C4"},
		{"one comes back", func() { draft("C1") }, "C1 C4"},
		{"another is recorded again", func() { h.update(UpdateInput{Claims: []ClaimInput{{Claim: "claim 2", SourceIDs: []string{"S1"}}}}) }, "C1 C2 C4"},
		{"a third is verified again", func() { h.verify(Grounded, ClaimInput{Claim: "claim 3", SourceIDs: []string{"S1"}}) }, "C1 C2 C3 C4"},
		{"a fourth is retracted", func() { h.update(UpdateInput{Retractions: []string{"C4"}}) }, "C1 C2 C3"},
	}
	for _, s := range steps {
		s.do()
		if got := h.current(); got != s.want {
			t.Errorf("%s: %s count, want %s", s.name, got, s.want)
		}
	}
	if diff := diffStates(fold(t, nil, h.log), h.state); diff != "" {
		t.Errorf("replayed (-want +got):\n%s", diff)
	}
}
