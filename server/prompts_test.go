package server

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

// promptArguments are arguments for a prompt on a loop.
func promptArguments(p prompts.Prompt, loop string) map[string]any {
	given := map[string]any{"state_id": loop}
	for _, a := range p.Arguments {
		switch a.Name {
		case prompts.ArgAngle:
			given[a.Name] = "byCounterArg"
		case prompts.ArgText:
			given[a.Name] = "It was cut and"
		}
	}
	return given
}

func TestPromptsGet(t *testing.T) {
	ts := newFixture(t).serve(t, nil)
	loop := begin(t, ts.URL, "", "Is {{.StateID}} glass a ``` liquid?")
	for _, p := range prompts.All() {
		result, fault := ask(t, ts.URL, "", "prompts/get", p.Name, map[string]any{"name": p.Name, "arguments": promptArguments(p, loop)})
		if fault != "" {
			t.Errorf("%s: %s", p.Name, fault)
			continue
		}
		var m struct {
			Messages []struct {
				Role    string
				Content struct{ Type, Text string }
			}
		}
		if err := json.Unmarshal(result, &m); err != nil {
			t.Fatal(err)
		}
		if len(m.Messages) != 1 || m.Messages[0].Role != "user" || m.Messages[0].Content.Type != "text" {
			t.Fatalf("%s: %s", p.Name, result)
		}
		for _, words := range []string{loop, "Is {{.StateID}} glass a ``` liquid?\n````"} {
			if p.Name == "reviewer" && words != loop {
				continue // this prompt omits the question on purpose
			}
			if !strings.Contains(m.Messages[0].Content.Text, words) {
				t.Errorf("%s lacks %q", p.Name, words)
			}
		}
	}
	result, fault := ask(t, ts.URL, "", "prompts/get", "research",
		map[string]any{"name": "research", "arguments": map[string]any{"query": "Is glass a liquid?"}})
	if fault != "" || !strings.Contains(string(result), "Call loop_init") {
		t.Errorf("research of a new question: %s %s", fault, result)
	}
}

func TestCompletion(t *testing.T) {
	ts := newFixture(t).serve(t, nil)
	glass, zinc := begin(t, ts.URL, "", "Is glass a liquid?"), begin(t, ts.URL, "", "How long does zinc last?")
	for _, tt := range []struct {
		name, prompt, argument, typed string
		want                          []string
	}{
		{"loops, newest first", "critic", "state_id", "", []string{zinc, glass}},
		{"by words", "critic", "state_id", "glass", []string{glass}},
		{"by id", "research", "state_id", zinc, []string{zinc}},
		{"free text", "continue_report", "text", "x", []string{}},
		{"an argument of another prompt", "critic", "angle", "", []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			result, fault := ask(t, ts.URL, "", "completion/complete", "",
				map[string]any{"ref": map[string]any{"type": "ref/prompt", "name": tt.prompt},
					"argument": map[string]any{"name": tt.argument, "value": tt.typed}})
			if fault != "" {
				t.Fatal(fault)
			}
			var m struct {
				Completion struct {
					Values  []string
					Total   int
					HasMore bool
				}
			}
			if err := json.Unmarshal(result, &m); err != nil {
				t.Fatal(err)
			}
			if m.Completion.Values == nil || !slices.Equal(m.Completion.Values, tt.want) || m.Completion.Total != len(tt.want) ||
				m.Completion.HasMore {
				t.Errorf("completion %s, want %v", result, tt.want)
			}
		})
	}
}

// A store that fails is in the log, and the answer says what a person can do.
func TestPromptsNameFaultsOfTheStore(t *testing.T) {
	h := newFixture(t)
	loop := h.loopAfter(t, t.Context(), 0)
	var log bytes.Buffer
	srv, err := New(h.svc, Config{Version: "test", Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.svc.Store.(*sqlite.Store).Close(); err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{
		`{"method":"prompts/get","params":{"name":"critic","arguments":{"state_id":"` + loop + `"}}`,
		`{"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"critic"},"argument":{"name":"state_id","value":""}}`,
	} {
		log.Reset()
		answer, err := json.Marshal(srv.MCP.HandleMessage(loops.WithOwner(t.Context(), loops.LocalOwner),
			json.RawMessage(call+`,"jsonrpc":"2.0","id":1}`)))
		if err != nil || !strings.Contains(string(answer), "the store is closed") || strings.Contains(string(answer), "sqlite: ") ||
			!strings.Contains(log.String(), "closed") {
			t.Errorf("%s is answered %s, %v; the log says %s", call, answer, err, log.String())
		}
	}
}
