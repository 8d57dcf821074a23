package loopstate

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rounds closes n rounds, each with a new hit and without answering gaps.
func (h *history) rounds(n int) {
	h.t.Helper()
	for range n {
		h.find(1)
		h.close(CloseInput{})
	}
}

// Each row is a history and its decision. Together they cover every rule.
func TestDecide(t *testing.T) {
	short := Amounts{Rounds: pointer(2)}
	tests := []struct {
		name   string
		start  StartInput
		then   func(h *history)
		action string
		rule   string
	}{
		// The beginning and the middle of a round
		{"nothing said at all", StartInput{}, func(h *history) {}, SearchMore, "begin_with_angles"},
		{"a first gap", StartInput{Query: "q", Gaps: gaps("a")}, func(h *history) {}, SearchMore, "pursue_target"},
		{"cosmetic gaps are no target", StartInput{Gaps: []GapInput{{Gap: "a", Importance: "minor"}}}, func(h *history) {}, SearchMore,
			"begin_with_angles"},
		{"hits that nobody read", StartInput{Query: "q", Gaps: gaps("a")}, func(h *history) { h.find(2) }, FetchMore,
			"read_what_was_found"},
		{"hits that the host reported without a query", StartInput{Query: "q"},
			func(h *history) { h.update(UpdateInput{Evidence: []Evidence{page(1)}}) }, FetchMore, "read_what_was_found"},
		{"hits that turned out bad", StartInput{Query: "q", Gaps: gaps("a")},
			func(h *history) { h.find(1); h.update(UpdateInput{BadURLs: []BadURL{{URL: page(1).URL}}}) }, SearchMore, "pursue_target"},
		{"no gap, searched, nothing found", StartInput{Query: "q"}, func(h *history) { h.find(0) }, SearchMore, "nobody_signed_off"},
		// The end of a round
		{"closed with a gap", StartInput{Query: "q"}, func(h *history) { h.findAndRead(1); h.close(CloseInput{Gaps: gaps("a")}) },
			SearchMore, "pursue_target"},
		{"one sign-off", StartInput{Query: "q"}, func(h *history) { h.findAndRead(1); h.close(CloseInput{SignOff: true}) }, SearchMore,
			"first_signoff"},
		{"one sign-off, hits of the new round unread", StartInput{Query: "q"},
			func(h *history) { h.close(CloseInput{SignOff: true}); h.find(1) }, FetchMore, "first_signoff"},
		{"two sign-offs", StartInput{Query: "q"}, func(h *history) {
			h.find(1)
			h.close(CloseInput{SignOff: true})
			h.close(
				CloseInput{SignOff: true})
		}, Finalize, "two_signoffs"},
		{"two sign-offs, not in a row", StartInput{Query: "q"},
			func(h *history) { h.close(CloseInput{SignOff: true}); h.rounds(1); h.close(CloseInput{SignOff: true}) }, SearchMore,
			"first_signoff"},
		{"cosmetic gaps do not hinder a sign-off", StartInput{Query: "q", Gaps: []GapInput{{Gap: "a", Material: pointer(false)}}},
			func(h *history) { h.close(CloseInput{SignOff: true}); h.close(CloseInput{SignOff: true}) }, Finalize, "two_signoffs"},
		{"a gap found after two sign-offs", StartInput{Query: "q"}, func(h *history) {
			h.findAndRead(1)
			h.close(CloseInput{SignOff: true})
			h.close(CloseInput{SignOff: true})
			h.gap(GapInput{Gap: "a"})
		}, SearchMore, "pursue_target"},
		{"sign-offs with a material gap open do not count", StartInput{Query: "q", Gaps: gaps("a")}, func(h *history) {
			for range 2 {
				h.findAndRead(1)
				h.close(CloseInput{SignOff: true})
			}
		}, SearchMore, "pursue_target"},
		{"a sign-off with a gap open takes back the one before", StartInput{Query: "q"}, func(h *history) {
			h.findAndRead(1)
			h.close(CloseInput{SignOff: true})
			h.findAndRead(1)
			h.close(CloseInput{SignOff: true, Gaps: gaps("a")})
			h.findAndRead(1)
			h.close(CloseInput{SignOff: true, AnsweredGaps: []string{"G1"}})
		}, SearchMore, "first_signoff"},
		{"an open question leaves the count", StartInput{Query: "q", Gaps: gaps("a")}, func(h *history) {
			h.close(CloseInput{SignOff: true, OpenQuestions: []Gap{{Gap: "G1", Why: "secret"}}})
			h.close(CloseInput{SignOff: true})
		}, Finalize, "two_signoffs"},
		{"failures hinder the end", StartInput{Query: "q"}, func(h *history) {
			h.find(1)
			h.close(CloseInput{SignOff: true})
			h.close(CloseInput{SignOff: true, Failures: []string{"one-sided"}})
		}, SearchMore, "nobody_signed_off"},
		{"failures beside the first sign-off", StartInput{Query: "q"},
			func(h *history) { h.close(CloseInput{SignOff: true, Failures: []string{"one-sided"}}) }, SearchMore, "first_signoff"},
		{"failures of an earlier round are past", StartInput{Query: "q"}, func(h *history) {
			h.close(CloseInput{SignOff: true, Failures: []string{"one-sided"}})
			h.close(CloseInput{SignOff: true})
		}, Finalize, "two_signoffs"},
		// Stalls
		{"two rounds without evidence", StartInput{Query: "q", Gaps: gaps("a")},
			func(h *history) { h.rounds(1); h.close(CloseInput{}); h.close(CloseInput{}) }, Finalize, "stalled_no_evidence"},
		{"duplicates are no evidence", StartInput{Query: "q", Gaps: gaps("a")}, func(h *history) {
			h.findAndRead(1)
			h.close(CloseInput{})
			for range 2 {
				h.search("again", page(1))
				h.close(CloseInput{})
			}
		}, Finalize, "stalled_no_evidence"},
		{"a source alone is something new", StartInput{Query: "q", Gaps: gaps("a")},
			func(h *history) { h.close(CloseInput{}); h.read("https://example.com/pasted"); h.close(CloseInput{}) }, SearchMore,
			"pursue_target"},
		{"the same gaps three times", StartInput{Query: "q", Gaps: gaps("a", "b")}, func(h *history) { h.rounds(3) }, Finalize,
			"stalled_same_gaps"},
		{"a gap exchanged for another is progress", StartInput{Query: "q", Gaps: gaps("a", "b")}, func(h *history) {
			h.rounds(2)
			h.findAndRead(1)
			h.close(CloseInput{AnsweredGaps: []string{"G1"}, Gaps: gaps("c")})
			h.update(UpdateInput{VisitedURLs: []string{page(1).URL, page(2).URL}})
		}, SearchMore, "pursue_target"},

		// Guardrails
		{"guardrail 1: little coverage after the first round", StartInput{Query: "q"},
			func(h *history) { h.close(CloseInput{SignOff: true, Coverage: &Coverage{Overall: 0.49}}) }, SearchMore,
			"guardrail_first_round_coverage"},
		{"guardrail 1 reads first what its round has found", StartInput{Query: "q"},
			func(h *history) { h.close(CloseInput{Coverage: &Coverage{Overall: 0.49}}); h.find(1) }, FetchMore,
			"guardrail_first_round_coverage"},
		{"guardrail 1 ends at 0.50", StartInput{Query: "q"},
			func(h *history) { h.close(CloseInput{SignOff: true, Coverage: &Coverage{Overall: 0.5}}) }, SearchMore, "first_signoff"},
		{"guardrail 1 is for the first round", StartInput{Query: "q"}, func(h *history) {
			h.close(CloseInput{})
			h.close(CloseInput{SignOff: true, Coverage: &Coverage{Overall: 0.49}})
		}, Finalize, "stalled_no_evidence"},
		{"guardrail 2: a critical gap", StartInput{Query: "q"}, func(h *history) {
			h.close(CloseInput{Gaps: []GapInput{{Gap: "who founded it", Importance: "critical"}}})
		}, SearchMore, "guardrail_critical_gap"},
		{"guardrail 2 waits for the first round's end",
			StartInput{Query: "q", Gaps: []GapInput{{Gap: "who founded it", Importance: "critical"}}}, func(h *history) {}, SearchMore,
			"pursue_target"},
		{"guardrail 2 over two sign-offs", StartInput{Query: "q",
			Gaps: []GapInput{{Gap: "who founded it", Importance: "critical", Material: pointer(false)}}}, func(h *history) {
			h.close(CloseInput{SignOff: true})
			h.close(CloseInput{SignOff: true})
		}, SearchMore, "guardrail_critical_gap"},
		{"guardrail 2 over stalls", StartInput{Query: "q", Gaps: []GapInput{{Gap: "who founded it", Importance: "critical"}}},
			func(h *history) { h.close(CloseInput{}); h.close(CloseInput{}); h.close(CloseInput{}) }, SearchMore, "guardrail_critical_gap"},
		{"guardrail 1 over guardrail 2", StartInput{Query: "q", Gaps: []GapInput{{Gap: "who founded it", Importance: "critical"}}},
			func(h *history) { h.close(CloseInput{Coverage: &Coverage{Overall: 0.2}}) }, SearchMore, "guardrail_first_round_coverage"},
		{"guardrail 2 over guardrail 3", StartInput{Query: "q", Gaps: []GapInput{{Gap: "who founded it", Importance: "critical"}}},
			func(h *history) { h.close(CloseInput{}); h.close(CloseInput{Coverage: &Coverage{Overall: 0.2}}) }, SearchMore,
			"guardrail_critical_gap"},
		{"guardrail 3: hardly any coverage, over two sign-offs", StartInput{Query: "q"}, func(h *history) {
			h.close(CloseInput{SignOff: true})
			h.close(CloseInput{SignOff: true, Coverage: &Coverage{Overall: 0.29}})
		}, SearchMore, "guardrail_low_coverage"},
		{"guardrail 3 ends at 0.30", StartInput{Query: "q"}, func(h *history) {
			h.close(CloseInput{SignOff: true})
			h.close(CloseInput{SignOff: true, Coverage: &Coverage{Overall: 0.3}})
		}, Finalize, "two_signoffs"},

		// Caps (guardrail 5 is the first of them)
		{"the last round is closed", StartInput{Query: "q", Gaps: gaps("a"), Budget: short}, func(h *history) { h.rounds(2) }, Finalize,
			"cap_rounds"},
		{"caps over guardrails", StartInput{Query: "q", Gaps: []GapInput{{Gap: "a", Importance: "critical"}}, Budget: short},
			func(h *history) { h.rounds(1); h.close(CloseInput{Coverage: &Coverage{}}) }, Finalize, "cap_rounds"},
		{"two sign-offs in the last round, over a critical gap",
			StartInput{Query: "q", Budget: short, Gaps: []GapInput{{Gap: "a", Importance: "critical", Material: pointer(false)}}},
			func(h *history) {
				h.close(CloseInput{SignOff: true})
				h.close(CloseInput{SignOff: true})
			}, Finalize, "cap_rounds"},
		{"confirmed rounds lift the cap", StartInput{Query: "q", Gaps: gaps("a"), Budget: short},
			func(h *history) { h.rounds(2); h.update(UpdateInput{ConfirmRounds: 4}); h.findAndRead(1) }, SearchMore, "pursue_target"},
		{"money is spent", StartInput{Query: "q", Gaps: gaps("a"), Budget: Amounts{CostUSD: pointer(1.5)}},
			func(h *history) { h.update(UpdateInput{Usage: Usage{CostUSD: 1.5}}) }, Finalize, "cap_cost"},
		{"250,000 tokens are spent, by default", StartInput{Query: "q", Gaps: gaps("a")}, func(h *history) {
			h.update(UpdateInput{Usage: Usage{Tokens: 200_000}})
			h.update(UpdateInput{Usage: Usage{Tokens: 50_000}})
		}, Finalize, "cap_tokens"},
		{"time is up", StartInput{Query: "q", Gaps: gaps("a"), Budget: Amounts{LatencySeconds: pointer(60)}},
			func(h *history) { h.now = h.now.Add(time.Minute); h.find(1) }, Finalize, "cap_latency"},
		{"a clock that went back is no time spent",
			StartInput{Query: "q", Gaps: gaps("a"), Budget: Amounts{LatencySeconds: pointer(60)}},
			func(h *history) { h.now = h.now.Add(-time.Hour); h.find(0) }, SearchMore, "pursue_target"},

		// More than three rounds, more than eight
		{"simple ends after three rounds", StartInput{Query: "q", Complexity: "simple", Rubrics: []string{"a", "b", "c"}},
			func(h *history) { h.rounds(3) }, Finalize, "cap_rounds"},
		{"30 % of the rubrics may fail", StartInput{Query: "q", Complexity: "simple", Rubrics: slices.Repeat([]string{"r"}, 10)},
			func(h *history) { h.rounds(2); h.find(1); h.close(CloseInput{Failures: []string{"a", "b", "c"}}) }, Finalize, "cap_rounds"},
		{"more than 30 % failing: two more rounds", StartInput{Query: "q", Complexity: "simple", Rubrics: []string{"a", "b", "c"}},
			func(h *history) {
				h.rounds(2)
				h.findAndRead(1)
				h.close(CloseInput{Failures: []string{"a fails"}})
				h.update(UpdateInput{VisitedURLs: []string{page(1).URL, page(2).URL}})
			}, SearchMore, "nobody_signed_off"},
		{"but no third one", StartInput{Query: "q", Complexity: "simple", Rubrics: []string{"a", "b", "c"}}, func(h *history) {
			for range 5 {
				h.find(1)
				h.close(CloseInput{Failures: []string{"a fails"}})
			}
		}, Finalize, "cap_rounds"},
		{"beyond eight rounds the user must confirm", StartInput{Query: "q", Complexity: "complex"}, func(h *history) { h.rounds(8) },
			EscalateBudget, "confirm_rounds"},
		{"confirmed", StartInput{Query: "q", Complexity: "complex"},
			func(h *history) { h.rounds(8); h.update(UpdateInput{ConfirmRounds: 9}) }, SearchMore, "nobody_signed_off"},
		{"confirmed and used up", StartInput{Query: "q", Complexity: "complex"},
			func(h *history) { h.rounds(8); h.update(UpdateInput{ConfirmRounds: 9}); h.rounds(1) }, EscalateBudget, "confirm_rounds"},
		{"the budget's end over the confirmation", StartInput{Query: "q", Complexity: "complex"},
			func(h *history) { h.update(UpdateInput{ConfirmRounds: 10}); h.rounds(10) }, Finalize, "cap_rounds"},
		{"the confirmation over guardrails", StartInput{Query: "q", Complexity: "complex",
			Gaps: []GapInput{{Gap: "a", Importance: "critical"}}}, func(h *history) { h.rounds(8) }, EscalateBudget, "confirm_rounds"},
		// The user
		{"abort over caps", StartInput{Query: "q", Gaps: gaps("a"), Budget: short},
			func(h *history) { h.rounds(2); h.update(UpdateInput{Abort: "enough"}) }, Abort, "aborted"},
	}
	fired := map[string]bool{}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := begin(t, tt.start)
			tt.then(h)
			d := Decide(h.state)
			if d.Action != tt.action || d.Rule != tt.rule {
				t.Errorf("the decision is %s by %s, want %s by %s", d.Action, d.Rule, tt.action, tt.rule)
			}
			if d.Action == FetchMore && len(h.state.Unread(1)) == 0 {
				t.Errorf("fetch_more without an address")
			}
			fired[d.Rule] = true
		})
	}
	for _, r := range rules {
		if !fired[r.name] {
			t.Errorf("no row fires the rule %s", r.name)
		}
	}
}

