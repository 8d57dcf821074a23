package llm

import (
	"encoding/json"
	"unicode/utf8"
)

// The roles of a message.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Message is one message of a conversation.
type Message struct {
	Role   string
	Text   string
	Calls  []ToolCall // of an assistant
	CallID string     // of a tool: the call that it answers
}

// ToolCall is a call as the model wrote it. Arguments may not be valid JSON.
type ToolCall struct {
	ID, Name, Arguments string
	Truncated           bool // the answer reached its token limit in this call
}

// Tool is a function that the model may call.
type Tool struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Parameters  map[string]any `json:"parameters,omitempty"` // JSON Schema of an object
}

// Schema describes the answer, as strict JSON Schema: every property required, no additional ones. The prompt
// should describe it too, for endpoints without structured output.
type Schema struct {
	Name string // letters, digits, underscores
	JSON json.RawMessage
}

// Request is the input of Complete.
type Request struct {
	Messages []Message
	Tools    []Tool
	Schema   *Schema // nil: free text
}

// The values of Answer.Format: how the answer was requested.
const (
	FormatSchema = "json_schema" // structured output with the schema
	FormatObject = "json_object" // any JSON object
	FormatPlain  = "plain"       // the prompt alone
)

// Answer is the answer of a model.
type Answer struct {
	Text      string // without the reasoning that some servers leave in it
	Calls     []ToolCall
	Truncated bool // it reached its token limit
	Format    string
	Usage     Usage
}

// Usage is the number of tokens used, as the endpoint reports it.
type Usage struct {
	Prompt, Completion int
	Estimated          bool // the endpoint did not report a part of it
}

// Total returns all tokens.
func (u Usage) Total() int { return u.Prompt + u.Completion }

// Plus returns the sum of two usages.
func (u Usage) Plus(v Usage) Usage {
	return Usage{u.Prompt + v.Prompt, u.Completion + v.Completion, u.Estimated || v.Estimated}
}

// EstimateTokens returns about how many tokens a text has: one for four characters of an alphabet, one for a character
// of other scripts.
func EstimateTokens(text string) int {
	wide := 0
	for _, r := range text {
		if r >= 0x2E80 {
			wide++
		}
	}
	return wide + (utf8.RuneCountInString(text)-wide+3)/4
}

// estimate returns about how many tokens the request has.
func (r Request) estimate() int {
	n := 0
	for _, m := range r.Messages {
		n += EstimateTokens(m.Text) + 4
		for _, call := range m.Calls {
			n += EstimateTokens(call.Arguments) + 8
		}
	}
	for _, t := range r.Tools {
		n += EstimateTokens(t.Description) + 60
	}
	return n
}
