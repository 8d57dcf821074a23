package server

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/tools"
)

// step is one request of the script. LOOP is the id of the loop that the first one started.
type step struct {
	name   string // for a call, that of the tool
	method string
	params string
}

// script is a small loop from its start to its report. It calls each tool, and other methods of the protocol.
func script() []step {
	call := func(tool, arguments string) step {
		return step{tool, "tools/call", `{"name":"` + tool + `","arguments":` + arguments + `}`}
	}
	text := strings.Repeat("The tidal mill of Eling ground 40 sacks of corn in a week of 1785. Its owner wrote this into the book of "+
		"the parish. ", 4)
	return []step{
		call("loop_init", `{"query":"How much did tidal mills grind?","complexity":"moderate","as_of":"2026-01-02"}`),
		call("loop_update", `{"state_id":"LOOP","operation_id":"op-1","query":"tidal mill output","channel":"library",`+
			`"evidence":[{"title":"The mill of Eling","url":"https://example.org/eling","source":"library",`+
			`"published_at":"1999-05-01"}],"usage":{"tokens":700}}`),
		call("fetch", `{"state_id":"LOOP","url":"https://example.org/eling","title":"The mill of Eling","text":"`+text+`"}`),
		call("find_passages", `{"state_id":"LOOP","query":"sacks of corn in a week"}`),
		call("loop_add_gap", `{"state_id":"LOOP","gap":"what did other mills grind?"}`),
		call("loop_get_gaps", `{"state_id":"LOOP"}`),
		call("run_channel", `{"channel_name":"altavista","query":"tidal mills"}`),
		call("verify_citations", `{"state_id":"LOOP","claims":[{"claim":"The tidal mill of Eling ground 40 sacks of corn in a week of `+
			`1785.","source_ids":["S1"]}]}`),
		call("review_claims", `{"state_id":"LOOP"}`),
		call("loop_reflect", `{"state_id":"LOOP"}`),
		call("loop_get_state", `{"state_id":"LOOP"}`),
		call("loop_list", `{}`),
		call("list_channels", `{}`),
		call("audit_references", `{"bibliography":"@misc{wall, note = {Seen on a wall}}"}`), // nothing to send to a service
		call("loop_report", `{"state_id":"LOOP","draft":"The tidal mill of Eling ground 40 sacks of corn in a week of 1785 [S1]."}`),
		{"unknown argument", "tools/call", `{"name":"loop_get_gaps","arguments":{"state_id":"LOOP","statuss":"all"}}`},
		{"unknown tool", "tools/call", `{"name":"loop_end","arguments":{}}`},
		{"unknown loop", "tools/call", `{"name":"loop_get_gaps","arguments":{"state_id":"` + unknownID + `"}}`},
		{"resources list", "resources/list", `{}`},
		{"resource", "resources/read", `{"uri":"citeloop://loops/LOOP/brief"}`},
		{"report", "resources/read", `{"uri":"citeloop://loops/LOOP/report"}`},
		{"unknown resource", "resources/read", `{"uri":"citeloop://loops/` + unknownID + `/brief"}`},
		{"resource templates", "resources/templates/list", `{}`},
		{"prompts list", "prompts/list", `{}`},
		{"completion", "completion/complete", `{"ref":{"type":"ref/resource","uri":"citeloop://loops/{state_id}/brief"},` +
			`"argument":{"name":"state_id","value":"LOOP"}}`},
		{"unknown method", "tools/forget", `{}`},
	}
}

// speaker sends one request and returns its answer.
type speaker func(id int, method, name, params string) json.RawMessage

