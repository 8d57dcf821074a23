package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/tools"
)

func post(t *testing.T, url, body string, header map[string]string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range header {
		if k == "Host" {
			req.Host = v
			continue
		}
		req.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func TestCrossOriginRequestsAreRefused(t *testing.T) {
	ts := newFixture(t).serve(t, nil)
	tests := []struct {
		name   string
		header map[string]string
		want   int
	}{
		{"no origin: a program", nil, 200},
		{"a page of this machine", map[string]string{"Origin": "http://localhost:3000"}, 200},
		{"IPv6 loopback page", map[string]string{"Origin": "http://[::1]:3000"}, 200},
		{"a page of another site", map[string]string{"Origin": "https://evil.example"}, 403},
		{"a page that begins like localhost", map[string]string{"Origin": "http://localhost.evil.example"}, 403},
		{"a file", map[string]string{"Origin": "null"}, 403},
		{"an extension", map[string]string{"Origin": "chrome-extension://abcdef"}, 403},
		{"a rebound name", map[string]string{"Host": "evil.example"}, 403},
		{"a rebound name with our port", map[string]string{"Host": "evil.example:8080"}, 403},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, body := post(t, ts.URL+Endpoint, initialize, tt.header); got != tt.want {
				t.Errorf("status %d, want %d: %s", got, tt.want, body)
			}
		})
	}
}

func TestHugeBodiesAreRefused(t *testing.T) {
	ts := newFixture(t).serve(t, nil)
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"loop_init","arguments":{"query":"` + strings.Repeat("x", maxBodyBytes) + `"}}}`
	if status, text := post(t, ts.URL+Endpoint, body, nil); status < 400 {
		t.Errorf("status %d for %d bytes: %.200s", status, len(body), text)
	}
	if resp, err := http.Get(ts.URL + "/healthz"); err != nil || resp.StatusCode != 200 {
		t.Errorf("afterwards: %v, %v", resp, err)
	}
}

// One endpoint serves clients that initialize and clients that do not.
func TestBothErasOverHTTP(t *testing.T) {
	ts := newFixture(t).serve(t, nil)
	status, text := post(t, ts.URL+Endpoint, initialize, nil)
	if status != 200 || !strings.Contains(text, "instructions") {
		t.Fatalf("initialize: %d %s", status, text)
	}
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`
	status, text = post(t, ts.URL+Endpoint, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"loop_init","arguments":{"query":"What is at Cape Arden?"},`+meta+`}}`,
		map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "loop_init"})
	if status != 200 || !strings.Contains(text, "state_id") || !strings.Contains(text, "resultType") {
		t.Errorf("tools/call of 2026-07-28: %d %s", status, text)
	}
}

func TestToolsListKeepsItsOrder(t *testing.T) {
	ts := newFixture(t).serve(t, nil)
	_, text := post(t, ts.URL+Endpoint, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}}}`,
		map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"})
	if i := strings.Index(text, "{"); i > 0 { // an event stream
		text = text[i:]
	}
	var m struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&m); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	all, err := tools.All(nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Result.Tools) != len(all) {
		t.Fatalf("%d tools, want %d", len(m.Result.Tools), len(all))
	}
	for i, tool := range m.Result.Tools {
		if tool.Name != all[i].Tool.Name {
			t.Errorf("tool %d is %s, want %s", i, tool.Name, all[i].Tool.Name)
		}
	}
}

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

// A server stops although a client keeps a connection open.
func TestServeHTTPStops(t *testing.T) {
	s, err := New(nil, "test", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.ServeHTTP(ctx, l, HTTP{}) }()
	resp, err := http.Get("http://" + l.Addr().String() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
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
