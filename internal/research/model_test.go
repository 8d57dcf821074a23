package research_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"

	"github.com/citeloop/citeloop/internal/llm/reader"
)

// request is a request that the endpoint receives.
type request struct {
	Messages []said
	Tools    []struct {
		Type     string
		Function struct {
			Name       string
			Parameters map[string]any
		}
	}
}

type said struct {
	Role       string
	Content    string
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID, Type string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

// turns returns how often the model has answered in this conversation.
func (r request) turns() int {
	n := 0
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			n++
		}
	}
	return n
}

func (r request) last() said { return r.Messages[len(r.Messages)-1] }

// call is a function call that the model makes.
type call struct{ name, arguments string }

// answer is an answer of the scripted model.
type answer struct {
	text   string
	calls  []call
	finish string                             // default stop, or tool_calls
	raw    func(http.ResponseWriter, request) // instead of the fields above
}

// endpoint serves /v1/chat/completions.
type endpoint struct {
	t     testing.TB
	key   string
	model func(request) answer
}

func (e *endpoint) start() *httptest.Server {
	s := httptest.NewServer(e)
	e.t.Cleanup(s.Close)
	return s
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client disconnected, as a run does at its time limit
	}
	var in request
	err = json.Unmarshal(body, &in)
	if err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" || len(in.Messages) == 0 {
		e.t.Errorf("not a request for a completion: %s %s %.200s (%v)", r.Method, r.URL.Path, body, err)
		w.WriteHeader(http.StatusTeapot)
		return
	}
	if want := "Bearer " + e.key; e.key != "" && r.Header.Get("Authorization") != want {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	open := map[string]bool{} // calls without an answer: endpoints refuse a history with one
	for _, m := range in.Messages {
		for _, c := range m.ToolCalls {
			open[c.ID] = true
			if !json.Valid([]byte(c.Function.Arguments)) {
				e.t.Errorf("arguments that are no JSON were sent back: %q", c.Function.Arguments)
			}
		}
		if m.Role == "tool" {
			if !open[m.ToolCallID] {
				e.t.Errorf("an answer to no call: %q", m.ToolCallID)
			}
			delete(open, m.ToolCallID)
		}
	}
	if len(open) > 0 {
		e.t.Errorf("calls without an answer: %v", open)
	}
	a := e.model(in)
	if a.raw != nil {
		a.raw(w, in)
		return
	}
	a.write(w, in)
}

// write sends an answer.
func (a answer) write(w http.ResponseWriter, in request) {
	message := object{"role": "assistant", "content": a.text}
	finish := "stop"
	if len(a.calls) > 0 {
		finish = "tool_calls"
		var calls []object
		for i, c := range a.calls {
			calls = append(calls, object{"id": fmt.Sprintf("call_%d_%d", in.turns(), i), "type": "function",
				"function": object{"name": c.name, "arguments": c.arguments}})
		}
		message["tool_calls"] = calls
	}
	prompt := 0
	for _, m := range in.Messages {
		prompt += len(m.Content) / 4
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(object{"choices": []object{{"index": 0, "message": message, "finish_reason": cmp.Or(a.finish, finish)}},
		"usage": object{"prompt_tokens": prompt, "completion_tokens": 1 + len(a.text)/4}})
}

// emptyChoices answers without choices.
func emptyChoices(w http.ResponseWriter, _ request) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, `{"choices":[]}`)
}

// role returns the role of a conversation, by the beginning of its brief.
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

// literalReader finds a claim supported where a passage has all its words and figures. It reads what the server gives it,
// planted errors included, as citeloop research has its model do.
type literalReader struct{}

func (literalReader) Model() string { return "literal" }

func (literalReader) Read(_ context.Context, items []reader.Item) (reader.Reading, error) {
	var out reader.Reading
	for _, it := range items {
		answer := reader.Answer{Item: it.ID, Answer: "not_stated"}
		for _, p := range it.Passages {
			if hasAll(p.Heading+" "+p.Text, it.Claim) {
				answer.Answer, answer.Quote = "supported", firstWords(p.Text)
			}
		}
		out.Answers = append(out.Answers, answer)
	}
	return out, nil
}

// hasAll reports whether a text has every word of a claim.
func hasAll(text, claim string) bool {
	have := map[string]bool{}
	for _, w := range wordsOf(text) {
		have[w] = true
	}
	for _, w := range wordsOf(claim) {
		if !have[w] {
			return false
		}
	}
	return true
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func firstWords(text string) string {
	fields := strings.Fields(text)
	return strings.Join(fields[:min(len(fields), 5)], " ")
}
