package llm

import (
	"bytes"
	"encoding/json"
)

// The request and the reply of chat completions, as far as they are used:
// https://platform.openai.com/docs/api-reference/chat

type wireRequest struct {
	Model               string        `json:"model"`
	Messages            []wireMessage `json:"messages"`
	Tools               []wireTool    `json:"tools,omitempty"`
	MaxTokens           int           `json:"max_tokens,omitempty"`
	MaxCompletionTokens int           `json:"max_completion_tokens,omitempty"`
	Temperature         *float64      `json:"temperature,omitempty"`
	ResponseFormat      *wireFormat   `json:"response_format,omitempty"`
	Stream              bool          `json:"stream"`
	StreamOptions       *wireOptions  `json:"stream_options,omitempty"`
}

type wireOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type wireFormat struct {
	Type   string      `json:"type"`
	Schema *wireSchema `json:"json_schema,omitempty"`
}

type wireSchema struct {
	Name   string          `json:"name"`
	Strict bool            `json:"strict"`
	Schema json.RawMessage `json:"schema"`
}

type wireTool struct {
	Type     string       `json:"type"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Parameters  map[string]any `json:"parameters,omitempty"`
}

type wireMessage struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content,omitempty"` // missing beside calls: some servers refuse an empty text there
	ToolCalls  []wireCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

// wireCall is a call in a message, or a piece of one in a stream, where Index says which.
type wireCall struct {
	Index    int64  `json:"index,omitempty"`
	ID       string `json:"id,omitempty"`
	Type     string `json:"type,omitempty"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// wireReply is a whole answer, a piece of one, or an error with status 200.
type wireReply struct {
	wireError
	Choices []struct {
		Index          int64     `json:"index"`
		FinishReason   string    `json:"finish_reason"`
		Message, Delta wireWords // of an answer, of a piece
	} `json:"choices"`
	Usage struct {
		Prompt     int64 `json:"prompt_tokens"`
		Completion int64 `json:"completion_tokens"`
	} `json:"usage"`
}

type wireWords struct {
	Content   string     `json:"content"`
	Refusal   string     `json:"refusal"`
	ToolCalls []wireCall `json:"tool_calls"`
}

// wireError is an error body. OpenAI writes {"error": {…}}, others {"error": "…"}, {"message": …} or {"detail": …}.
type wireError struct {
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"`
	Detail  json.RawMessage `json:"detail"`
}

// read returns the message of an error body, the parameter that it is about, and its code and type.
func (w wireError) read() (words, param, kind string) {
	for _, raw := range []json.RawMessage{w.Error, w.Message, w.Detail} {
		var inner struct{ Message, Param, Code, Type json.RawMessage } // a code may be a number
		if json.Unmarshal(raw, &inner) == nil && wordsOf(inner.Message) != "" {
			return wordsOf(inner.Message), wordsOf(inner.Param), wordsOf(inner.Code) + " " + wordsOf(inner.Type)
		}
		if words = wordsOf(raw); words != "" {
			return words, "", ""
		}
	}
	return "", "", ""
}

// wordsOf returns a JSON string, other JSON as it is, and "" for null.
func wordsOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s // also null
	}
	return string(bytes.TrimSpace(raw))
}

// wire writes a request in the dialect. The limit is sent as max_tokens first: local servers ignore
// max_completion_tokens and would never stop, while hosted models that require the new name say so.
func (d dialect) wire(cfg Config, r Request) wireRequest {
	w := wireRequest{Model: cfg.Model, Stream: true}
	for _, m := range r.Messages {
		w.Messages = append(w.Messages, m.wire())
	}
	for _, t := range r.Tools {
		w.Tools = append(w.Tools, wireTool{Type: "function", Function: wireFunction(t)})
	}
	if d.completion {
		w.MaxCompletionTokens = cfg.AnswerTokens
	} else {
		w.MaxTokens = cfg.AnswerTokens
	}
	if !d.noTemperature {
		w.Temperature = &cfg.Temperature
	}
	if !d.noUsage {
		w.StreamOptions = &wireOptions{IncludeUsage: true}
	}
	switch format := d.formatOf(r); format {
	case FormatSchema:
		w.ResponseFormat = &wireFormat{format, &wireSchema{Name: r.Schema.Name, Strict: true, Schema: r.Schema.JSON}}
	case FormatObject:
		w.ResponseFormat = &wireFormat{Type: format}
	}
	return w
}

func (m Message) wire() wireMessage {
	w := wireMessage{Role: m.Role, Content: &m.Text, ToolCallID: m.CallID}
	if m.Text == "" && len(m.Calls) > 0 {
		w.Content = nil
	}
	for _, c := range m.Calls {
		call := wireCall{ID: c.ID, Type: "function"}
		call.Function.Name, call.Function.Arguments = c.Name, c.Arguments
		w.ToolCalls = append(w.ToolCalls, call)
	}
	return w
}
