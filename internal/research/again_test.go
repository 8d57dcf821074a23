package research_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/research"
	"github.com/citeloop/citeloop/loopstate"
)

// A finished loop goes on from what has changed at its sources: the model is told first, a gap keeps the loop going until the critic
// has seen it answered, and the new text takes the place of the old one.
func TestGoOnFromChanges(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	first, _, err := h.run((&honest{}).answer)
	if err != nil {
		t.Fatal(err)
	}
	before := h.state(first.StateID, "full")
	model := &honest{}
	told := map[string]int{}
	got, out, err := h.run(func(r request) answer {
		if strings.Contains(r.Messages[1].Content, `not read yet: "Ships enter at \"high\" water."`) && strings.Contains(r.Messages[1].Content, "retracted: 2026-01-02") {
			model.mu.Lock()
			told[r.role()]++
			model.mu.Unlock()
		}
		if judges(r) {
			return answer{calls: []call{{"hand_over", arguments(object{"answered_gaps": []string{"G1", "G2", "G3"}, "signoff": true})}}}
		}
		return model.answer(r)
	}, func(c *research.Config) {
		c.Question, c.Resume = "", first.StateID
		c.Changes = []research.Change{
			{SourceID: "S1", Title: "Tides", What: "cited lines are not there any more", Sentences: []string{`Ships enter at "high" water.`}},
			{SourceID: "S2", Title: "Storms", What: "retracted: 2026-01-02"},
		}
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, role := range []string{"searcher", "synthesis", "draft critic", "text"} {
		if told[role] == 0 {
			t.Errorf("the %s is not told what has changed: %v", role, told)
		}
	}
	if got.StateID != first.StateID || got.Rounds <= first.Rounds || got.Sentences == 0 || len(got.Files) != 2 {
		t.Errorf("%+v after %+v\n%s", got, first, out)
	}
	if before.Decision.NextAction != "finalize" || h.state(first.StateID, "full").Decision.NextAction != "finalize" {
		t.Errorf("the loop does not finish again:\n%s", out)
	}
	events := h.events(first.StateID)
	for _, op := range []string{"research/continue", "research/continue/1", "research/continue/2", "research/report/2"} {
		if !slices.ContainsFunc(events, func(e logged) bool { return e.Op == op }) {
			t.Errorf("%s is not in the log", op)
		}
	}

	// The limits of the loop itself hold.
	if _, err := h.service.Update(t.Context(), first.StateID, "", loopstate.UpdateInput{Usage: loopstate.Usage{Tokens: 10_000_000}}); err != nil {
		t.Fatal(err)
	}
	_, _, err = h.run(model.answer, func(c *research.Config) {
		c.Question, c.Resume, c.Changes = "", first.StateID, []research.Change{{SourceID: "S3", Title: "History", What: "there is nothing at its address any more"}}
	})
	if err == nil || !strings.Contains(err.Error(), "within its own limits: token limit") {
		t.Errorf("beyond the limit: %v", err)
	}
}

// judges reports whether a critic is to name gaps. In a loop that has a text, its brief is that of the critic of a draft.
func judges(r request) bool {
	for _, tool := range r.Tools {
		if given, ok := tool.Function.Parameters["properties"].(map[string]any); ok && given["answered_gaps"] != nil {
			return true
		}
	}
	return false
}
