package tools_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// wrongCalls are calls that a model gets wrong, with the problem and the remedy that the answer names. They all get the state_id.
var wrongCalls = []struct{ tool, arguments, problem, remedy string }{
	{"loop_update", `{"claims": [{"claim": "It is heavy.", "source_ids": ["S1:99999"]}]}`, "claims: lines that do not exist",
		"fetch(lines)"},
	{"loop_update", `{"contradictions": [{"topic": "Its weight", "why": "unclear", "source_ids": ["S1:99999"]}]}`,
		"contradictions: lines that do not exist", "fetch(lines)"},
	{"loop_update", `{"claims": [{"claim": "It is heavy.", "source_ids": ["S1:0"]}]}`, "claims: lines that do not exist", "S1:120-128"},
	{"loop_update", `{"claims": [{"claim": "It is heavy.", "source_ids": ["S9"]}]}`, "claims[0].source_ids: HALLUCINATED CITATION",
		"fetch the page"},
	{"loop_update", `{"claims": [{"claim": "", "source_ids": ["S1"]}]}`, "claims[0].claim: empty text", "give one sentence"},
	{"loop_update", `{"claims": ["x"]}`, "claims[0]: must be an object", "claim, source_ids, confidence"},
	{"loop_update", `{"claims": [{"claim": "x", "sources": ["S1"]}]}`, "claims[0].sources: unknown field", "source_ids"},
	{"loop_update", `{"answered_gaps": ["G99"]}`, "answered_gaps[0]: unknown gap", "loop_get_gaps"},
	{"loop_update", `{"retract_claims": ["C99"]}`, "retract_claims[0]: unknown claim", "loop_get_state"},
	{"loop_update", `{"usage": {"tokens": -5}}`, "usage.tokens: out of range", "from 0 to"},
	{"loop_update", `{"evidence": [{"title": "x"}]}`, "evidence[0]", "no url"},
	{"loop_update", `{"evidence": [{"title": "x", "url": "here"}]}`, "evidence[0]", "http, https or file"},
	{"loop_update", `{"contradictions": [{"topic": "x"}]}`, "contradictions[0]", "resolve it"},
	{"loop_update", `{"visited_urls": ["nope"]}`, "visited_urls[0]: invalid address", "give a full"},
	{"loop_update", `{"confirm_rounds": -1}`, "confirm_rounds: out of range", "from 0 to 1000"},
	{"loop_update", `{"state_id": "nope"}`, "state_id: unknown loop", "loop_list"},
	{"loop_update", `{"state_id": ""}`, "state_id: empty", "loop_list"},
	{"loop_update", `{"state_id": null}`, "state_id: missing", "loop_list"},
	{"loop_init", `{"query": ""}`, "query: empty text", "state the question"},
	{"loop_init", `{"as_of": "yesterday"}`, "as_of: invalid date", "2026-03-31"},
	{"loop_init", `{"complexity": "hard"}`, "complexity: unknown value", "simple, moderate"},
	{"loop_init", `{"budget": {"rounds": 0}}`, "budget.rounds: out of range", "above 0"},
	{"loop_init", `{"coverage_threshold": 2}`, "coverage_threshold: out of range", "at most 1"},
	{"loop_init", `{"entity": {"aliases": ["x"]}}`, "entity.name: missing", "give it: a text"},
	{"loop_init", `{"dimensions": [{"dimension": "x", "priority": "urgent"}]}`, "dimensions[0].priority: unknown value",
		"high, medium, low"},
	{"loop_add_gap", `{}`, "gap: missing", "give it"},
	{"loop_add_gap", `{"gap": " "}`, "gap: empty text", "write a text"},
	{"loop_add_gap", `{"gap": "x", "kind": "odd"}`, "kind: unknown value", "modality"},
	{"loop_add_gap", `{"gap": "x", "source_types": ["blog"]}`, "source_types[0]: unknown value", "practitioner"},
	{"loop_get_gaps", `{"status": "closed"}`, "status: unknown value", "unanswerable"},
	{"loop_get_gaps", `{"limit": -1}`, "limit: out of range", "from 0"},
	{"loop_get_state", `{"view": "all"}`, "view: unknown value", "brief"},
	{"loop_get_state", `{"round": 9}`, "round: round not closed", "leave round out"},
	{"loop_get_state", `{"view": "claims", "cursor": "zz"}`, "cursor: invalid cursor", "next_cursor"},
	{"loop_list", `{"cursor": "-1", "state_id": null}`, "cursor: invalid cursor", "next_cursor"},
	{"loop_reflect", `{"coverage": {"overall": 7}}`, "coverage.overall: out of range", "from 0 to 1"},
	{"loop_reflect", `{"open_questions": [{"gap": "G1"}]}`, "open_questions[0].why: missing", "give it"},
	{"fetch", `{}`, "url: missing", "urls for several"},
	{"fetch", `{"url": "S9"}`, "urls[0]: source never read", "view sources"},
	{"fetch", `{"url": "S1:5000-6000"}`, "lines 5000-6000 do not exist", "the text has"},
	{"fetch", `{"url": "S1", "offset": 99999}`, "offset 99999 is beyond the end", "the text has"},
	{"fetch", `{"url": "S1", "lines": "b"}`, "lines: invalid", "120-180"},
	{"fetch", `{"url": "S1", "offset": -1}`, "offset: out of range", "next_offset"},
	{"fetch", `{"text": "a pasted text"}`, "title: empty text", "say what"},
	{"run_channel", `{"channel_name": "local"}`, "query: empty text", "a few words"},
	{"find_passages", `{}`, "query: empty text", "a few words"},
	{"find_passages", `{"query": "bell", "source_ids": ["S9"]}`, "source_ids[0]: source never read", "view sources"},
	{"verify_citations", `{}`, "claims: missing", "draft"},
	{"verify_citations", `{"draft": "x", "claims": [{"claim": "y"}]}`, "draft: given together with claims", "one of the two"},
	{"verify_citations", `{"draft": "The bell [S1].", "threshold": 3}`, "threshold: out of range", "from 0 to 1"},
	{"loop_report", `{"format": "docx"}`, "format: unknown value", "markdown"},
	{"loop_report", `{"format": "table"}`, "claims: no text was given", "verify_citations"},
	{"review_claims", `{"batch": "R9"}`, "batch: unknown review batch", "leave it out"},
	{"audit_references", `{"bibliography": "Just prose.", "state_id": null}`, "bibliography: no reference list", "give BibTeX"},
}

