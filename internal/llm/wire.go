package llm

import (
	"bytes"
	"encoding/json"
)

// The messages of a request, and the reply of chat completions, as far as they are used:
// https://platform.openai.com/docs/api-reference/chat

// object is an object of JSON.
type object = map[string]any

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
