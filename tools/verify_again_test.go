package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// The second and later answers about the drafts of a loop list in full only what is new.
func TestLaterChecksOfADraftAreShort(t *testing.T) {
	h, _, lib := newHost(t)
	start := func() string {
		loop := h.call("loop_init", map[string]any{"query": "What did the harbour board of Aldmoor pay for?"})["state_id"].(string)
		h.call("fetch", map[string]any{"url": lib.urls[0], "state_id": loop})
		return loop
	}
	loop := start()
	var text strings.Builder
	for i := range 8 {
		fmt.Fprintf(&text, "%s [S1]\n\n", strings.Replace(claim(0, "Aldmoor", i%4, i/4), " crowns", "7 crowns", 1))
		fmt.Fprintf(&text, "Cranes were sold by the board at auction %d, and nobody in the town knew who had bought them.\n\n", i+1)
	}
	draft := text.String()
	check := func(draft string, more map[string]any) (got map[string]any, chars int) {
		args := map[string]any{"state_id": loop, "draft": draft}
		for k, v := range more {
			args[k] = v
		}
		got = h.call("verify_citations", args)
		body, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		return got, utf8.RuneCount(body)
	}
	first, full := check(draft, map[string]any{"operation_id": "one"})
	if first["since_last"] != nil {
		t.Errorf("the first answer compares itself: %v", first["since_last"])
	}
	if _, lost := check(draft, map[string]any{"operation_id": "one"}); lost != full {
		t.Errorf("the repeat of a lost call has %d characters, want %d", lost, full)
	}
	second, short := check(draft, nil)
	if 2*short > full {

		t.Errorf("the second answer has %d characters, the first %d", short, full)
	}
	listed := second["verified_claims"].([]any)
	if len(listed) < len(first["verified_claims"].([]any)) {
		t.Errorf("%d problems are listed, %d before", len(listed), len(first["verified_claims"].([]any)))
	}
	for _, row := range listed {
		if row := row.(map[string]any); row["passage"] != nil || row["line"] == nil || row["because"] != nil {
			t.Fatalf("a known problem is not one line: %v", row)
		}
	}
	if words, _ := second["since_last"].(string); !strings.HasPrefix(words, "0 problems gone, 0 new, ") {
		t.Errorf("since_last is %q", words)
	}
	wrong := strings.Replace(claim(0, "Aldmoor", 1, 9), " crowns", "3 crowns", 1) + " [S1]"
	third, _ := check(draft+"\n\n"+wrong+"\n", nil)
	if words, _ := third["since_last"].(string); !strings.HasPrefix(words, "0 problems gone, 1 new, ") {
		t.Errorf("a new problem: since_last is %q", words)
	}
	_, all := check(draft, map[string]any{"all": true})
	if all < full {
		t.Errorf("all gives %d characters, the first answer had %d", all, full)
	}
}

// The answer says when another check of the same text cannot change anything.
func TestCheckSaysWhatIsNext(t *testing.T) {
	h, _, lib := newHost(t)
	loop := h.call("loop_init", map[string]any{"query": "What did the harbour board of Aldmoor pay for?"})["state_id"].(string)
	h.call("fetch", map[string]any{"url": lib.urls[0], "state_id": loop})
	grounded := claim(0, "Aldmoor", 0, 0)
	for _, tt := range []struct{ draft, want string }{
		{grounded + " [S1]", "nothing must be edited; add what completeness names and the answer lacks, and check once more; else do not check again: loop_report"},
		{grounded + " [S1]", "nothing to edit: do not check again; loop_report"}, // the same is not named twice
		{grounded + " [S1]\n\nThe quay was dear for a town as small as this one was.", "edit what cites nothing; check again once, after all edits"},
		{longDraft(), "edit what differs from its sources, what cites nothing, what is supported in part or not found; check again once, after all edits; the 70 sentences that wait for the review need no edit: a reader decides about them at the end"},
	} {
		if got := h.call("verify_citations", map[string]any{"state_id": loop, "draft": tt.draft})["next"]; got != tt.want {
			t.Errorf("next is %q, want %q", got, tt.want)
		}
	}
}
