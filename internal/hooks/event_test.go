package hooks

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, raw string
		want      Event
	}{
		{"Claude Code, a tool of the server: strings", `{"client":"claude-code","hook_event_name":"PostToolUse","session_id":"s","cwd":"/p","tool_name":"Read","file_path":"/p/a.md","start_line":"3","num_lines":"2"}`,
			Event{Client: ClaudeCode, Name: ToolUsed, Raw: "PostToolUse", Session: "s", Dir: "/p", Tool: "Read", Input: Input{Path: "/p/a.md"}, Response: Response{Start: 3, Lines: 2}}},
		{"Claude Code, a command", `{"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"/p/a.md"},"tool_response":{"type":"text","file":{"filePath":"/p/a.md","content":"x","numLines":4,"startLine":1,"totalLines":4}}}`,
			Event{Client: ClaudeCode, Name: ToolUsed, Raw: "PostToolUse", Tool: "Read", Input: Input{Path: "/p/a.md"}, Response: Response{Text: "", Start: 1, Lines: 4}}},
		{"objects as strings", `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":"{\"command\":\"cat a.md\"}","tool_response":"{\"stdout\":\"alpha\"}"}`,
			Event{Client: ClaudeCode, Name: ToolUsed, Raw: "PostToolUse", Tool: "Bash", Input: Input{Command: "cat a.md"}, Response: Response{Text: "alpha"}}},
		{"Codex", `{"client":"codex","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"cat a.md"},"tool_response":"alpha\n"}`,
			Event{Client: Codex, Name: ToolUsed, Raw: "PostToolUse", Tool: "Bash", Input: Input{Command: "cat a.md"}, Response: Response{Text: "alpha\n"}}},
		{"Codex, the end", `{"client":"codex","hook_event_name":"Stop","last_assistant_message":"Final [S1].","stop_hook_active":true}`,
			Event{Client: Codex, Name: Stopped, Raw: "Stop", Last: "Final [S1].", Active: true}},
		{"active as a string", `{"hook_event_name":"Stop","stop_hook_active":"true"}`, Event{Client: ClaudeCode, Name: Stopped, Raw: "Stop", Active: true}},
		{"Gemini CLI", `{"hook_event_name":"AfterTool","tool_name":"read_file","tool_input":{"absolute_path":"/p/a.md"},"tool_response":{"llmContent":"alpha\nbeta"}}`,
			Event{Client: Gemini, Name: ToolUsed, Raw: "AfterTool", Tool: "read_file", Input: Input{Path: "/p/a.md"}, Response: Response{Text: "alpha\nbeta"}}},
		{"Gemini CLI, the end", `{"hook_event_name":"AfterAgent","prompt_response":"Final.","stop_hook_active":false}`, Event{Client: Gemini, Name: Stopped, Raw: "AfterAgent", Last: "Final."}},
		{"a search", `{"hook_event_name":"PostToolUse","tool_name":"WebSearch","tool_input":{"query":"q"},"tool_response":{"results":["text",{"content":[{"title":"T","url":"https://example.org/"},{"title":"no address","url":"x"}]}]}}`,
			Event{Client: ClaudeCode, Name: ToolUsed, Raw: "PostToolUse", Tool: "WebSearch", Input: Input{Query: "q"}, Response: Response{Leads: []Lead{{"T", "https://example.org/"}}}}},
		{"wrong types", `{"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":["x"],"tool_response":7,"start_line":{}}`, Event{Client: ClaudeCode, Name: ToolUsed, Raw: "PostToolUse", Tool: "Read"}},
	}
	for _, tt := range tests {
		got, err := Parse([]byte(tt.raw))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	for _, raw := range []string{"", "[]", "no JSON", `{"cwd":1}`, `"` + strings.Repeat("x", MaxEventBytes) + `"`} {
		if _, err := Parse([]byte(raw)); err == nil {
			t.Errorf("%.40q is accepted", raw)
		}
	}
}

func TestLoop(t *testing.T) {
	for raw, want := range map[string]string{
		`{"tool_input":{"state_id":"L1"},"tool_response":{"llmContent":"{\"state_id\":\"L2\"}"}}`:                                       "L1",
		`{"tool_input":{"query":"q"},"tool_response":{"llmContent":"{\"state_id\":\"L2\"}"}}`:                                           "L2",
		`{"tool_input":{"query":"q"},"tool_response":{"llmContent":[{"functionResponse":{"output":"{\\\"state_id\\\":\\\"L3\\\"}"}}]}}`: "L3",
		`{"tool_input":{"query":"q"},"tool_response":{}}`:                                                                               "",
		`no`: "",
	} {
		if got := Loop([]byte(raw)); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"hook_event_name":"PostToolUse","cwd":"/p","tool_name":"Bash","tool_input":"{\"command\":\"cd x && grep -rn a . | head\"}","tool_response":"{\"stdout\":\"a.md:1:x\"}"}`)
	f.Add(`{"hook_event_name":"AfterTool","cwd":"/p","tool_name":"web_fetch","tool_input":{"prompt":"see https://example.org/a."}}`)
	f.Add(`{"hook_event_name":"Stop","last_assistant_message":"x [S1]"}`)
	f.Fuzz(func(t *testing.T, raw string) {
		e, err := Parse([]byte(raw))
		if err != nil {
			return
		}
		Loop([]byte(raw))
		touch := Touched(e)
		if len(touch.Files) > maxFiles || len(touch.Pages) > maxFiles {
			t.Errorf("%d files and %d pages", len(touch.Files), len(touch.Pages))
		}
		for _, file := range touch.Files {
			if !strings.HasPrefix(file.Path, "/") {
				t.Errorf("path %q", file.Path)
			}
		}
		for _, page := range touch.Pages {
			if !webAddress(page) {
				t.Errorf("page %q", page)
			}
		}
	})
}
