package loopstate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A search belongs to the gap with its text or query, dated or not, else to the current target.
func TestSearchesBelongToGaps(t *testing.T) {
	h := begin(t, StartInput{Query: "q", AsOf: "2026-03-01", Gaps: []GapInput{
		{Gap: "who pays", Query: "cost of it"}, {Gap: "newest figures", Query: "latest figures",
			Questions: []string{"figures of the office"}}, {Gap: "nobody asks"}, {Gap: "walls", Material: pointer(false)}}})
	ask := func(query, channel, status string) {
		h.must(h.state.Search(Search{Query: query, Channels: []SearchOutcome{{Channel: channel, Status: status}}}, nil))
	}
	ask("Cost of it?", "a", "empty")
	ask("Latest figures 2026", "a", "ok")
	ask("figures of the office", "b", "blocked")
	ask("figures of the office", "b", "blocked")
	ask("walls", "b", "blocked")
	ask("something of my own", "b", "blocked") // the target is G1
	h.update(UpdateInput{Query: "who pays", Channel: "elsewhere"})
	h.close(CloseInput{AnsweredGaps: []string{"G1"}})
	ask("more", "c", "empty") // the target is G2
	h.close(CloseInput{AnsweredGaps: []string{"G2", "G3"}})
	ask("after all of them", "c", "ok")
	got := map[string]string{}
	for id, tried := range h.state.Tried() {
		got[id] = tried.String()
	}
	want := map[string]string{
		"G1": "searched 3 channels 3 times: 1 blocked, 1 empty, 1 reported",
		"G2": "searched 3 channels 4 times: 2 blocked, 1 empty, 1 ok",
		"G3": "not searched for yet",
		"G4": "searched 1 channel 1 time: 1 blocked; no channel could search, so sources may still exist",
	}
	if got["G3"] = Tried("").String(); !cmp.Equal(want, got) {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
	if diff := diffStates(fold(t, nil, h.log), h.state); diff != "" {
		t.Errorf("replayed (-want +got):\n%s", diff)
	}
}

// The decision has dated queries; the gap's text is unchanged.
func TestDecisionDatesItsQueries(t *testing.T) {
	h := begin(t, StartInput{Query: "q", AsOf: "2026-03-01", Gaps: gaps("latest copper prices")})
	d := Decide(h.state)
	if d.Target != "latest copper prices" || len(d.Queries) != 1 || d.Queries[0] != "latest copper prices 2026" {
		t.Errorf("target %q, queries %q", d.Target, d.Queries)
	}
}
