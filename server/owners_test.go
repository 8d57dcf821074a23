package server

import (
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/server/resources"
	"github.com/citeloop/citeloop/tools"
)

// unknownID is a valid id without a loop.
const unknownID = "0198c0de-0000-7000-8000-000000000001"

// callsOnLoops returns calls that name a loop, by tool. TestOwners fails if a tool is missing.
func callsOnLoops() map[string][]object {
	claims := []any{object{"claim": "The week has four days.", "source_ids": []any{"S1"}}}
	calls := map[string][]object{
		"loop_update": {{"query": "x"}, {"operation_id": "op-1", "usage": object{"tokens": 5}}, {"confirm_rounds": 9},
			{"abort": "enough"}, {"claims": claims}},
		"loop_get_gaps":    {{}, {"status": "all"}},
		"loop_add_gap":     {{"gap": "what else?"}},
		"run_channel":      {{"channels": []any{"crossref"}, "query": "x"}},
		"fetch":            {{"url": "https://example.org/pasted", "title": "T", "text": strings.Repeat("words ", 100)}},
		"verify_citations": {{"claims": claims}, {"draft": "The week has four days [S1]."}},
		"review_claims":    {{}, {"batch": "R1"}, {"answers": []any{object{"item": "R1-1", "answer": "not_stated"}}}},
		"loop_reflect":     {{}, {"signoff": true, "synthesis": "x"}, {"answered_gaps": []any{"G1"}}},
		"loop_get_state":   {{"round": 1}},
		"find_passages":    {{"query": "x"}, {"query": "x", "source_ids": []any{"S1"}}},
		"loop_report":      {{"draft": "x", "allow_unverified": true}},
		"loop_init":        nil, // name no loop
		"loop_list":        nil,
		"list_channels":    nil,
		"audit_references": nil,
	}
	for _, view := range loops.Views() {
		calls["loop_get_state"] = append(calls["loop_get_state"], object{"view": view})
	}
	for _, format := range []string{"markdown", "html", "bibtex", "csl-json", "ris", "json"} {
		calls["loop_report"] = append(calls["loop_report"], object{"format": format, "allow_unverified": true})
	}
	return calls
}

// A request for another owner's loop gets the same answer, byte for byte, as one for an unknown loop.
func TestOwners(t *testing.T) {
	h := newFixture(t)
	tokens, _, tokenOf := newTokens(t, "anna", "ben")
	site := h.serve(t, tokens)
	anna, ben := site.as(tokenOf["anna"]), site.as(tokenOf["ben"])
	annas := h.loopAfter(t, loops.WithOwner(t.Context(), "anna"), 7)
	locals := h.loopAfter(t, t.Context(), 7)
	revision, err := h.svc.Revision(loops.WithOwner(t.Context(), "anna"), annas)
	if err != nil {
		t.Fatal(err)
	}

	calls := callsOnLoops()
	all, err := tools.All(nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	hidden := func(name string, ask func(loop string) (int, string)) {
		t.Run(name, func(t *testing.T) { requireHidden(t, ask, annas, locals) })
	}
	for _, tool := range all {
		rows, listed := calls[tool.Tool.Name]
		if !listed || (rows == nil) == strings.Contains(string(tool.Tool.RawInputSchema), `"state_id"`) {
			t.Errorf("%s is not in the table of calls that name a loop", tool.Tool.Name)
		}
		for i, row := range rows {
			hidden(fmt.Sprintf("%s %d", tool.Tool.Name, i), func(loop string) (int, string) {
				return ben.tool(t, tool.Tool.Name, ofLoop(loop, row))
			})
		}
	}
	for _, p := range prompts.All() {
		hidden("prompt "+p.Name, func(loop string) (int, string) {
			return ben.call(t, "prompts/get", p.Name, object{"name": p.Name, "arguments": promptArguments(p, loop)})
		})
		for _, prefix := range []int{0, 8, len(annas)} {
			hidden("completion of "+p.Name, func(loop string) (int, string) {
				return ben.call(t, "completion/complete", "", completing(p.Name, "state_id", loop[:prefix]))
			})
		}
	}
	for _, tmpl := range resources.Templates() {
		hidden("resource "+tmpl, func(loop string) (int, string) {
			uri := strings.Replace(tmpl, "{state_id}", loop, 1)
			status, text := ben.call(t, "resources/read", uri, object{"uri": uri})
			return status, strings.ReplaceAll(text, loop, unknownID) // the error repeats the address
		})
	}
	for _, name := range []string{"loop_list", "list_channels"} {
		if _, text := ben.tool(t, name, object{}); strings.Contains(text, annas) || strings.Contains(text, locals) ||
			strings.Contains(text, "four-day") {
			t.Errorf("%s shows ben the loop of another owner: %s", name, text)
		}
	}
	if now, err := h.svc.Revision(loops.WithOwner(t.Context(), "anna"), annas); err != nil || now != revision {
		t.Errorf("ben has changed anna's loop: %v, before %v, %v", now, revision, err)
	}

	// The same calls succeed for anna herself.
	for _, name := range []string{"loop_get_gaps", "loop_get_state", "fetch", "find_passages"} {
		if _, text := anna.tool(t, name, ofLoop(annas, calls[name][0])); strings.Contains(text, `"isError":true`) {
			t.Errorf("%s of anna's own loop: %s", name, text)
		}
	}
	if _, text := anna.tool(t, "loop_list", object{}); !strings.Contains(text, annas) || strings.Contains(text, locals) {
		t.Errorf("anna's list: %s", text)
	}
}

// ofLoop adds the loop to the arguments of a call.
func ofLoop(loop string, arguments object) object {
	all := object{"state_id": loop}
	maps.Copy(all, arguments)
	return all
}

// requireHidden fails unless requests for the loops of others get the answer for an unknown id.
func requireHidden(t *testing.T, ask func(loop string) (int, string), foreign ...string) {
	t.Helper()
	status, want := ask(unknownID)
	for _, loop := range foreign {
		if gotStatus, got := ask(loop); gotStatus != status || got != want {
			t.Errorf("another owner's loop: status %d; an unknown one: status %d (-unknown +another's):\n%s", gotStatus, status,
				cmp.Diff(want, got))
		}
	}
	if strings.Contains(want, `"isError":false`) || !strings.Contains(want, "unknown loop") && !strings.Contains(want, `"values":[]`) {
		t.Errorf("an unknown id: %s", want)
	}
}
