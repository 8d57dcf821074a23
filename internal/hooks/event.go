package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// MaxEventBytes bounds the input of a hook (chosen: the longest answer of a tool that Claude Code passes whole was 312 kB).
const MaxEventBytes = 4 << 20

// The events. Those of Gemini CLI get these names too.
const (
	ToolUsed       = "PostToolUse"
	Stopped        = "Stop"
	SubagentEnded  = "SubagentStop"
	SessionStarted = "SessionStart"
)

// The clients, as their hooks name them.
const (
	ClaudeCode = "claude-code"
	Codex      = "codex"
	Gemini     = "gemini-cli"
)

// Event is the input of a hook.
type Event struct {
	Client  string // ClaudeCode, Codex or Gemini; ClaudeCode if the hook does not say
	Name    string // see ToolUsed
	Raw     string // the name as the client wrote it, which the answer repeats
	Session string // the client's id of the session
	Dir     string // working folder, absolute
	Source  string // of SessionStarted: startup, resume, clear or compact

	Tool     string
	Input    Input
	Response Response

	Last      string // the final text of the model
	Active    bool   // the model already went on because of a hook
	AgentType string // of SubagentEnded; empty for work of the client itself, such as a compaction
}

// Input has the arguments of a tool that say what it touches.
type Input struct {
	Path    string // of a file or a folder
	Command string // of a shell, or a patch
	URL     string
	Query   string // of a search on the web
	Prompt  string // with addresses, in Gemini CLI
}

// Response has the parts of a tool's answer that say what the model saw.
type Response struct {
	Text  string // output of a command or of a search in files
	Start int    // first line of a file that was shown, from 1; 0 if unknown
	Lines int    // how many
	Leads []Lead // results of a search on the web
}

// Lead is a result of a search that nobody has read.
type Lead struct{ Title, URL string }

var errEvent = errors.New("invalid input of a hook")

// wire is the JSON of all three clients. A hook of the type mcp_tool gets strings in place of objects in Claude Code.
type wire struct {
	Client    string          `json:"client"`
	Event     string          `json:"hook_event_name"`
	Session   string          `json:"session_id"`
	Dir       string          `json:"cwd"`
	Source    string          `json:"source"`
	Tool      string          `json:"tool_name"`
	Input     json.RawMessage `json:"tool_input"`
	Response  json.RawMessage `json:"tool_response"`
	File      string          `json:"file_path"`  // instead of tool_input, which may have a whole text
	Start     json.RawMessage `json:"start_line"` // instead of tool_response
	Lines     json.RawMessage `json:"num_lines"`
	Last      string          `json:"last_assistant_message"`
	Prompted  string          `json:"prompt_response"` // of Gemini CLI
	Active    json.RawMessage `json:"stop_hook_active"`
	AgentType string          `json:"agent_type"`
}

// Parse reads the input of a hook. The error is for input that is no JSON object or too long; a field of an unexpected
// type counts as missing, except for the names of the event and the tool.
func Parse(raw []byte) (Event, error) {
	if len(raw) > MaxEventBytes {
		return Event{}, fmt.Errorf("%w: %d bytes; at most %d are read", errEvent, len(raw), MaxEventBytes)
	}
	var w wire
	if err := json.Unmarshal(raw, &w); err != nil {
		return Event{}, fmt.Errorf("%w: %w", errEvent, err)
	}
	e := Event{Client: w.Client, Name: w.Event, Raw: w.Event, Session: w.Session, Dir: w.Dir, Source: w.Source, Tool: w.Tool, Last: w.Last, Active: scalar(w.Active) == "true", AgentType: w.AgentType}
	switch w.Event {
	case "AfterTool":
		e.Client, e.Name = Gemini, ToolUsed
	case "AfterAgent":
		e.Client, e.Name, e.Last = Gemini, Stopped, w.Prompted
	}
	if e.Client == "" {
		e.Client = ClaudeCode
	}
	e.Input = inputOf(w.Input)
	if w.File != "" {
		e.Input.Path = w.File
	}
	e.Response = responseOf(w.Response)
	if n := number(w.Start); n > 0 {
		e.Response.Start, e.Response.Lines = n, number(w.Lines)
	}
	return e, nil
}

