package server

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/loops"
)

// hookedServer serves stdio to a test, with hooks.
type hookedServer struct {
	t       *testing.T
	handle  func(id int, method string, params any) json.RawMessage
	id      int
	project string
	set     hooks.Settings
}

func newHookedServer(t *testing.T) *hookedServer {
	t.Helper()
	f := newFixture(t)
	reader, err := fetch.New(fetch.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close() })
	cfg := f.svc.Config
	cfg.Opened = reader
	h := &hookedServer{t: t}
	if h.project, err = filepath.EvalSymlinks(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	srv := fixture{svc: loops.New(cfg)}.with(t, WithHooks(func() (hooks.Settings, error) { return h.set, nil })).srv
	ctx := loops.WithOwner(t.Context(), loops.LocalOwner)
	h.handle = func(id int, method string, params any) json.RawMessage {
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := json.Marshal(srv.MCP.HandleMessage(ctx, body))
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	return h
}

func (h *hookedServer) call(tool string, arguments any, meta map[string]any) (result struct {
	Result struct {
		IsError    bool
		Content    []struct{ Text string }
		Structured struct {
			StateID string `json:"state_id"`
		} `json:"structuredContent"`
	}
}) {
	h.t.Helper()
	h.id++
	answer := h.handle(h.id, "tools/call", map[string]any{"name": tool, "arguments": arguments, "_meta": meta})
	if err := json.Unmarshal(answer, &result); err != nil || len(result.Result.Content) == 0 {
		h.t.Fatalf("%v: %s", err, answer)
	}
	return result
}

func (h *hookedServer) reads(name string) string {
	h.t.Helper()
	path := filepath.Join(h.project, name)
	if err := os.WriteFile(path, []byte("# "+name+"\n\nA line of this file.\n"), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return h.call(HookTool, map[string]string{"client": "claude-code", "hook_event_name": "PostToolUse", "cwd": h.project, "tool_name": "Read", "file_path": path, "start_line": "1", "num_lines": "3"}, nil).Result.Content[0].Text
}

func TestHookTool(t *testing.T) {
	h := newHookedServer(t)
	if list := string(h.handle(1, "tools/list", map[string]any{})); strings.Contains(list, `"name":"hook"`) || !strings.Contains(list, "loop_init") {
		t.Errorf("tools/list: %.300s", list)
	}
	if got := h.reads("before.md"); got != "{}" {
		t.Errorf("without a loop: %s", got)
	}
	if checked := h.call("verify_citations", map[string]any{"draft": "So the tower is old. [inference]"}, nil).Result; checked.IsError || checked.Structured.StateID == "" {
		t.Fatalf("%+v", checked)
	}
	if got := h.reads("before.md"); got != "{}" {
		t.Errorf("after a check of a draft without a loop: %s", got)
	}
	loop := h.call("loop_init", map[string]any{"query": "What is at Cape Arden?"}, nil).Result.Structured.StateID
	if got := h.reads("a.md"); got != `{"hookSpecificOutput":{"additionalContext":"S1 = a.md, 3 lines: cite [S1:3]","hookEventName":"PostToolUse"}}` {
		t.Errorf("with a loop: %s", got)
	}
	for _, marker := range []string{"claudecode/toolUseId", "callId"} {
		if got := h.call(HookTool, map[string]any{"hook_event_name": "Stop"}, map[string]any{marker: "x"}); !got.Result.IsError {
			t.Errorf("a model may call it: %+v", got)
		}
	}
	if got := h.call(HookTool, map[string]any{"hook_event_name": 7}, nil).Result.Content[0].Text; got != "{}" {
		t.Errorf("invalid input: %s", got)
	}
	h.set.Off = true
	if got := h.reads("off.md"); got != "{}" {
		t.Errorf("switched off: %s", got)
	}
	h.set = hooks.Settings{Added: []string{"b.md"}}
	if got := h.reads("b.md"); got != "{}" {
		t.Errorf("a name of the user's list: %s", got)
	}
	second := h.call("loop_init", map[string]any{"query": "What is at Cape Brack?"}, nil).Result.Structured.StateID
	if got := h.reads("c.md"); !strings.Contains(got, "S1 = c.md") {
		t.Errorf("in the second loop: %s", got)
	}
	h.call("loop_get_state", map[string]any{"state_id": loop}, nil)
	if got := h.reads("d.md"); !strings.Contains(got, "S2 = d.md") || second == loop {
		t.Errorf("in the first loop again: %s", got)
	}
}

// Without WithHooks the tool does not exist: a server for other machines must not read files of this one.
func TestHookToolOnlyWhereItIsAdded(t *testing.T) {
	f := newFixture(t)
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": HookTool}})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := json.Marshal(f.mcp.HandleMessage(loops.WithOwner(t.Context(), loops.LocalOwner), body))
	if err != nil || !bytes.Contains(answer, []byte("not found")) {
		t.Errorf("%s, %v", answer, err)
	}
}
