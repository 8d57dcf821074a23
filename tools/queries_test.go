package tools_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
)

// One call asks several queries: each is logged, and a passage for two of them is listed once.
func TestSeveralQueriesInOneCall(t *testing.T) {
	t.Parallel()
	h, _, lib := newHost(t)
	loop := h.call("loop_init", map[string]any{"query": "What did the harbour boards pay for?"})["state_id"].(string)
	if unread := h.call("find_passages", map[string]any{"state_id": loop, "query": "quay"}); !strings.Contains(fmt.Sprint(unread["more"]),
		"fetch") {
		t.Errorf("before anything was read: %v", unread)
	}
	h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": "Aldmoor",
		"queries": []any{"Brinholt", "herring fleet", "Aldmoor"}, "state_id": loop})
	view := h.call("loop_get_state", map[string]any{"state_id": loop, "view": "searches"})
	if logged := view["searches"].([]any); len(logged) != 3 {
		t.Errorf("%d searches are logged, want one for each different query", len(logged))
	}

	h.call("fetch", map[string]any{"urls": []any{lib.urls[0], lib.urls[1]}, "state_id": loop, "query": "quay"})
	found := h.call("find_passages", map[string]any{"state_id": loop, "query": "quay of Aldmoor",
		"queries": []any{"customs house of Brinholt"}})["passages"].([]any)
	places, texts := map[string]bool{}, ""
	for _, p := range found {
		p := p.(map[string]any)
		place := fmt.Sprint(p["source_id"], p["lines"])
		if places[place] {
			t.Errorf("the passage %s is listed twice", place)
		}
		places[place] = true
		texts += p["text"].(string)
	}
	if len(found) < 2 || !strings.Contains(texts, "quay") || !strings.Contains(texts, "customs house") {
		t.Errorf("%d passages: %s", len(found), texts)
	}

	none := h.call("find_passages", map[string]any{"state_id": loop, "query": "quantum entanglement of neutrinos"})
	if left, _ := none["passages"].([]any); len(left) > 0 ||
		!strings.HasPrefix(fmt.Sprint(none["more"]),
			`no match for "quantum entanglement of neutrinos": no text that was read has "quantum", "entanglement", "neutrinos"; `) {
		t.Errorf("words that no text has: %v", none)
	}
}

// A decision that finishes the loop lists the parts that the text must answer.
func TestDecisionListsTheParts(t *testing.T) {
	t.Parallel()
	h, _, lib := newHost(t)
	loop := h.call("loop_init", map[string]any{"query": "What did the quays cost? Compare the harbours, and say what can go wrong.",
		"rubrics": []any{"names the year"}})["state_id"].(string)
	h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": "quay", "state_id": loop})
	h.call("fetch", map[string]any{"url": lib.urls[0], "state_id": loop})
	close := func() map[string]any {
		return h.call("loop_reflect", map[string]any{"state_id": loop, "signoff": true, "coverage": map[string]any{"overall": 0.95}})
	}
	close()
	last := close()
	if last["decision"].(map[string]any)["next_action"] != "finalize" ||
		!strings.Contains(fmt.Sprint(last["write"]), "Write the whole answer now") {
		t.Fatalf("the decision is %v, %v", last["decision"], last["write"])
	}
	parts := fmt.Sprint(last["parts"])
	for _, part := range []string{"What did the quays cost", "Compare the harbours", "say what can go wrong", "names the year"} {
		if !strings.Contains(parts, part) {
			t.Errorf("the parts %s lack %q", parts, part)
		}
	}
}

// The script of the seed document, letter by letter, with a channel of the test for its channels.
func TestTheScriptOfTheSeed(t *testing.T) {
	t.Parallel()
	h, _, _ := newHost(t)
	result := h.call("loop_init", map[string]any{})
	id := result["state_id"]

	// Round 1
	evidence := h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": "quay cost"})["evidence"]
	h.call("loop_update", map[string]any{"state_id": id, "evidence": evidence, "query": "quay cost"})

	// Check gaps after round 1
	if got := h.call("loop_get_gaps", map[string]any{"state_id": id})["gaps"].([]any); len(got) != 0 {
		t.Errorf("gaps that nobody named: %v", got)
	}

	// Manually add a gap if you spot one
	h.call("loop_add_gap", map[string]any{"state_id": id, "gap": "no industry deployment case studies"})

	// Round 2: search specifically for gaps
	gaps := h.call("loop_get_gaps", map[string]any{"state_id": id})["gaps"].([]any)
	for _, gap := range gaps {
		evidence2 := h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": gap})["evidence"]
		h.call("loop_update", map[string]any{"state_id": id, "evidence": evidence2, "query": gap})
	}
	loop := h.call("loop_get_state", map[string]any{"state_id": id, "view": "full"})
	progress := loop["loop"].(map[string]any)["progress"].(map[string]any)
	if loop["query"] != "quay cost" || len(gaps) != 1 ||
		fmt.Sprint(progress["all_questions"]) != "[quay cost no industry deployment case studies]" ||
		len(progress["evidence"].([]any)) == 0 {
		t.Errorf("question %q, gaps %v, questions %v, %d hits", loop["query"], gaps, progress["all_questions"],
			len(progress["evidence"].([]any)))
	}
	h.mayFail = true
	if got := h.text("loop_init", map[string]any{"query": " "}); !strings.HasPrefix(got, "query: ") {
		t.Errorf("a blank question: %s", got)
	}
	before := h.call("loop_init", map[string]any{})
	if d := before["decision"].(map[string]any); !strings.Contains(fmt.Sprint(d["because"]), "no question yet") {
		t.Errorf("a loop without a question does not say so: %v", d)
	}
}

// unreachable counts the searches of a channel that does not answer.
type unreachable struct {
	*library
	searches int
}

func (u *unreachable) Search(_ context.Context, names []string, _ channels.Query, _ func(channels.Outcome)) (channels.Answer, error) {
	u.searches++
	return channels.Answer{Outcomes: []channels.Outcome{{Name: names[0], Status: channels.StatusUnavailable,
		Message: "no answer before the deadline"}}}, nil
}

// If no channel answers the first query, the others are not asked: each would only wait, and count as a failure.
func TestFurtherQueriesNeedAChannelThatAnswers(t *testing.T) {
	t.Parallel()
	h, svc, lib := newHost(t)
	down := &unreachable{library: lib}
	svc.Searcher = down
	got := h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": "quay", "queries": []any{"dredging", "lighthouse"}})
	if down.searches != 1 || fmt.Sprint(got["not_asked"]) != "[dredging lighthouse]" {
		t.Errorf("%d searches, not asked: %v", down.searches, got["not_asked"])
	}
}
