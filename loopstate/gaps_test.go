package loopstate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func (h *history) sweep(in Search, hits ...Evidence) {
	h.t.Helper()
	in.Channels = []SearchOutcome{{Channel: "web", Status: "ok", Count: len(hits)}}
	h.must(h.state.Search(in, hits))
}

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
	want := map[string]closed{"G1": {GapAnswered, "", 1}, "G2": {GapAnswered, "", 2}, "G3": {GapUnanswerable, "the archive burned", 3},
		"G4": {GapOpen, "", 0}}
	got := map[string]closed{}
	for _, g := range fold(t, nil, h.log).Gaps {
		got[g.ID] = closed{g.Status, g.Why, g.ClosedRound}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Advice names what nobody searched or read. It never changes the decision.
func TestAdvice(t *testing.T) {
	h := begin(t, StartInput{Query: "does it work", AsOf: "2026-11-01"})
	if got := Advise(h.state); got != nil {
		t.Errorf("before any search: %v", got)
	}
	h.sweep(Search{Query: "it", Angle: "byEntity"}, Evidence{Title: "A page", URL: "https://a.example/1", Source: "web",
		SourceType: "press", PublishedAt: "2020"})
	h.read("https://a.example/1")
	h.claim(1)
	before := Decide(h.state)
	got := map[string]Advice{}
	for _, a := range Advise(h.state) {
		got[a.Code] = a
	}
	want := map[string]Advice{
		AdviseAngles:    {AdviseAngles, 3, []string{"byTimeWindow", "bySourceType", "byCounterArg"}},
		AdviseRecent:    {AdviseRecent, 1, []string{"2025-05-01"}},
		AdviseTypes:     {AdviseTypes, 3, []string{"peer", "primary", "practitioner"}},
		AdviseCheck:     {AdviseCheck, 1, []string{"C1"}},
		AdviseOneSource: {AdviseOneSource, 1, []string{"C1"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, Decide(h.state)); diff != "" {
		t.Errorf("advice changed the decision:\n%s", diff)
	}
}

// The gaps that older versions opened themselves are left out of a log.
func TestDebtsOfOldLogsAreNotFolded(t *testing.T) {
	h := begin(t, StartInput{Query: "q", Gaps: gaps("a")})
	h.must(Closed{Gaps: []Gap{{ID: "G901", Gap: "not searched from these angles: byEntity", Status: GapOpen, Debt: "angles"}}}, nil)
	h.gap(GapInput{Gap: "b", Where: "S1:3"})
	if got := h.state.Gaps; len(got) != 2 || got[1].ID != "G2" || got[1].Where != "S1:3" {
		t.Errorf("%+v", got)
	}
}
