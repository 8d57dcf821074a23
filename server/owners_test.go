package server

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/server/resources"
	"github.com/citeloop/citeloop/tools"
)

// unknownID is a valid id without a loop.
const unknownID = "0198c0de-0000-7000-8000-000000000001"

// steppingClock advances by a second at each call, so that a token file is read again for each request.
func steppingClock() func() time.Time {
	begun := time.Now()
	var looks atomic.Int64
	return func() time.Time { return begun.Add(time.Duration(looks.Add(1)) * time.Second) }
}

// newTokens creates a file with a token for each owner.
func newTokens(t *testing.T, owners ...string) (tokens *access.Tokens, path string, tokenOf map[string]string) {
	t.Helper()
	path, tokenOf = filepath.Join(t.TempDir(), "tokens"), map[string]string{}
	for _, owner := range owners {
		token, err := access.AddToken(path, owner, access.All, rand.Reader, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		tokenOf[owner] = token
	}
	tokens, err := access.OpenTokens(path, steppingClock())
	if err != nil {
		t.Fatal(err)
	}
	return tokens, path, tokenOf
}

// callsOnLoops returns calls that name a loop, by tool. TestOwners fails if a tool is missing.
func callsOnLoops() map[string][]map[string]any {
	claims := []any{map[string]any{"claim": "The week has four days.", "source_ids": []any{"S1"}}}
	calls := map[string][]map[string]any{
		"loop_update": {{"query": "x"}, {"operation_id": "op-1", "usage": map[string]any{"tokens": 5}}, {"confirm_rounds": 9},
			{"abort": "enough"}, {"claims": claims}},
		"loop_get_gaps":    {{}, {"status": "all"}},
		"loop_add_gap":     {{"gap": "what else?"}},
		"run_channel":      {{"channels": []any{"crossref"}, "query": "x"}},
		"fetch":            {{"url": "https://example.org/pasted", "title": "T", "text": strings.Repeat("words ", 100)}},
		"verify_citations": {{"claims": claims}, {"draft": "The week has four days [S1]."}},
		"review_claims":    {{}, {"batch": "R1"}, {"answers": []any{map[string]any{"item": "R1-1", "answer": "not_stated"}}}},
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
		calls["loop_get_state"] = append(calls["loop_get_state"], map[string]any{"view": view})
	}
	for _, format := range []string{"markdown", "html", "bibtex", "csl-json", "ris", "json"} {
		calls["loop_report"] = append(calls["loop_report"], map[string]any{"format": format, "allow_unverified": true})
	}
	return calls
}

// A request for another owner's loop gets the same answer, byte for byte, as one for an unknown loop.
func TestOwners(t *testing.T) {
	h := newFixture(t)
	tokens, _, tokenOf := newTokens(t, "anna", "ben")
	url := h.serve(t, tokens).URL
	anna, ben := tokenOf["anna"], tokenOf["ben"]
	annas := h.loopAfter(t, loops.WithOwner(t.Context(), "anna"), 7)
	locals := h.loopAfter(t, t.Context(), 7)
	before := h.state(t, annas).Seq

	calls := callsOnLoops()
	all, err := tools.All(nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range all {
		rows, listed := calls[tool.Tool.Name]
		if !listed || (rows == nil) == strings.Contains(string(tool.Tool.RawInputSchema), `"state_id"`) {
			t.Errorf("%s is not in the table of calls that name a loop", tool.Tool.Name)
		}
		for i, row := range rows {
			t.Run(fmt.Sprintf("%s %d", tool.Tool.Name, i), func(t *testing.T) {
				requireHidden(t, func(token, loop string) (int, string) {
					return modernTool(t, url, token, tool.Tool.Name, ofLoop(loop, row))
				}, ben, annas, locals)
			})
		}
	}
	for _, p := range prompts.All() {
		t.Run("prompt "+p.Name, func(t *testing.T) {
			requireHidden(t, func(token, loop string) (int, string) {
				return modernPost(t, url, token, "prompts/get", p.Name,
					map[string]any{"name": p.Name, "arguments": promptArguments(p, loop)})
			}, ben, annas, locals)
		})
		t.Run("completion of "+p.Name, func(t *testing.T) {
			for _, prefix := range []int{0, 8, len(annas)} {
				requireHidden(t, func(token, loop string) (int, string) {
					return modernPost(t, url, token, "completion/complete", "",
						map[string]any{"ref": map[string]any{"type": "ref/prompt", "name": p.Name},
							"argument": map[string]any{"name": "state_id", "value": loop[:prefix]}})
				}, ben, annas, locals)
			}
		})
	}
	for _, tmpl := range resources.Templates() {
		t.Run("resource "+tmpl, func(t *testing.T) {
			requireHidden(t, func(token, loop string) (int, string) {
				uri := strings.Replace(tmpl, "{state_id}", loop, 1)
				status, text := modernPost(t, url, token, "resources/read", uri, map[string]any{"uri": uri})
				return status, strings.ReplaceAll(text, loop, unknownID) // the error repeats the address
			}, ben, annas, locals)
		})
	}
	for _, name := range []string{"loop_list", "list_channels"} {
		if _, text := modernTool(t, url, ben, name, nil); strings.Contains(text, annas) || strings.Contains(text, locals) ||
			strings.Contains(text, "four-day") {
			t.Errorf("%s shows ben the loop of another owner: %s", name, text)
		}
	}
	if st := h.state(t, annas); st.Seq != before {
		t.Errorf("ben has left %d events in anna's loop", st.Seq-before)
	}

	// The same calls succeed for anna herself.
	for _, name := range []string{"loop_get_gaps", "loop_get_state", "fetch", "find_passages"} {
		if _, text := modernTool(t, url, anna, name, ofLoop(annas, calls[name][0])); strings.Contains(text, `"isError":true`) {
			t.Errorf("%s of anna's own loop: %s", name, text)
		}
	}
	if _, text := modernTool(t, url, anna, "loop_list", nil); !strings.Contains(text, annas) || strings.Contains(text, locals) {
		t.Errorf("anna's list: %s", text)
	}
}

// ofLoop adds the loop to the arguments of a call.
func ofLoop(loop string, arguments map[string]any) map[string]any {
	all := map[string]any{"state_id": loop}
	maps.Copy(all, arguments)
	return all
}

// requireHidden fails unless requests for the loops of others get the answer for an unknown id.
func requireHidden(t *testing.T, ask func(token, loop string) (int, string), token string, foreign ...string) {
	t.Helper()
	status, want := ask(token, unknownID)
	for _, loop := range foreign {
		if gotStatus, got := ask(token, loop); gotStatus != status || got != want {
			t.Errorf("another owner's loop: status %d; an unknown one: status %d (-unknown +another's):\n%s", gotStatus, status,
				cmp.Diff(want, got))
		}
	}
	if strings.Contains(want, `"isError":false`) || !strings.Contains(want, "unknown loop") && !strings.Contains(want, `"values":[]`) {
		t.Errorf("an unknown id: %s", want)
	}
}
