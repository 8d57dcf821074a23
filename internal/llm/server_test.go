package llm

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

const secret = "sk-proj-7f3A0c9Dd2E1b8"

// asked is a request that the endpoint receives.
type asked struct {
	path          string
	header        http.Header
	Model         string
	Stream        bool
	MaxTokens     int `json:"max_tokens"`
	MaxCompletion int `json:"max_completion_tokens"`
	Temperature   *float64
	StreamOptions *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	Format struct {
		Type   string
		Schema struct {
			Name   string
			Strict bool
			Schema map[string]any
		} `json:"json_schema"`
	} `json:"response_format"`
	Messages []struct {
		Role, Content string
		ToolCallID    string `json:"tool_call_id"`
		ToolCalls     []struct {
			ID, Type string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
	}
	Tools []struct {
		Type     string
		Function struct {
			Name, Description string
			Parameters        map[string]any
		}
	}
}

func (a asked) format() string {
	if a.Format.Type == "" {
		return FormatPlain
	}
	return a.Format.Type
}

type step func(w http.ResponseWriter, r *http.Request, a asked)

// script is an endpoint that answers the nth request with the nth step, and later ones with the last step.
type script struct {
	t     testing.TB
	steps []step
	mu    sync.Mutex
	seen  []asked
}

func (s *script) requests() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]asked(nil), s.seen...)
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	a := asked{path: r.URL.Path, header: r.Header.Clone()}
	if err == nil {
		err = json.Unmarshal(body, &a)
	}
	if err != nil || r.Method != http.MethodPost || len(a.Messages) == 0 || !a.Stream || r.Header.Get("Content-Type") != "application/json" {
		s.t.Errorf("not a request for a streamed completion: %s %v %s (%v)", r.Method, r.Header, body, err)
		w.WriteHeader(http.StatusTeapot)
		return
	}
	s.mu.Lock()
	n := len(s.seen)
	s.seen = append(s.seen, a)
	s.mu.Unlock()
	s.steps[min(n, len(s.steps)-1)](w, r, a)
}