// Both transports give the same answers, and clients of the older era get the same without what the newest adds.
func TestTranscripts(t *testing.T) {
	all, err := tools.All(nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{}
	for _, s := range script() {
		called[s.name] = true
	}
	for _, tool := range all {
		if !called[tool.Tool.Name] {
			t.Errorf("the script does not call %s", tool.Tool.Name)
		}
	}
	overHTTP := transcript(t, true, httpSpeaker(t, true))
	overStdio := transcript(t, true, stdioSpeaker(t, true))
	older := transcript(t, false, httpSpeaker(t, false))
	olderStdio := transcript(t, false, stdioSpeaker(t, false))
	for _, s := range script() {
		if diff := cmp.Diff(overHTTP[s.name], overStdio[s.name]) + cmp.Diff(older[s.name], olderStdio[s.name]); diff != "" {
			t.Errorf("%s is answered otherwise over stdio (-http +stdio):\n%s", s.name, diff)
		}
		if diff := cmp.Diff(withoutEra(t, overHTTP[s.name]), withoutEra(t, older[s.name])); diff != "" {
			t.Errorf("%s is answered otherwise in the older era (-new +old):\n%s", s.name, diff)
		}
	}
}

// withoutEra returns the answer of a transcript without the keys that only the newest era has.
func withoutEra(t *testing.T, transcript string) any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(transcript), &m); err != nil {
		t.Fatal(err)
	}
	if result, ok := m["result"].(map[string]any); ok {
		for _, key := range []string{"_meta", "resultType", "ttlMs", "cacheScope"} {
			delete(result, key)
		}
	}
	if failure, ok := m["error"].(map[string]any); ok && failure["code"] == -32002.0 { // resource not found, in the older era
		failure["code"] = -32602.0
	}
	return m
}

// stopped is a clock that stands.
func stopped() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// transcript runs the script and records the answers by the names of the steps.
func transcript(t *testing.T, modern bool, say speaker) map[string]string {
	t.Helper()
	out, loop := map[string]string{}, "LOOP"
	for i, s := range script() {
		params := strings.ReplaceAll(s.params, "LOOP", loop)
		if modern {
			params = withMeta(params)
		}
		var named struct {
			Name string `json:"name"`
			URI  string `json:"uri"`
		}
		if err := json.Unmarshal([]byte(params), &named); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		answer := say(i+10, s.method, named.Name+named.URI, params)
		if i == 0 {
			loop = startedLoop(t, string(answer))
		}
		checkText(t, answer)
		out[s.name] = string(answer)
	}
	return out
}

func requestOf(id int, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

// checkText fails unless the text of an answer repeats its structured content.
func checkText(t *testing.T, answer json.RawMessage) {
	t.Helper()
	var m struct {
		Result struct {
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
		}
	}
	if err := json.Unmarshal(answer, &m); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	if len(m.Result.StructuredContent) > 0 && (len(m.Result.Content) == 0 ||
		!sameJSON(m.Result.StructuredContent, []byte(m.Result.Content[0].Text))) {
		t.Errorf("the text is not the structured content: %s", answer)
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && cmp.Equal(x, y)
}

// newStoppedFixture is a fixture whose answers are the same each time.
func newStoppedFixture(t *testing.T) fixture {
	var n atomic.Int64
	return newFixtureAt(t, stopped, func() string { return fmt.Sprintf("0198c0de-0000-7000-8000-%012d", 100+n.Add(1)) })
}

func httpSpeaker(t *testing.T, modern bool) speaker {
	t.Helper()
	h := newStoppedFixture(t)
	url := h.serve(t, nil).URL
	return func(id int, method, name, params string) json.RawMessage {
		header := map[string]string{"MCP-Protocol-Version": "2025-06-18"}
		if modern {
			header = modernHeader(method, name)
		}
		_, text := post(t, url, requestOf(id, method, params), header)
		return json.RawMessage(strings.TrimSpace(text))
	}
}

func stdioSpeaker(t *testing.T, modern bool) speaker {
	t.Helper()
	w := newWire(t, newStoppedFixture(t), modern)
	return func(id int, method, _, params string) json.RawMessage {
		w.say(requestOf(id, method, params) + "\n")
		return json.RawMessage(w.next(fmt.Sprint(id)))
	}
}
