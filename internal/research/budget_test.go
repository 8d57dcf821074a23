package research_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/research"
)

// The reported cost and time end the loop by the server's rules.
func TestCostAndTimeEndTheLoop(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		budget research.Budget
		rule   string
	}{
		{"money", research.Budget{CostUSD: 0.30}, "cap_cost"}, // about 0.20 a round at these prices
		{"time", research.Budget{Time: 3 * time.Minute}, "cap_latency"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := newFixture(t)
			var mu sync.Mutex
			at := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
			h.now = func() time.Time { // each reading of the clock takes a second
				mu.Lock()
				defer mu.Unlock()
				at = at.Add(time.Second)
				return at
			}
			h.open()
			got, out, err := h.run((&honest{}).answer, func(cfg *research.Config) { cfg.Budget, cfg.Prices = test.budget, research.Prices{In: 10, Out: 40} })
			if err != nil || got.Sentences == 0 {
				t.Fatalf("%v, %+v\n%s", err, got, out)
			}
			if v := h.state(got.StateID, "rounds"); v.Decision.Rule != test.rule || v.Status != "finished" {
				t.Errorf("the loop ended by %s\n%s", v.Decision.Rule, out)
			}
			if got.CostUSD <= 0 || got.CostUSD > 0.60 {
				t.Errorf("$%.3f", got.CostUSD)
			}
		})
	}
}

// More than eight rounds run if the user has set that number.
func TestMoreThanEightRounds(t *testing.T) {
	t.Parallel()
	const rounds = 10
	h := newFixture(t)
	for n := range rounds + 1 { // each round finds another document, so that the loop does not stall
		text := fmt.Sprintf("# Ship %d\n\nThe ship numbered x%dx entered the harbour of Port Arden with %d tonnes of salt. ", n, n, 100+n*7) + strings.Repeat(fmt.Sprintf("Its log, volume %d, is kept at the customs hall of the town. ", n), 4)
		if err := os.WriteFile(filepath.Join(h.corpus, fmt.Sprintf("ship%d.md", n)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	model := &honest{}
	e := &endpoint{t: t, model: func(r request) answer {
		n := "1"
		if m := aRound.FindStringSubmatch(r.Messages[1].Content); m != nil {
			n = m[1]
		}
		switch {
		case r.role() == "searcher" && r.turns() == 0 && strings.Contains(r.Messages[1].Content, "You are the byCounterArg"):
			return answer{calls: []call{{"run_channel", fmt.Sprintf(`{"query": "x%sx"}`, n)}}}
		case r.role() == "critic":
			return answer{calls: []call{{"hand_over", fmt.Sprintf(`{"gaps": [{"gap": "What did the ship of round %s carry?", "material": true}], "signoff": false}`, n)}}}
		}
		return model.answer(r)
	}}
	url := e.start().URL
	var out strings.Builder
	cfg := h.config(url, &out)
	cfg.Budget = research.Budget{Rounds: rounds, Tokens: 5_000_000}
	got, err := research.Run(t.Context(), cfg)
	if err != nil || got.Rounds != rounds || !strings.Contains(out.String(), "10 were requested, more than run without confirmation: confirmed") {
		t.Errorf("%v, %d rounds\n%s", err, got.Rounds, &out)
	}
}
