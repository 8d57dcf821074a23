package server

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
)

func TestListenLoopbackOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.org:80", "8080", ""} {
		if l, err := Listen(t.Context(), address, nil); err == nil {
			l.Close()
			t.Errorf("listens on %q", address)
		}
	}
	for _, address := range []string{"127.0.0.1:0", "localhost:0"} {
		l, err := Listen(t.Context(), address, nil)
		if err != nil {
			t.Errorf("does not listen on %q: %v", address, err)
			continue
		}
		l.Close()
	}
}

func TestInstructionsFit(t *testing.T) {
	if n := len(instructions); n >= 2048 {
		t.Errorf("instructions have %d bytes; Claude Code cuts them at 2,048 characters", n)
	}
	if head := instructions[:250]; !strings.Contains(head, "loop_init(query)") || !strings.Contains(head, "citations checked") {
		t.Errorf("the first 250 characters, which are all that Codex shows, do not say what citeloop is for and which tool comes first: %q", head)
	}
	for _, tool := range []string{"loop_init", "run_channel", "list_channels", "fetch", "find_passages", "verify_citations", "loop_reflect", "loop_report", "loop_list", "loop_get_state", "loop_update"} {
		if !strings.Contains(instructions, tool) {
			t.Errorf("instructions do not name %s", tool)
		}
	}
}

// Over stdio the server answers invalid JSON with an error and keeps running.
func TestStdioSurvivesGarbage(t *testing.T) {
	s, err := New(nil, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	in := strings.NewReader("garbage\n{\"jsonrpc\":\n[]\n" + initialize + "\n")
	var out bytes.Buffer
	if err := s.ServeStdio(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	answered := false
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Errorf("stdout carries %q", line)
		}
		if m["id"] == float64(1) && m["result"] != nil {
			answered = true
		}
	}
	if !answered {
		t.Errorf("initialize got no answer after garbage: %s", out.String())
	}
}