// Every wrong call names what is wrong and the remedy, and changes nothing.
func TestWrongCallsNameTheRemedy(t *testing.T) {
	t.Parallel()
	h, _, _ := newHost(t)
	loop := h.begin("How heavy is the bell?")
	h.call("fetch", object{"state_id": loop, "title": "Bells", "text": strings.Repeat("The bell weighs two tons.\n\n", 12)})
	version := func() string { return h.call("loop_get_state", object{"state_id": loop}).Get("version").Raw }
	before := version()
	for _, wrong := range wrongCalls {
		t.Run(wrong.tool+" "+wrong.arguments, func(t *testing.T) {
			arguments := object{}
			if err := json.Unmarshal([]byte(wrong.arguments), &arguments); err != nil {
				t.Fatal(err)
			}
			switch id, given := arguments["state_id"]; {
			case wrong.tool == "loop_init":
			case !given:
				arguments["state_id"] = loop
			case id == nil:
				delete(arguments, "state_id")
			}
			if got, _ := h.text(wrong.tool, arguments); !strings.Contains(got, wrong.problem) || !strings.Contains(got, wrong.remedy) {
				t.Errorf("%s\nwant %q and %q", got, wrong.problem, wrong.remedy)
			}
		})
	}
	if after := version(); after != before {
		t.Errorf("the loop was at version %s, and is at version %s", before, after)
	}
}
