package loopstate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTriedString(t *testing.T) {
	tests := []struct {
		name   string
		tried  Tried
		want   string
		looked bool
	}{
		{"nothing", Tried{}, "not searched for yet", false},
		{"found", Tried{Channels: []string{"a"}, Asked: 1, Outcomes: map[string]int{"ok": 1}}, "searched 1 channel 1 time: 1 ok", true},
		{"the issue's example", Tried{Channels: []string{"a", "b", "c", "d"}, Asked: 7, Outcomes: map[string]int{"empty": 5, "blocked": 2}},
			"searched 4 channels 7 times: 5 empty, 2 blocked", true},
		{"a tie goes by name", Tried{Channels: []string{"a", "b"}, Asked: 2, Outcomes: map[string]int{"ok": 1, "empty": 1}},
			"searched 2 channels 2 times: 1 empty, 1 ok", true},
		{"nobody could look", Tried{Channels: []string{"a", "b"}, Asked: 3, Outcomes: map[string]int{"blocked": 2, "unavailable": 1}},
			"searched 2 channels 3 times: 2 blocked, 1 unavailable; no channel could search, so sources may still exist", false},
	}
	for _, tt := range tests {
		if got := tt.tried.String(); got != tt.want || tt.tried.Looked() != tt.looked {
			t.Errorf("%s: %q, looked %v", tt.name, got, tt.tried.Looked())
		}
	}
}

// A search belongs to the gap with its text or query, dated or not, else to the current target.
func TestSearchesBelongToGaps(t *testing.T) {
	h := begin(t, StartInput{Query: "q", AsOf: "2026-03-01", Gaps: []GapInput{
		{Gap: "who pays", Query: "cost of it"}, {Gap: "newest figures", Query: "latest figures",
			Questions: []string{"figures of the office"}}, {Gap: "nobody asks"}}})
	ask := func(query, channel, status string) {
		h.must(h.state.Search(Search{Query: query, Channels: []SearchOutcome{{Channel: channel, Status: status}}}, nil))
	}
	ask("Cost of it?", "a", "empty")
	ask("Latest figures 2026", "a", "ok")
	ask("figures of the office", "b", "blocked")
	ask("something of my own", "b", "blocked") // the target is G1
	h.update(UpdateInput{Query: "who pays", Channel: "elsewhere"})
	h.close(CloseInput{AnsweredGaps: []string{"G1"}})
	ask("more", "c", "empty") // the target is G2
	h.close(CloseInput{AnsweredGaps: []string{"G2", "G3"}})
	ask("after all of them", "c", "ok")
	want := map[string]Tried{
		"G1": {Queries: []string{"Cost of it?", "something of my own", "who pays"}, Channels: []string{"a", "b", "elsewhere"}, Asked: 3,
			Outcomes: map[string]int{"empty": 1, "blocked": 1, "reported": 1}},
		"G2": {Queries: []string{"Latest figures 2026", "figures of the office", "more"}, Channels: []string{"a", "b", "c"}, Asked: 3,
			Outcomes: map[string]int{"ok": 1, "blocked": 1, "empty": 1}},
	}
	if diff := cmp.Diff(want, h.state.Tried()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, fold(t, nil, h.log).Tried()); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
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

func TestAnglesDoNotSeeEachOther(t *testing.T) {
	h := begin(t, StartInput{Query: "which page"})
	h.must(h.state.Search(Search{Query: "q", Angle: "byEntity", Channels: []SearchOutcome{{Channel: "local", Status: "ok"}}, TookMS: 1},
		[]Evidence{page(1)}))
	for angle, want := range map[string]bool{"byEntity": true, "byCounterArg": false, "": true} {
		if got := h.state.SeenBy(page(1), angle); got != want {
			t.Errorf("in the same round, seen by %q: %v, want %v", angle, got, want)
		}
		if h.state.SeenBy(page(2), angle) {
			t.Errorf("what nobody found is seen by %q", angle)
		}
	}
	h.close(CloseInput{})
	if !h.state.SeenBy(page(1), "byCounterArg") {
		t.Error("in the next round, what an earlier one found is not seen")
	}
}