// serve starts an endpoint and a client for it that does not wait between attempts.
func serve(t *testing.T, steps ...step) (*Client, *script) {
	t.Helper()
	s := &script{t: t, steps: steps}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	c, err := New(Config{URL: server.URL, Model: "m", Key: NewKey(secret), MaxRetryDelay: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func respond(code int, contentType, body string, headers ...string) step {
	return func(w http.ResponseWriter, _ *http.Request, _ asked) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func refuses(code int, message string, headers ...string) step {
	return respond(code, "application/json", fmt.Sprintf(`{"error":{"message":%s,"type":"error","param":null,"code":null}}`, quoted(message)), headers...)
}

// piece is one event of a stream.
func piece(delta, finish string) string {
	return `data: {"id":"chatcmpl-B9MB","object":"chat.completion.chunk","created":1741569952,"model":"m","system_fingerprint":"fp_1","choices":[{"index":0,"delta":` +
		delta + `,"logprobs":null,"finish_reason":` + finish + "}]}\n\n"
}

const (
	usageEvent = `data: {"id":"chatcmpl-B9MB","object":"chat.completion.chunk","created":1741569952,"model":"m","choices":[],"usage":{"prompt_tokens":700,"completion_tokens":60,"total_tokens":760,"prompt_tokens_details":{"cached_tokens":0}}}` + "\n\n"
	done       = "data: [DONE]\n\n"
)

// streams answers as hosted endpoints do: the role first, text in pieces, the reason of the end, the usage, [DONE].
func streams(text string) step { return streamed(text, "stop") }

func streamed(text, finish string) step {
	body := piece(`{"role":"assistant","content":"","refusal":null}`, "null") + ": a comment, as gateways send while they wait\n\n"
	for _, word := range strings.SplitAfter(text, " ") {
		body += piece(`{"content":`+quoted(word)+`}`, "null")
	}
	return respond(200, "text/event-stream; charset=utf-8", body+piece("{}", quoted(finish))+usageEvent+done)
}

// whole returns an answer that is not streamed.
func whole(text string) string {
	return `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":` + quoted(text) +
		`},"finish_reason":"stop"}],"usage":{"prompt_tokens":700,"completion_tokens":60,"total_tokens":760}}`
}

// cuts sends the beginning of an answer and closes the connection.
func cuts(contentType, body string) step {
	return func(w http.ResponseWriter, _ *http.Request, _ asked) {
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		if body != "" {
			fmt.Fprintf(rw, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", contentType, 2*len(body), body)
			_ = rw.Flush()
		}
		_ = conn.Close()
	}
}

// openAI refuses what reasoning models of the hosted API refuse, in its words.
func openAI(text string) step {
	return func(w http.ResponseWriter, r *http.Request, a asked) {
		unsupported := func(param, message string) {
			respond(400, "application/json", fmt.Sprintf(`{"error":{"message":%s,"type":"invalid_request_error","param":%q,"code":"unsupported_parameter"}}`, quoted(message), param))(w, r, a)
		}
		switch {
		case a.header.Get("Authorization") != "Bearer "+secret:
			refuses(401, "Incorrect API key provided: sk-proj-****d2E1b8.")(w, r, a)
		case a.MaxTokens != 0:
			unsupported("max_tokens", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.")
		case a.Temperature != nil:
			unsupported("temperature", "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.")
		case a.Format.Type == "json_schema" && (!a.Format.Schema.Strict || a.Format.Schema.Name == ""):
			unsupported("response_format", "Missing required parameter: 'response_format.json_schema.name'.")
		default:
			streams(text)(w, r, a)
		}
	}
}

// ollama knows one model and no key. It gives every tool call the same index, and reports the end with them.
func ollama(text string) step {
	return func(w http.ResponseWriter, r *http.Request, a asked) {
		event := func(delta, finish string) string {
			return `data: {"id":"chatcmpl-401","object":"chat.completion.chunk","created":1741569952,"model":"m","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + "}]}\n\n"
		}
		switch {
		case a.path != "/v1/chat/completions":
			respond(404, "text/plain", "404 page not found")(w, r, a)
		case a.Model != "m":
			respond(404, "application/json", fmt.Sprintf(`{"error":{"message":"model \"%s\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`, a.Model))(w, r, a)
		case len(a.Tools) > 0:
			body := ""
			for i, tool := range a.Tools {
				body += event(fmt.Sprintf(`{"role":"assistant","content":"","tool_calls":[{"id":"call_%d","index":0,"type":"function","function":{"name":%q,"arguments":"{\"n\":%d}"}}]}`, i, tool.Function.Name, i), "null")
			}
			respond(200, "text/event-stream", body+event(`{"role":"assistant","content":""}`, `"tool_calls"`)+done)(w, r, a)
		default:
			respond(200, "text/event-stream", event(`{"role":"assistant","content":`+quoted("<think>hm, {} </think>"+text)+`}`, "null")+event(`{"role":"assistant","content":""}`, `"stop"`)+done)(w, r, a)
		}
	}
}

// llamaServer is a build without structured output. Its errors have a number as code, and its answers have timings
// beside the usage.
func llamaServer(text string) step {
	return func(w http.ResponseWriter, r *http.Request, a asked) {
		switch {
		case a.format() == FormatSchema:
			respond(400, "application/json", `{"error":{"code":400,"message":"response_format type must be one of \"text\" or \"json_object\", but got: json_schema","type":"invalid_request_error"}}`)(w, r, a)
		case len(a.Messages[0].Content) > 4000:
			respond(400, "application/json", `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`)(w, r, a)
		default:
			respond(200, "text/event-stream", `data: {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"created":1,"id":"chatcmpl-x","model":"gpt-3.5-turbo","object":"chat.completion.chunk"}`+"\n\n"+
				`data: {"choices":[{"finish_reason":null,"index":0,"delta":{"content":`+quoted(text)+`}}],"created":1,"id":"chatcmpl-x","model":"gpt-3.5-turbo","object":"chat.completion.chunk"}`+"\n\n"+
				`data: {"choices":[{"finish_reason":"stop","index":0,"delta":{}}],"created":1,"id":"chatcmpl-x","model":"gpt-3.5-turbo","object":"chat.completion.chunk"}`+"\n\n"+
				`data: {"choices":[],"created":1,"id":"chatcmpl-x","model":"gpt-3.5-turbo","object":"chat.completion.chunk","usage":{"completion_tokens":60,"prompt_tokens":700,"total_tokens":760},"timings":{"prompt_n":700,"prompt_ms":12.5}}`+"\n\n"+done)(w, r, a)
		}
	}
}
