package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// text returns the answer of a call as a host's model reads it.
func (h *host) text(name string, args map[string]any) string {
	h.t.Helper()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = name, args
	result, err := h.tools[name].Handler(h.t.Context(), req)
	if err != nil {
		h.t.Fatal(err)
	}
	return result.Content[0].(mcp.TextContent).Text
}

// decisionIn returns the rule and the action that an answer has.
func decisionIn(answer map[string]any) (rule, action string) {
	d := answer["decision"].(map[string]any)
	return d["rule"].(string), d["next_action"].(string)
}

// signedOff is a loop with two sign-offs in a row and one page read.
func signedOff(t *testing.T, h *host, lib *library, complexity string) (loop string, last map[string]any) {
	t.Helper()
	loop = h.call("loop_init", map[string]any{"query": "What did the quays cost?", "rubrics": []any{"names the year"}, "complexity": complexity})["state_id"].(string)
	h.call("run_channel", map[string]any{"channel_name": "wikipedia", "query": "quay", "state_id": loop})
	h.call("fetch", map[string]any{"url": lib.urls[0], "state_id": loop})
	for range 2 {
		last = h.call("loop_reflect", map[string]any{"state_id": loop, "signoff": true, "coverage": map[string]any{"overall": 0.95}})
	}
	return loop, last
}

// A loop through the tools: it does not finish before a critic has read its draft and the author has answered.
func TestLoopWaitsForItsCritic(t *testing.T) {
	t.Parallel()
	h, _, lib := newHost(t)
	loop, last := signedOff(t, h, lib, "moderate")
	is := func(answer map[string]any, rule, action string) {
		t.Helper()
		if gotRule, gotAction := decisionIn(answer); gotRule != rule || gotAction != action {
			t.Errorf("%s by %s, want %s by %s: %v", gotAction, gotRule, action, rule, answer["decision"])
		}
	}
	const waits = "critic_reads_draft"
	is(last, waits, "critique")
	if refused := h.text("loop_reflect", map[string]any{"state_id": loop, "points": []any{map[string]any{"what": "x"}}}); !strings.Contains(refused, "points: no draft was checked") || !strings.Contains(refused, "verify_citations with the whole text as draft") {
		t.Errorf("points without a draft: %s", refused)
	}
	draft := claim(0, "Aldmoor", 0, 0) + " [S1]\n\n" + claim(0, "Aldmoor", 0, 1) + " [S1]\n"
	h.call("verify_citations", map[string]any{"state_id": loop, "draft": draft})
	view := h.call("loop_get_state", map[string]any{"state_id": loop, "view": "critic"})
	brief := view["critic"].(string)
	for _, want := range []string{"What did the quays cost?", "names the year", "1  In 1900 the harbour board of Aldmoor", "S1 | ", lib.urls[0]} {
		if !strings.Contains(brief, want) {
			t.Errorf("the brief lacks %q:\n%s", want, brief)
		}
	}
	for _, secret := range []string{"coverage", "grounded", "inferred", "0.95"} {
		if strings.Contains(brief, secret) {
			t.Errorf("the brief tells %q:\n%s", secret, brief)
		}
	}

	for _, tt := range []struct {
		in   map[string]any
		want []string
	}{
		{map[string]any{"points": []any{map[string]any{"what": "x", "lines": "S1:9999; S7:1"}}}, []string{"points[0]: S1:9999 does not exist", "S7:1 was never read", "fetch(lines)"}},
		{map[string]any{"answers": []any{map[string]any{"point": "P1", "answer": "taken"}}}, []string{"answers[0].point", "unknown point", "view full"}},
		{map[string]any{"critic": "declined"}, []string{"critic_why", "why the user wants no critic"}},
	} {
		tt.in["state_id"] = loop
		text := h.text("loop_reflect", tt.in)
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%v: %q is not said in %s", tt.in, want, text)
			}
		}
	}

	got := h.call("loop_reflect", map[string]any{"state_id": loop, "critic": "read", "points": []any{
		map[string]any{"what": "The sum of 1901 is missing a unit.", "where": "line 3", "lines": "S1:3", "cut": "line 1"}, map[string]any{"what": "No other harbour is named."}}})
	is(got, waits, "critique")
	points := fmt.Sprint(got["points"])
	if got["round"] != nil || !strings.Contains(points, "P1 The sum of 1901 is missing a unit. | where: line 3 | lines: S1:3 | cut: line 1") || !strings.Contains(fmt.Sprint(got["decision"]), "P1, P2") || !strings.Contains(fmt.Sprint(got["write"]), "Weigh each of points") {
		t.Errorf("after the critic: %v", got)
	}
	if b := fmt.Sprint(h.call("loop_get_state", map[string]any{"state_id": loop})["brief"]); !strings.Contains(b, "P2 No other harbour is named.") {
		t.Errorf("the state does not name the points: %s", b)
	}
	if text := h.text("loop_reflect", map[string]any{"state_id": loop, "answers": []any{map[string]any{"point": "P1", "answer": "taken"}, map[string]any{"point": "P2", "answer": "refused"}}}); !strings.Contains(text, "answers[1].why") || !strings.Contains(text, "the report shows it") {
		t.Errorf("refused without a reason: %s", text)
	}
	h.call("verify_citations", map[string]any{"state_id": loop, "draft": strings.Replace(draft, "crowns", "silver crowns", 1)})
	is(h.call("loop_reflect", map[string]any{"state_id": loop, "answers": []any{map[string]any{"point": "P1", "answer": "taken"}}}), waits, "critique")
	got = h.call("loop_reflect", map[string]any{"state_id": loop, "answers": []any{map[string]any{"point": "P2", "answer": "refused", "why": "the question is about one harbour"}}})
	is(got, "two_signoffs", "finalize")
	if got["points"] != nil {
		t.Errorf("answered points wait: %v", got["points"])
	}
	report := h.call("loop_report", map[string]any{"state_id": loop, "draft": draft, "format": "markdown", "inline": true})["report"].(string)
	for _, want := range []string{"## What a critic found", "### Refused", "**P2** No other harbour is named. The author: the question is about one harbour", "### Taken", "**P1** The sum of 1901"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if full := fmt.Sprint(h.call("loop_get_state", map[string]any{"state_id": loop, "view": "full"})["loop"]); !strings.Contains(full, "the question is about one harbour") {
		t.Error("the full view has no answers")
	}
}

