package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/openai/openai-go"
)

const secret = "sk-hunter2-0123456789"

func serve(t *testing.T, h http.HandlerFunc, change ...func(*Config)) *Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	cfg := Config{URL: server.URL, Model: "m", Key: secret}
	for _, c := range change {
		c(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func answers(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body)
}

const fine = `{"choices":[{"index":0,"message":{"role":"assistant","content":"<think>hm</think> ` +
	`Yes."},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`

func ask(t *testing.T, c *Client) (Answer, error) {
	t.Helper()
	return c.Complete(t.Context(), []Message{openai.SystemMessage("s"), openai.UserMessage("u")},
		[]Tool{{Function: openai.FunctionDefinitionParam{Name: "look"}}})
}

// A request has the key in one header, the model, the messages and the tools, and nothing of the environment.
func TestComplete(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-another-address")
	t.Setenv("OPENAI_ORG_ID", "org-1")
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Model    string
			Messages []struct{ Role, Content string }
			Tools    []struct{ Function struct{ Name string } }
		}
		body, _ := io.ReadAll(r.Body)
		if json.Unmarshal(body, &in) != nil || r.URL.Path != "/v1/chat/completions" || in.Model != "m" || len(in.Messages) != 2 ||
			in.Messages[1].Content != "u" || len(in.Tools) != 1 {
			t.Errorf("%s %s", r.URL, body)
		}
		if r.Header.Get("Authorization") != "Bearer "+secret || strings.Contains(fmt.Sprint(r.Header), "org-1") {
			t.Errorf("headers %v", r.Header)
		}
		answers(w, fine)
	})
	got, err := ask(t, c)
	if err != nil || got.Text != "Yes." || got.Tokens != 9 {
		t.Errorf("%+v, %v", got, err)
	}
	call := `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look",` +
		`"arguments":"{}"}}]},"finish_reason":"length"}]}`
	got, err = ask(t, serve(t, func(w http.ResponseWriter, _ *http.Request) { answers(w, call) }))
	if err != nil || len(got.Calls) != 1 || got.Calls[0].ID != "c1" || got.Calls[0].Function.Name != "look" || got.Tokens == 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Errors have a code, and never the key, the address or the request.
func TestErrors(t *testing.T) {
	t.Parallel()
	status := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("X-Should-Retry", "false")
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}
	}
	said := fmt.Sprintf(`{"error":{"message":"Incorrect API key provided: %s","code":"invalid_api_key"}}`, secret)
	for name, tt := range map[string]struct {
		handler http.HandlerFunc
		code    Code
		want    string
	}{
		"key":     {status(401, said), CodeRefused, "401 Unauthorized: Incorrect API key provided: [key]; check the key"},
		"no JSON": {status(403, "go away, "+secret), CodeRefused, "403 Forbidden; check the key"},
		"too long": {status(400, `{"error": {"message": "This model's maximum context length is 8192 tokens"}}`), CodeAnswer,
			"maximum context length"},
		"not found":  {status(404, `{}`), CodeRefused, "the name of the model"},
		"rate limit": {status(429, `{"error": {"message": "slow down"}}`), CodeUnavailable, "slow down; try again later"},
		"redirect":   {status(307, ""), CodeRefused, "307 Temporary Redirect; check the address"},
		"web page": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<!DOCTYPE html><p>Hi") }, CodeRefused,
			"most often ends in /v1"},
		"no choices":   {func(w http.ResponseWriter, _ *http.Request) { answers(w, `{}`) }, CodeAnswer, "no chat completion"},
		"no JSON body": {func(w http.ResponseWriter, _ *http.Request) { answers(w, `{"choices": [`) }, CodeAnswer, "no chat completion"},
		"refusal": {func(w http.ResponseWriter, _ *http.Request) {
			answers(w, `{"choices":[{"message":{"refusal":"I will not."}}]}`)
		}, CodeAnswer, "refused"},
		"filter": {func(w http.ResponseWriter, _ *http.Request) {
			answers(w, `{"choices":[{"message":{},"finish_reason":"content_filter"}]}`)
		}, CodeAnswer, "refused"},
		"too large": {func(w http.ResponseWriter, _ *http.Request) {
			answers(w, `{"choices":[{"message":{"content":"`+strings.Repeat("x", maxAnswerBytes)+`"}}]}`)
		}, CodeAnswer, "larger than 2 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ask(t, serve(t, tt.handler))
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Code != tt.code || !strings.Contains(e.Error(), tt.want) || strings.Contains(e.Error(), "hunter2") {
				t.Errorf("%v, want %s with %q", err, tt.code, tt.want)
			}
		})
	}
}

// A request ends with its context, also while the library waits.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	asked := make(chan bool, 1)
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "50")
		w.WriteHeader(http.StatusTooManyRequests)
		asked <- true
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := c.Complete(ctx, []Message{openai.UserMessage("u")}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that of the context", err)
	}
	c, err := New(Config{URL: "http://127.0.0.1:1", Model: "m", Retries: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ask(t, c); err == nil || strings.Contains(err.Error(), "/v1") || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Error(err)
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ url, model, key, want string }{
		{"", "m", "", "missing or invalid address"},
		{"ftp://a.example", "m", "", "missing or invalid address"},
		{"http://a.example/v1", "m", "", "plain http sends the key"},
		{"https://user:" + secret + "@a.example", "m", "", "must not contain a user name"},
		{"https://a.example?key=" + secret, "m", "", "must not contain"},
		{"https://a.example", " ", "", "missing model"},
		{"https://a.example", "m", secret + "\nx", "invalid characters in the key"},
	} {
		_, err := New(Config{URL: tt.url, Model: tt.model, Key: tt.key})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v, want %q", tt.url, err, tt.want)
		}
	}
	for raw, want := range map[string]string{"https://a.example": "https://a.example/v1/",
		"http://localhost:1/v1/chat/completions": "http://localhost:1/v1/", "http+insecure://lan:2/api/": "http://lan:2/api/"} {
		if u, err := parseAddress(raw); err != nil || u.String() != want {
			t.Errorf("%s: %v, %v", raw, u, err)
		}
	}
}
