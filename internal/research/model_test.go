package research_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode"

	"github.com/citeloop/citeloop/internal/llm/reader"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// request is a request that the endpoint receives.
type request struct {
	Messages []struct {
		Role, Content string
		ToolCallID    string `json:"tool_call_id"`
		ToolCalls     []struct {
			ID       string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
	}
}

// turns returns how often the model has answered in this conversation, last the content of its last message.
func (r request) turns() (n int) {
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			n++
		}
	}
	return n
}

func (r request) last() string { return r.Messages[len(r.Messages)-1].Content }

// role returns the role of a conversation, by the beginning of its brief; angle is that of a searcher.
func (r request) role() string {
	system, user := r.Messages[0].Content, r.Messages[1].Content
	switch {
	case strings.HasPrefix(system, "You are one of several searchers"):
		return "searcher"
	case strings.HasPrefix(system, "You write the final text"):
		return "text"
	case strings.HasPrefix(user, "You write the synthesis"):
		return "synthesis"
	}
	return "critic"
}

func (r request) angle() string { return strings.Fields(r.Messages[1].Content)[3] }

// call is a function call that the model makes.
type call struct{ name, arguments string }

// answer is an answer of the scripted model.
type answer struct {
	text    string
	calls   []call
	nothing bool // no choices
}

// endpoint serves /v1/chat/completions.
type endpoint struct {
	t     testing.TB
	model func(request) answer
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in request
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return // the client disconnected, as a run does at its time limit
	}
	open := map[string]bool{} // calls without an answer: endpoints refuse a history with one
	for _, m := range in.Messages {
		for _, c := range m.ToolCalls {
			if open[c.ID] = true; !json.Valid([]byte(c.Function.Arguments)) {
				e.t.Errorf("arguments that are no JSON were sent back: %q", c.Function.Arguments)
			}
		}
		if m.Role == "tool" && !open[m.ToolCallID] {
			e.t.Errorf("an answer to no call: %q", m.ToolCallID)
		}
		delete(open, m.ToolCallID)
	}
	if len(open) > 0 || r.Header.Get("Authorization") != "Bearer sk-test" {
		e.t.Errorf("calls without an answer: %v; headers %v", open, r.Header)
	}
	a := e.model(in)
	message := object{"role": "assistant", "content": a.text}
	var calls []object
	for i, c := range a.calls {
		calls = append(calls, object{"id": fmt.Sprintf("call_%d_%d", in.turns(), i), "type": "function",
			"function": object{"name": c.name, "arguments": c.arguments}})
		message["tool_calls"] = calls
	}
	choices, read := []object{{"index": 0, "message": message, "finish_reason": "stop"}}, 0
	if a.nothing {
		choices = nil
	}
	for _, m := range in.Messages {
		read += len(m.Content) / 4
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, encoded(object{"choices": choices, "usage": object{"prompt_tokens": read, "completion_tokens": 1 + len(a.text)/4}}))
}

// literalReader finds a claim supported where a passage has all its words and figures. It reads what the server gives it,
// planted errors included, as citeloop research has its model do.
type literalReader struct{}

func (literalReader) Model() string { return "literal" }

func (literalReader) Read(_ context.Context, items []verify.ReviewItem) (out reader.Reading, err error) {
	words := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	for _, it := range items {
		answer := loopstate.ReviewAnswer{Item: it.Item, Answer: "not_stated"}
		for _, p := range it.Passages {
			have, all := " "+strings.Join(words(p.Heading+" "+p.Text), " ")+" ", true
			for _, w := range words(it.Claim) {
				all = all && strings.Contains(have, " "+w+" ")
			}
			if fields := strings.Fields(p.Text); all {
				answer.Answer, answer.Quote = "supported", strings.Join(fields[:min(len(fields), 5)], " ")
			}
		}
		out.Answers = append(out.Answers, answer)
	}
	return out, nil
}
