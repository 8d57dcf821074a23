package research_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// request is a request that the endpoint receives.
type request struct {
	Model         string
	Stream        bool
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens     int `json:"max_tokens"`
	MaxCompletion int `json:"max_completion_tokens"`
	Messages      []said
	Tools         []struct {
		Type     string
		Function struct {
			Name       string
			Parameters map[string]any
		}
	}
	header http.Header
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

// endpoint serves /v1/chat/completions like hosted endpoints: server-sent events with the role first, text and
// arguments in pieces, the reason of the end, the usage in a piece without choices, and [DONE].
type endpoint struct {
	t      testing.TB
	key    string
	model  func(request) answer
	before func(n int) // called with the number of each request, from 1

	mu   sync.Mutex
	seen []request
}

func (e *endpoint) start() *httptest.Server {
	s := httptest.NewServer(e)
	e.t.Cleanup(s.Close)
	return s
}

func (e *endpoint) requests() []request {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]request(nil), e.seen...)
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client disconnected, as a run does at its time limit
	}
	in := request{header: r.Header.Clone()}
	err = json.Unmarshal(body, &in)
	if err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" || !in.Stream || len(in.Messages) == 0 {
		e.t.Errorf("not a request for a streamed completion: %s %s %.200s (%v)", r.Method, r.URL.Path, body, err)
		w.WriteHeader(http.StatusTeapot)
		return
	}
	if want := "Bearer " + e.key; e.key != "" && r.Header.Get("Authorization") != want {
		refuse(http.StatusUnauthorized, "Incorrect API key provided: "+r.Header.Get("Authorization"))(w, in)
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
	e.mu.Lock()
	e.seen = append(e.seen, in)
	n := len(e.seen)
	e.mu.Unlock()
	if e.before != nil {
		e.before(n)
	}
	a := e.model(in)
	if a.raw != nil {
		a.raw(w, in)
		return
	}
	stream(w, in, a)
}

func stream(w http.ResponseWriter, in request, a answer) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	piece := func(delta, finish string) {
		fmt.Fprintf(w, `data: {"id":"chatcmpl-B9MB","object":"chat.completion.chunk","created":1741569952,"model":%s,"service_tier":"default","system_fingerprint":"fp_1","choices":[{"index":0,"delta":%s,"logprobs":null,"finish_reason":%s}],"usage":null}`+"\n\n", quoted(in.Model), delta, finish)
		w.(http.Flusher).Flush()
	}
	piece(`{"role":"assistant","content":"","refusal":null}`, "null")
	for rest := a.text; rest != ""; {
		n := min(len(rest), 40)
		for n < len(rest) && rest[n]&0xC0 == 0x80 { // not within a letter
			n++
		}
		piece(`{"content":`+quoted(rest[:n])+`}`, "null")
		rest = rest[n:]
	}
	for i, c := range a.calls {
		piece(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"call_%d_%d","type":"function","function":{"name":%s,"arguments":""}}]}`, i, in.turns(), i, quoted(c.name)), "null")
		for rest := c.arguments; rest != ""; {
			n := min(len(rest), 30)
			for n < len(rest) && rest[n]&0xC0 == 0x80 {
				n++
			}
			piece(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, i, quoted(rest[:n])), "null")
			rest = rest[n:]
		}
	}
	finish := a.finish
	if finish == "" {
		if finish = "stop"; len(a.calls) > 0 {
			finish = "tool_calls"
		}
	}
	piece(`{}`, quoted(finish))
	if in.StreamOptions != nil && in.StreamOptions.IncludeUsage {
		prompt := 0
		for _, m := range in.Messages {
			prompt += len(m.Content) / 4
		}
		fmt.Fprintf(w, `data: {"id":"chatcmpl-B9MB","object":"chat.completion.chunk","created":1741569952,"model":%s,"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":0}}}`+"\n\n",
			quoted(in.Model), prompt, 1+len(a.text)/4, prompt+1+len(a.text)/4)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// refuse answers with an error, as the hosted endpoints write it.
func refuse(code int, message string, headers ...string) func(http.ResponseWriter, request) {
	return func(w http.ResponseWriter, _ request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"error":{"message":%s,"type":"invalid_request_error","param":null,"code":null}}`, quoted(message))
	}
}

// cutsConnection sends the beginning of a stream and closes the connection.
func cutsConnection(w http.ResponseWriter, _ request) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"The first wo"},"finish_reason":null}]}`+"\n\n")
	w.(http.Flusher).Flush()
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

// emptyChoices answers with a stream without choices.
func emptyChoices(w http.ResponseWriter, _ request) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[]}`+"\n\ndata: [DONE]\n\n")
}

// role returns the role of a conversation, by the beginning of its brief.
func (r request) role() string {
	system, user := r.Messages[0].Content, r.Messages[1].Content
	switch {
	case strings.HasPrefix(system, "You are one of several searchers"):
		return "searcher"
	case strings.HasPrefix(system, "You write the final text"):
		return "text"
	case strings.HasPrefix(system, "You mend sentences"):
		return "mending"
	case strings.HasPrefix(system, "You are the author of a text"):
		return "author"
	case strings.HasPrefix(user, "You are the CRITIC of a draft"):
		return "draft critic"
	case strings.Contains(user, "COMPLETENESS CRITIC"):
		return "critic"
	case strings.HasPrefix(user, "Judge how much"):
		return "coverage"
	case strings.HasPrefix(user, "You write the synthesis"):
		return "synthesis"
	}
	return "unknown"
}