// The user may say no, and a simple loop never asks.
func TestCriticMayBeDeclined(t *testing.T) {
	t.Parallel()
	h, _, lib := newHost(t)
	loop, _ := signedOff(t, h, lib, "complex")
	got := h.call("loop_reflect", map[string]any{"state_id": loop, "critic": "declined", "critic_why": "only a first look"})
	if rule, action := decisionIn(got); rule != "two_signoffs" || action != "finalize" || got["round"] != nil {
		t.Errorf("declined: %v", got)
	}
	draft := claim(0, "Aldmoor", 0, 0) + " [S1]"
	if report := h.call("loop_report", map[string]any{"state_id": loop, "draft": draft, "format": "markdown", "inline": true})["report"].(string); !strings.Contains(report, "The user wanted no critic: only a first look.") {
		t.Errorf("the report does not say so:\n%s", report)
	}
	loop, last := signedOff(t, h, lib, "simple")
	if rule, action := decisionIn(last); rule != "two_signoffs" || action != "finalize" {
		t.Errorf("a simple loop: %v", last)
	}
	if report := h.call("loop_report", map[string]any{"state_id": loop, "draft": draft, "format": "markdown", "inline": true})["report"].(string); strings.Contains(report, "critic") {
		t.Errorf("the report of a simple loop speaks of a critic:\n%s", report)
	}
}