// What a decision asks for.
func TestWhatDecisionsAskFor(t *testing.T) {
	tests := []struct {
		name  string
		start StartInput
		then  func(h *history)
		want  Decision
		urls  []string
	}{
		{"the beginning", StartInput{Query: "does it work"}, func(h *history) {},
			Decision{Action: SearchMore, Queries: []string{"does it work"}, Rule: "begin_with_angles"}, nil},
		{"the best of two gaps", StartInput{Gaps: []GapInput{{Gap: "a"}, {Gap: "b", Query: "find b", Priority: 2.0}}},
			func(h *history) { h.find(0) }, Decision{
				Action: SearchMore, Queries: []string{"find b"}, Rule: "pursue_target", Target: "find b", TargetGap: "G2",
				Numbers: Numbers{Gaps: 2, Searches: 1}}, nil},
		{"reading", StartInput{Query: "q", Gaps: gaps("who paid it")}, func(h *history) { h.find(7) }, Decision{
			Action: FetchMore, Rule: "read_what_was_found", Target: "who paid it", TargetGap: "G1", Reads: true,
			Numbers: Numbers{Searches: 1, Hits: 7}},
			[]string{page(1).URL, page(2).URL, page(3).URL, page(4).URL, page(5).URL}},
		{"the end with something open", StartInput{Query: "q", Gaps: gaps("who paid it"), Budget: Amounts{Rounds: pointer(1)}},
			func(h *history) { h.close(CloseInput{}) }, Decision{
				Action: Finalize, Rule: "cap_rounds", Target: "who paid it", TargetGap: "G1", Numbers: Numbers{Spent: 1, Limit: 1}}, nil},
		{"hits after a first sign-off", StartInput{Query: "q"},
			func(h *history) { h.findAndRead(1); h.close(CloseInput{SignOff: true}); h.find(1) }, Decision{
				Action: FetchMore, Rule: "first_signoff", Reads: true}, []string{page(2).URL}},
		{"the end", StartInput{Query: "q"}, func(h *history) { h.close(CloseInput{SignOff: true}); h.close(CloseInput{SignOff: true}) },
			Decision{Action: Finalize, Rule: "two_signoffs"}, nil},
		{"abort", StartInput{Query: "q", Gaps: gaps("a")}, func(h *history) { h.update(UpdateInput{Abort: "changed my mind"}) },
			Decision{Action: Abort, Rule: "aborted"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := begin(t, tt.start)
			tt.then(h)
			if diff := cmp.Diff(tt.want, Decide(h.state)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if tt.urls != nil {
				if diff := cmp.Diff(tt.urls, addresses(h.state.Unread(5))); diff != "" {
					t.Errorf("addresses (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// A round that answers a gap, records a claim or reads something is no stall.
func TestProgressIsNoStall(t *testing.T) {
	for name, work := range map[string]func(h *history, i int){
		"an answered gap": func(h *history, i int) { h.update(UpdateInput{AnsweredGaps: []string{fmt.Sprintf("G%d", i+1)}}) },
		"a claim":         func(h *history, _ int) { h.claim(1) },
		"a source":        func(h *history, i int) { h.read(fmt.Sprintf("https://example.com/%d", i)) },
	} {
		h := begin(t, StartInput{Query: "q", Gaps: gaps("a", "b", "c", "d", "e")})
		h.read("https://example.com/first")
		for i := range 4 {
			work(h, i)
			h.close(CloseInput{})
			if d := Decide(h.state); d.Action == Finalize {
				t.Fatalf("%s in each round, and after round %d: %s", name, i+1, d.Rule)
			}
		}
		h.close(CloseInput{})
		h.close(CloseInput{})
		if d := Decide(h.state); !slices.Contains([]string{"stalled_no_evidence", "cap_rounds"}, d.Rule) {
			t.Errorf("%s, then nothing: %s", name, d.Rule)
		}
	}
}

// A real run on the four-day week: 56 sources, 71 claims, five rounds.
func TestFourDayWeek(t *testing.T) {
	rows := []struct {
		newSources, claims, openGaps int
		signOff                      bool
		rule                         string
	}{
		{9, 18, 6, false, "pursue_target"},
		{22, 44, 4, false, "pursue_target"},
		{16, 63, 1, false, "pursue_target"},
		{7, 71, 0, true, "first_signoff"},
		{2, 71, 0, true, "two_signoffs"},
	}
	h := begin(t, StartInput{Query: "does a four-day week keep output up", Complexity: "complex"})
	sources := 0
	for i, row := range rows {
		if d := Decide(h.state); d.Action == Finalize {
			t.Fatalf("the loop stops before round %d: %s", i+1, d.Rule)
		}
		h.findAndRead(row.newSources)
		sources += row.newSources
		h.claim(row.claims - len(h.state.Claims))
		in := CloseInput{SignOff: row.signOff}
		open := h.state.MaterialGaps()
		for len(open) > row.openGaps {
			in.AnsweredGaps, open = append(in.AnsweredGaps, open[0].ID), open[1:]
		}
		for n := len(open); n < row.openGaps; n++ {
			in.Gaps = append(in.Gaps, GapInput{Gap: fmt.Sprintf("gap %d of round %d", n+1, i+1)})
		}
		if d := Decide(h.state); d.Action == Finalize {
			t.Fatalf("the loop stops within round %d: %s", i+1, d.Rule)
		}
		h.close(in)
		got := h.state.Rounds[i]
		want := Round{Round: i + 1, Sources: sources, NewSources: row.newSources, NewEvidence: row.newSources, NewClaims: got.NewClaims,
			ClosedGaps: got.ClosedGaps, Searches: 1, Claims: row.claims, OpenGaps: row.openGaps, SignOff: row.signOff,
			Guardrails: []string{}, StartedAt: got.StartedAt, EndedAt: h.now, TookMS: got.EndedAt.Sub(got.StartedAt).Milliseconds(),
			Decision: Decide(h.state)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("round %d (-want +got):\n%s", i+1, diff)
		}
		if got.Decision.Rule != row.rule {
			t.Errorf("round %d is decided by %s, want %s", i+1, got.Decision.Rule, row.rule)
		}
	}
	if d := Decide(h.state); d.Action != Finalize || sources != 56 {
		t.Errorf("after the second sign-off, with %d sources: %s", sources, compact(d))
	}
}

func TestRoundRow(t *testing.T) {
	long, short := CloseInput{Synthesis: fmt.Sprintf("%0500d", 1), SynthesisHash: "h"},
		CloseInput{Synthesis: fmt.Sprintf("%0499d", 1), SynthesisHash: "h"}
	long.Coverage, short.Coverage = &Coverage{Overall: 0.71}, &Coverage{Overall: 0.71}
	tests := []struct {
		name       string
		gaps       []GapInput
		in         CloseInput
		guardrails []string
		confidence string
		signOff    bool
	}{
		{"guardrail 4: a short text that claims much", nil, short, []string{"short_synthesis"}, "low", false},
		{"a long text may claim much", nil, long, []string{}, "", false},
		{"a short text that claims little", nil, CloseInput{Coverage: &Coverage{Overall: 0.7}}, []string{}, "", false},
		{"much claimed without any text", nil, CloseInput{Coverage: &Coverage{Overall: 0.9}}, []string{"short_synthesis"}, "low", false},
		{"a sign-off over an open gap", gaps("a"), CloseInput{SignOff: true}, []string{"signoff_with_open_gaps"}, "", false},
		{"a sign-off over a gap of the same call", nil, CloseInput{SignOff: true, Gaps: gaps("a")}, []string{"signoff_with_open_gaps"}, "",
			false},
		{"a sign-off that closes the last gap", gaps("a"), CloseInput{SignOff: true, AnsweredGaps: []string{"G1"}},
			[]string{"signoff_with_nothing_read"}, "", true},
		{"the guardrail that decided is named", nil, CloseInput{SignOff: true, Coverage: &Coverage{Overall: 0.1}},
			[]string{"signoff_with_nothing_read", "guardrail_first_round_coverage"}, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := begin(t, StartInput{Query: "q", Gaps: tt.gaps})
			h.close(tt.in)
			h.close(CloseInput{})
			if again := h.state.Rounds[1].Guardrails; slices.Contains(again, GuardShortSynthesis) {
				t.Errorf("a round without coverage repeats %v", again)
			}
			row := h.state.Rounds[0]
			if diff := cmp.Diff(tt.guardrails, row.Guardrails); diff != "" {
				t.Errorf("guardrails (-want +got):\n%s", diff)
			}
			if row.Confidence != tt.confidence || row.SignOff != tt.signOff {
				t.Errorf("confidence %q, sign-off %v; want %q, %v", row.Confidence, row.SignOff, tt.confidence, tt.signOff)
			}
		})
	}
}

func TestRoundDurationIsNotNegative(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	h.now = h.now.Add(-time.Hour) // another replica's clock
	h.close(CloseInput{})
	if got := h.state.Rounds[0].TookMS; got != 0 {
		t.Errorf("the round took %d ms", got)
	}
}

func TestTargetOrder(t *testing.T) {
	h := begin(t, StartInput{Gaps: []GapInput{
		{Gap: "cosmetic", Material: pointer(false), Priority: 9.0},
		{Gap: "old"},
		{Gap: "critical", Importance: "critical"},
		{Gap: "important to the host", Priority: 1.5},
		{Gap: "new"},
		{Gap: "negative", Priority: -1.0},
	}})
	var got []string
	for _, g := range h.state.OpenGaps() {
		got = append(got, g.Gap)
	}
	want := []string{"important to the host", "critical", "old", "new", "negative", "cosmetic"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the gap to pursue first (-want +got):\n%s", diff)
	}
}

func TestRemaining(t *testing.T) {
	h := begin(t, StartInput{Complexity: "simple", Budget: Amounts{CostUSD: pointer(2.0), LatencySeconds: pointer(100)}})
	h.update(UpdateInput{Usage: Usage{Tokens: 1_000, CostUSD: 0.5}})
	h.close(CloseInput{})
	want := Amounts{Rounds: pointer(2), Tokens: pointer(249_000), CostUSD: pointer(1.5), LatencySeconds: pointer(98)}
	if diff := cmp.Diff(want, h.state.Remaining()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	h.now = h.now.Add(time.Hour)
	h.update(UpdateInput{Usage: Usage{Tokens: 500_000, CostUSD: 5}})
	want = Amounts{Rounds: pointer(2), Tokens: pointer(0), CostUSD: pointer(0.0), LatencySeconds: pointer(0)}
	if diff := cmp.Diff(want, h.state.Remaining()); diff != "" {
		t.Errorf("overspent (-want +got):\n%s", diff)
	}
	failing := begin(t, StartInput{Complexity: "simple", Rubrics: []string{"a", "b", "c"}})
	failing.close(CloseInput{Failures: []string{"a fails"}})
	if got := *failing.state.Remaining().Rounds; got != 2 {
		t.Errorf("%d rounds are left after the first of three; rubrics count after the third only", got)
	}
	unlimited := begin(t, StartInput{})
	if diff := cmp.Diff(Amounts{Rounds: pointer(5), Tokens: pointer(DefaultTokens)}, unlimited.state.Remaining()); diff != "" {
		t.Errorf("by default (-want +got):\n%s", diff)
	}
}
