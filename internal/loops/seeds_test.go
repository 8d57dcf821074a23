package loops_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Mechanisms of docs/mechanisms.md without another test.

// The full view has every field of the loop state (mechanisms 73 to 84, 91 and 101).
func TestFullViewHasTheWholeState(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	budget := loopstate.BudgetInput{Rounds: new(int), CostUSD: new(float64), LatencySeconds: new(int)}
	*budget.Rounds, *budget.CostUSD, *budget.LatencySeconds = 5, 2, 3600
	a, err := h.Start(t.Context(), loopstate.StartInput{Query: "does it work", Rubrics: []string{"cites"}, Budget: budget,
		Gaps: []loopstate.GapInput{{Gap: "no benchmarks found"}, {Gap: "who pays"}, {Gap: "what it weighs"}}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.Update(t.Context(), a.StateID, "", loopstate.UpdateInput{Query: "cost", Channel: "fakeWeb",
		AnsweredGaps: []string{"who pays"}, VisitedURLs: []string{"https://example.org/read"},
		Evidence: []loopstate.Evidence{{Title: "T", URL: "https://example.org/1", Source: "fakeWeb"}},
		BadURLs:  []loopstate.BadURL{{URL: "https://example.org/gone", Reason: "404"}},
		Usage:    loopstate.Usage{CostUSD: 0.5, Tokens: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	must(h.Reflect(t.Context(), a.StateID, "", loopstate.CloseInput{Failures: []string{"cites nothing"},
		OpenQuestions: []loopstate.OpenQuestionInput{{Gap: "what it weighs", Why: "nobody says"}}}))(t)
	v := h.view(loops.ViewInput{Loop: a.StateID, View: "full"})
	body := must(json.Marshal(v.Loop))(t)
	var got map[string]any
	noError(t, json.Unmarshal(body, &got))
	at := func(path string) any {
		t.Helper()
		var value any = got
		for _, key := range strings.Split(path, ".") {
			object, ok := value.(map[string]any)
			if !ok || object[key] == nil {
				t.Errorf("the state has no %s", path)
				return nil
			}
			value = object[key]
		}
		return value
	}
	for path, want := range map[string]any{
		"round": 1.0, "budget_remaining.rounds": 4.0, "budget_remaining.cost_usd": 1.5, "budget_remaining.tokens": 249_000.0,
		"context.query": "does it work", "context.rubrics": []any{"cites"},
		"progress.answered_gaps": []any{"who pays"}, "progress.open_questions": []any{"what it weighs — nobody says"},
		"progress.all_questions": []any{"cost"},
		"progress.visited_urls":  []any{"https://example.org/read"}, "progress.evaluator_failures": []any{"cites nothing"},
		"decision.next_action": "search_more", "decision.next_queries": []any{"no benchmarks found"}, "decision.stop_reason": "",
	} {
		if diff := cmp.Diff(want, at(path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	if gaps, _ := at("progress.gaps").([]any); !slices.Contains(gaps, any("no benchmarks found")) ||
		slices.Contains(gaps, any("who pays")) {
		t.Errorf("gaps: %v", gaps)
	}
	for path, key := range map[string]string{"progress.evidence": "title", "progress.bad_urls": "reason"} {
		if list, _ := at(path).([]any); len(list) != 1 || list[0].(map[string]any)[key] == "" {
			t.Errorf("%s: %v", path, list)
		}
	}
	if _, ok := at("decision.next_urls_to_fetch").([]any); !ok {
		t.Error("decision.next_urls_to_fetch is no list")
	}
	if left, _ := at("budget_remaining.latency_seconds").(float64); left <= 0 || left >= 3600 {
		t.Errorf("latency left: %v", left)
	}
}

// The groundedness is the share of grounded claims, it passes at the threshold, and a claim has its source's address
// (mechanisms 105, 107 and 109).
func TestGroundednessIsAShare(t *testing.T) {
	t.Parallel()
	right := []string{"The lighthouse at Cape Arden was built in 1874 by the engineer Maria Holt.",
		"It stands 42 metres high and its lamp can be seen from 30 kilometres away.",
		"Today the lamp is electric and no keeper lives on the cape.",
		"The keeper's harness was never inhabited after the fire of 1911, when the northern wall collapsed."}
	const wrong = "The lighthouse was sold to a hotel chain in 2023."
	tests := []struct {
		name      string
		right     int
		threshold float64
		share     float64
		verdict   string
	}{
		{"four of five, by default", 4, 0, 0.8, "pass"},
		{"three of four, by default", 3, 0, 0.75, "fail"},
		{"four of five, with a higher one", 4, 0.9, 0.8, "fail"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var claims []verify.Claim
			for _, text := range append(slices.Clone(right[:tt.right]), wrong) {
				claims = append(claims, verify.New(text, "S1"))
			}
			h, loop := withSources(t)
			v := readThrough(t, h, loops.VerifyInput{Loop: loop, Claims: claims, Threshold: tt.threshold},
				map[string]string{wrong: loopstate.AnswerNotStated})
			if math.Abs(v.Groundedness-tt.share) > 1e-9 || v.Verdict != tt.verdict {
				t.Errorf("groundedness %v, %s; want %v, %s (statuses %v)", v.Groundedness, v.Verdict, tt.share, tt.verdict, statuses(v))
			}
			for _, c := range v.Claims {
				if c.Confidence <= 0 || c.Confidence >= 1 {
					t.Errorf("confidence %v in %q", c.Confidence, c.Text)
				}
				if got := v.SourceURL(c.Passages[0].SourceID); got != "https://example.org/lighthouse" {
					t.Errorf("source_url %q of %q", got, c.Text)
				}
			}
		})
	}
}

// Concurrent reads of one document at several addresses in several processes get one id (mechanism 30 and C6).
func TestReadersOfOneDocumentGetOneID(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	var urls []string
	for i := range 6 {
		u := fmt.Sprintf("https://copy%d.nature.com/paper", i)
		h.web.put(u, "Paper", fmt.Sprintf("The paper as copy %d has it.", i))
		p := h.web.pages[u]
		p.DOI = "10.1038/one"
		h.web.pages[u] = p
		urls = append(urls, u)
	}
	services := []*loops.Service{h.Service, h.service()}
	var mu sync.Mutex
	ids := map[string]int{}
	var wg sync.WaitGroup
	for i, u := range urls {
		wg.Go(func() {
			out, err := services[i%2].Read(t.Context(), loops.ReadInput{Loop: loop, URLs: []string{u}})
			if err != nil || out[0].Status != fetch.StatusRead {
				t.Errorf("%s: %+v, %v", u, out, err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			ids[out[0].ID]++
		})
	}
	wg.Wait()
	if diff := cmp.Diff(map[string]int{"S1": len(urls)}, ids); diff != "" {
		t.Errorf("ids answered (-want +got):\n%s", diff)
	}
	if v, err := h.State(t.Context(), loops.ViewInput{Loop: loop}); err != nil || v.Progress.Sources != 1 {
		t.Errorf("%d sources, %v", v.Progress.Sources, err)
	}
}

// Each sentence of a report has a source's address, or is unsupported or uncited (mechanism 123).
func TestEverySentenceHasItsVerdict(t *testing.T) {
	t.Parallel()
	h, loop := withSources(t)
	text := "The lighthouse was built in 1874 by Maria Holt [S1]. The lighthouse was sold to a hotel chain in 2023 [S1]. The museum " +
		"has 40,000 visitors a year. The lamp is electric today [S7]."
	readThrough(t, h, loops.VerifyInput{Loop: loop, Draft: text},
		map[string]string{"The lighthouse was sold to a hotel chain in 2023.": loopstate.AnswerNotStated})
	d := h.report(loops.ReportInput{Loop: loop, Draft: text, AllowUnverified: true})
	got := map[string]string{}
	for _, s := range d.Sentences {
		got[s.Text] = s.Status
		if s.Status != "grounded" && s.Status != "inferred" {
			continue
		}
		if len(s.Receipts) == 0 || s.Receipts[0].URL == "" || s.Receipts[0].Passage == "" {
			t.Errorf("%q is %s and leads nowhere", s.Text, s.Status)
		}
	}
	want := map[string]string{"The lighthouse was built in 1874 by Maria Holt.": "grounded",
		"The lighthouse was sold to a hotel chain in 2023.": "unsupported",
		"The museum has 40,000 visitors a year.":            "uncited", "The lamp is electric today.": "unsupported"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !d.Unverified || d.Verdict != "fail" {
		t.Errorf("unverified %v, verdict %s", d.Unverified, d.Verdict)
	}
}
