package loops_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// Mechanisms of docs/mechanisms.md without another test.

// The full view has every field of the loop state (mechanisms 73 to 84, 91 and 101).
func TestFullViewHasTheWholeState(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	budget := loopstate.Amounts{Rounds: new(int), CostUSD: new(float64), LatencySeconds: new(int)}
	*budget.Rounds, *budget.CostUSD, *budget.LatencySeconds = 5, 2, 3600
	loop := done(h, h.Start, loopstate.StartInput{Query: "does it work", Rubrics: []string{"cites"}, Budget: budget,
		Gaps: []loopstate.GapInput{{Gap: "no benchmarks found"}, {Gap: "who pays"}, {Gap: "what it weighs"}}}).StateID
	h.update(loop, loopstate.UpdateInput{Query: "cost", Channel: "fakeWeb",
		AnsweredGaps: []string{"who pays"}, VisitedURLs: []string{"https://example.org/read"},
		Evidence: []loopstate.Evidence{{Title: "T", URL: "https://example.org/1", Source: "fakeWeb"}},
		BadURLs:  []loopstate.BadURL{{URL: "https://example.org/gone", Reason: "404"}},
		Usage:    loopstate.Usage{CostUSD: 0.5, Tokens: 1000}})
	h.reflect(loop, loopstate.CloseInput{Failures: []string{"cites nothing"},
		OpenQuestions: []loopstate.Gap{{Gap: "what it weighs", Why: "nobody says"}}})
	v := h.view(loops.ViewInput{Loop: loop, View: "full"})
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
	for path, part := range map[string]string{"progress.gaps": "no benchmarks found", "progress.evidence": "https://example.org/1",
		"progress.bad_urls": "404", "decision.next_urls_to_fetch": "[]"} {
		if list := fmt.Sprint(at(path)); !strings.Contains(list, part) || strings.Contains(list, "who pays") {
			t.Errorf("%s: %s", path, list)
		}
	}
	if left, _ := at("budget_remaining.latency_seconds").(float64); left <= 0 || left >= 3600 {
		t.Errorf("latency left: %v", left)
	}
}

// Concurrent reads of one document at several addresses in several processes get one id (mechanism 30 and C6).
func TestReadersOfOneDocumentGetOneID(t *testing.T) {
	t.Parallel()
	h, loop := newLoop(t, "q")
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
	if n := len(h.stateOf(loop).Sources); n != 1 {
		t.Errorf("%d sources", n)
	}
}
