package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// longDraft has 30 sentences that the pages say, 60 that wording cannot decide, 10 that are false, and 60 that cite nothing.
func longDraft() string {
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, "%s [S1]\n\n", claim(0, "Aldmoor", i%4, i/4))
		fmt.Fprintf(&b, "Money for works at the harbour numbered %d went out in several parts, as the clerks of the town noted with some care in their books, and the guild was thanked for it. [S1]\n\n", i+1)
		fmt.Fprintf(&b, "The fleet of herring boats that lay at berth %d was larger than the council had thought when it drew up its plans for the winter and the spring. [S1]\n\n", i+1)
		if i%3 == 0 {
			fmt.Fprintf(&b, "%s [S1]\n\n", strings.Replace(claim(0, "Aldmoor", i%4, i/4), " crowns", "7 crowns", 1))
		}
		fmt.Fprintf(&b, "Cranes were sold by the board at auction %d, and nobody in the town knew who had bought them or where they went.\n\n", i+1)
		fmt.Fprintf(&b, "Ropes were sold by the board at auction %d, and nobody in the town knew who had bought them or where they went.\n\n", i+1)
	}
	return b.String()
}

// The answer on a long draft is bounded, names the cause of its verdict first, and says what a review costs.
func TestVerifyAnswerIsBounded(t *testing.T) {
	h, _, lib := newHost(t)
	loop := h.call("loop_init", map[string]any{"query": "What did the harbour board of Aldmoor pay for?"})["state_id"].(string)
	h.call("fetch", map[string]any{"url": lib.urls[0], "state_id": loop})
	got := h.call("verify_citations", map[string]any{"state_id": loop, "draft": longDraft()}) // call fails over 16,000 characters

	counts := got["counts"].(map[string]any)
	uncited := 60
	if counts["grounded"] != 30.0 || counts["inferred"] == nil || counts["unsupported"] == nil {
		t.Fatalf("the draft is not what the test means: %v", counts)
	}
	cause := got["cause"].(string)
	if !strings.HasPrefix(cause, "fail: ") || !strings.Contains(cause, fmt.Sprintf("%d sentences cite nothing; ", uncited)) || !strings.Contains(cause, " of 160 sentences are checked, 30 grounded (80 % needed)") {
		t.Errorf("cause %q", cause)
	}
	next := got["review"].(map[string]any)["next"].(string)
	if !strings.HasPrefix(next, "finish all edits, then review once") || !strings.Contains(next, " batches, ") || !strings.Contains(next, "000 characters") {
		t.Errorf("the advice on a review is %q", next)
	}
	listed := got["verified_claims"].([]any)
	if first := listed[0].(map[string]any); first["status"] != "unsupported" || first["passage"] == nil {
		t.Errorf("the first row is %v", first)
	}
	for _, row := range listed {
		if row := row.(map[string]any); row["status"] != "unsupported" {
			t.Fatalf("a claim that needs no action is listed: %v", row)
		}
	}
	waiting := fmt.Sprintf("%v waiting for the review", counts["inferred"])
	if words, _ := got["left_out_are"].(string); !strings.Contains(words, "30 grounded") || !strings.Contains(words, waiting) {
		t.Errorf("the claims left out are %q, want 30 grounded and %s", words, waiting)
	}
}

// With all there is a row for each claim, short for those that need no action.
func TestVerifyAnswerWithAllIsCompact(t *testing.T) {
	h, _, lib := newHost(t)
	loop := h.call("loop_init", map[string]any{"query": "What did the harbour board of Aldmoor pay for?"})["state_id"].(string)
	h.call("fetch", map[string]any{"url": lib.urls[0], "state_id": loop})
	got := h.call("verify_citations", map[string]any{"state_id": loop, "draft": longDraft(), "all": true})
	listed := got["verified_claims"].([]any)
	if len(listed) != 100 {
		t.Fatalf("%d rows for 100 claims", len(listed))
	}
	grounded := 0
	for _, row := range listed {
		row := row.(map[string]any)
		if n := utf8.RuneCountInString(row["claim"].(string)); n > 201 {
			t.Errorf("a claim has %d characters", n)
		}
		if row["status"] != "grounded" {
			continue
		}
		body, _ := json.Marshal(row)
		if grounded++; row["passage"] != nil || utf8.RuneCount(body) > 260 || row["line"] == nil {
			t.Errorf("the row of a grounded claim has %d characters: %s", utf8.RuneCount(body), body)
		}
	}
	if grounded != 30 {
		t.Errorf("%d grounded rows", grounded)
	}
}

// The verdict of a passing text names what was not checked.
func TestCauseOfAPass(t *testing.T) {
	h, _, lib := newHost(t)
	loop := h.call("loop_init", map[string]any{"query": "What did the harbour board of Aldmoor pay for?"})["state_id"].(string)
	h.call("fetch", map[string]any{"url": lib.urls[0], "state_id": loop})
	got := h.call("verify_citations", map[string]any{"state_id": loop, "draft": claim(0, "Aldmoor", 0, 0) + " [S1]\n\nSo the quay was dear for a small town. [inference]\n"})
	if want := "pass: 1 of 2 sentences are checked, all grounded; 1 is the author's own"; got["cause"] != want {
		t.Errorf("cause %q, want %q", got["cause"], want)
	}
}