// Loop returns the loop that a call of citeloop's own tools names in its arguments or in its answer, or "". Only hooks that
// run as a process need it: the server sees the calls itself.
func Loop(raw []byte) string {
	var w struct {
		Input    json.RawMessage `json:"tool_input"`
		Response json.RawMessage `json:"tool_response"`
	}
	if json.Unmarshal(raw, &w) != nil {
		return ""
	}
	var named struct {
		StateID string `json:"state_id"`
	}
	if json.Unmarshal(w.Input, &named) == nil && named.StateID != "" {
		return named.StateID
	}
	text := string(w.Response) // the answer is JSON inside of JSON, once or twice
	for range 4 {
		if _, rest, ok := strings.Cut(text, `"state_id":"`); ok {
			id, _, _ := strings.Cut(rest, `"`)
			return id
		}
		text = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(text)
	}
	return ""
}

// object returns the JSON object in raw, also one that is written as a string.
func object(raw json.RawMessage) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '"' {
		var inner string
		if json.Unmarshal(raw, &inner) != nil {
			return nil
		}
		raw = bytes.TrimSpace([]byte(inner))
	}
	if len(raw) == 0 || raw[0] != '{' || !json.Valid(raw) {
		return nil
	}
	return raw
}

// text returns a JSON string, or "" for anything else.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// scalar returns a JSON string, number or boolean as text.
func scalar(raw json.RawMessage) string {
	if s := text(raw); s != "" {
		return s
	}
	return strings.TrimSpace(string(raw))
}

// number returns a whole number of JSON or of a string, or 0.
func number(raw json.RawMessage) int {
	n, err := strconv.Atoi(scalar(raw))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// first returns the first field of an object that is a string and not empty.
func first(fields map[string]json.RawMessage, names ...string) string {
	for _, name := range names {
		if s := text(fields[name]); s != "" {
			return s
		}
	}
	return ""
}

func fieldsOf(raw json.RawMessage) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if raw = object(raw); raw == nil || json.Unmarshal(raw, &fields) != nil {
		return nil
	}
	return fields
}

func inputOf(raw json.RawMessage) Input {
	f := fieldsOf(raw)
	return Input{Path: first(f, "file_path", "absolute_path", "path", "dir_path"), Command: first(f, "command"), URL: first(f, "url"), Query: first(f, "query"), Prompt: first(f, "prompt")}
}

// maxLeads bounds the results of one search (chosen: a page of results has ten).
const maxLeads = 20

func responseOf(raw json.RawMessage) Response {
	f := fieldsOf(raw)
	if f == nil {
		return Response{Text: text(raw)} // Codex
	}
	r := Response{Text: first(f, "stdout", "content", "llmContent")}
	if file := fieldsOf(f["file"]); file != nil {
		r.Start, r.Lines = number(file["startLine"]), number(file["numLines"])
	}
	var results []json.RawMessage
	if json.Unmarshal(f["results"], &results) != nil {
		return r
	}
	for _, result := range results { // texts of a model, and blocks of results
		var block struct {
			Content []struct{ Title, URL string }
		}
		if json.Unmarshal(result, &block) != nil {
			continue
		}
		for _, hit := range block.Content {
			if len(r.Leads) < maxLeads && hit.Title != "" && webAddress(hit.URL) {
				r.Leads = append(r.Leads, Lead{hit.Title, hit.URL})
			}
		}
	}
	return r
}

// webAddress reports whether an address can be read again without what the client may have sent with it.
func webAddress(raw string) bool {
	if len(raw) > maxAddressBytes {
		return false
	}
	u, err := url.Parse(raw)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// maxAddressBytes bounds an address, as loops do.
const maxAddressBytes = 2000
