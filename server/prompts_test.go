package server

import (
	"bytes"
	"encoding/json"
	"log/slog"
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

// A store that fails is in the log, and the answer says what a person can do.
func TestPromptsNameFaultsOfTheStore(t *testing.T) {
	h := newFixture(t)
	loop := h.loopAfter(t, t.Context(), 0)
	var log bytes.Buffer
	srv, err := New(h.svc, "test", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if err := h.svc.Store.(*sqlite.Store).Close(); err != nil {
		t.Fatal(err)
	}
	for _, call := range []string{
		`{"method":"prompts/get","params":{"name":"critic","arguments":{"state_id":"` + loop + `"}}`,
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
