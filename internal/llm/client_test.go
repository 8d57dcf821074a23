package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const text = "It is so, and it has been."

var schema = &Schema{Name: "opinion", JSON: json.RawMessage(`{"type":"object","properties":{"verdict":{"type":"string"}},"required":["verdict"],"additionalProperties":false}`)}

// ask returns a request of 160 characters.
func ask(s *Schema) Request {
	return Request{Schema: s, Messages: []Message{{Role: RoleSystem, Text: strings.Repeat("sys ", 20)}, {Role: RoleUser, Text: strings.Repeat("ask ", 20)}}}
}

func TestComplete(t *testing.T) {
	reported := Usage{Prompt: 700, Completion: 60}
	for _, row := range []struct {
		name     string
		steps    []step
		want     string // the text
		code     Code
		problem  string // a part of the error
		requests int
		usage    Usage // for an estimate, only that it is estimated
	}{
		{"a stream", []step{streams(text)}, text, "", "", 1, reported},
		{"an endpoint that does not stream", []step{respond(200, "application/json", whole(text))}, text, "", "", 1, reported},
		{"JSON labelled as text", []step{respond(200, "text/plain; charset=utf-8", whole(text))}, text, "", "", 1, reported},
		{"no usage", []step{respond(200, "text/event-stream", piece(`{"content":"`+text+`"}`, `"stop"`)+done)}, text, "", "", 1, Usage{Estimated: true}},
		{"absurd usage", []step{respond(200, "text/event-stream", piece(`{"content":"`+text+`"}`, `"stop"`)+`data: {"choices":[],"usage":{"prompt_tokens":900000000000000,"completion_tokens":-5}}`+"\n\n"+done)}, text, "", "", 1, Usage{Estimated: true}},
		{"no [DONE]", []step{respond(200, "text/event-stream", piece(`{"content":"`+text+`"}`, `"stop"`)+usageEvent)}, text, "", "", 1, reported},
		{"reasoning in the text", []step{streams("<think>maybe not</think>\n" + text)}, text, "", "", 1, reported},
		{"reasoning that the template opened", []step{streams("maybe not</think>\n" + text)}, text, "", "", 1, reported},
		{"reasoning alone", []step{streams("<think>maybe not")}, "", "", "", 1, reported},
		{"not UTF-8", []step{respond(200, "text/event-stream", piece("{\"content\":\"a\xff\"}", `"stop"`)+usageEvent+done)}, "a�", "", "", 1, reported},

		{"a rate limit, once", []step{refuses(429, "slow down", "Retry-After-Ms", "1"), streams(text)}, text, "", "", 2, reported},
		{"a server error, once", []step{refuses(500, "oops"), streams(text)}, text, "", "", 2, reported},
		{"a server error, twice", []step{refuses(503, "busy"), refuses(500, "oops"), streams(text)}, text, "", "", 3, reported},
		{"server errors, always", []step{refuses(500, "oops")}, "", CodeUnavailable, "(500 Internal Server Error): oops", 3, Usage{}},
		{"a rate limit of an hour", []step{refuses(429, "slow down", "Retry-After", "3600")}, "", CodeRateLimit, "slow down; it asks to wait 1h0m0s", 1, Usage{}},
		{"an unknown status", []step{respond(529, "application/json", `{"message":"overloaded"}`)}, "", CodeUnavailable, "(529): overloaded", 3, Usage{}},
		{"closed before the answer, once", []step{cuts("", ""), streams(text)}, text, "", "", 2, reported},
		{"broken off in a stream, once", []step{respond(200, "text/event-stream", piece(`{"content":"It is"}`, "null")), streams(text)}, text, "", "", 2, Usage{Estimated: true}},
		{"closed in a stream, once", []step{cuts("text/event-stream", piece(`{"content":"It is"}`, "null")), streams(text)}, text, "", "", 2, Usage{Estimated: true}},
		{"closed in one piece, once", []step{cuts("application/json", `{"choices":[`), streams(text)}, text, "", "", 2, Usage{Estimated: true}},
		{"closed, always", []step{cuts("application/json", `{"choices":[`)}, "", CodeUnavailable, "closed the connection", 3, Usage{Estimated: true}},
		{"an error in a stream, once", []step{respond(200, "text/event-stream", `data: {"error":{"message":"CUDA out of memory"}}`+"\n\n"), streams(text)}, text, "", "", 2, Usage{Estimated: true}},
		{"an error in a stream, without end", []step{respond(200, "text/event-stream", `data: {"error":{"message":"CUDA out of memory for `+secret+`"}}`+"\n\n")}, "", CodeUnavailable, "CUDA out of memory for [key]", 3, Usage{Estimated: true}},
		{"an error with status 200", []step{respond(200, "application/json", `{"error":{"message":"no worker for `+secret+`","code":502}}`)}, "", CodeUnavailable, "reports an error: no worker for [key]", 3, Usage{}},
		{"not JSON in a stream", []step{respond(200, "text/event-stream", "data: {]\n\n")}, "", CodeUnavailable, "cannot be read", 3, Usage{Estimated: true}},
		{"not JSON", []step{respond(200, "application/json", `{"choices":7]`)}, "", CodeUnavailable, "cannot be read", 3, Usage{Estimated: true}},
		{"an empty body", []step{respond(200, "application/json", "")}, "", CodeUnavailable, "closed the connection", 3, Usage{Estimated: true}},
		{"no choices", []step{respond(200, "application/json", `{"object":"chat.completion","choices":[]}`)}, "", CodeBadAnswer, "has no choices", 3, Usage{Estimated: true}},
		{"no choices in a stream", []step{respond(200, "text/event-stream", `data: {"choices":[]}`+"\n\n"+done)}, "", CodeBadAnswer, "has no choices", 3, Usage{Estimated: true}},
		{"an end for an unknown reason", []step{streamed(text, "error")}, "", CodeBadAnswer, "broke off", 3, Usage{Prompt: 2100, Completion: 180}},

		{"a refusal", []step{respond(200, "text/event-stream", piece(`{"refusal":"I cannot help with that."}`, `"stop"`)+usageEvent+done)}, "", CodeRefused, "refused: I cannot help with that.", 1, reported},
		{"a content filter", []step{streamed("", "content_filter")}, "", CodeFiltered, "content filter", 1, reported},
		{"a content filter of the prompt", []step{respond(400, "application/json", `{"error":{"message":"no","code":"content_filter"}}`)}, "", CodeFiltered, "content filter", 1, Usage{}},
		{"an answer without end", []step{respond(200, "text/event-stream", strings.Repeat(piece(`{"content":"`+strings.Repeat("x", 30_000)+`"}`, "null"), 40))}, "", CodeBadAnswer, "larger than 1 MB", 1, Usage{Estimated: true}},
		{"an answer without end in one piece", []step{respond(200, "application/json", whole(strings.Repeat("x", maxAnswerBytes+1)))}, "", CodeBadAnswer, "larger than 1 MB", 1, reported},
		{"a body without end", []step{respond(200, "application/json", whole(strings.Repeat("x", 3*maxAnswerBytes)))}, "", CodeBadAnswer, "larger than 1 MB", 1, Usage{Estimated: true}},
		{"an event without end", []step{respond(200, "text/event-stream", piece(`{"content":"`+strings.Repeat("x", 3*maxAnswerBytes)+`"}`, "null"))}, "", CodeBadAnswer, "larger than 1 MB", 1, Usage{Estimated: true}},
		{"events of several lines, with comments and CRLF", []step{respond(200, "text/event-stream", ": ping\r\n\r\nevent: piece\r\ndata: {\"choices\":[{\"delta\":\r\ndata:{\"content\":\""+text+"\"},\"finish_reason\":\"stop\"}],\"error\":null}\r\n\r\n"+usageEvent+done)}, text, "", "", 1, reported},
		{"parts of other types", []step{respond(200, "application/json", `{"created":"now","choices":[{"index":"0","message":{"content":"`+text+`","tool_calls":{}},"finish_reason":7}],"usage":{"prompt_tokens":"700","completion_tokens":60}}`)}, text, "", "", 1, Usage{Estimated: true}},
		{"a refusal without end", []step{refuses(403, strings.Repeat("no ", 100_000))}, "", CodeRejected, "rejects the request (403 Forbidden)", 1, Usage{}},

		{"a web page", []step{respond(200, "text/html; charset=utf-8", "<!doctype html>")}, "", CodeNotFound, "web page", 1, Usage{}},
		{"a redirect", []step{respond(308, "text/plain", "", "Location", "/v2/chat/completions")}, "", CodeNotFound, "redirects to another address (308 Permanent Redirect)", 1, Usage{}},
		{"a wrong key", []step{refuses(401, "Incorrect API key provided: "+secret)}, "", CodeKey, "rejects the key (401 Unauthorized); check", 1, Usage{}},
		{"no credit", []step{refuses(402, "top up")}, "", CodeCredit, "(402 Payment Required): top up", 1, Usage{}},
		{"no quota", []step{respond(429, "application/json", `{"error":{"message":"exceeded","code":"insufficient_quota"}}`, "X-Should-Retry", "false")}, "", CodeCredit, "no credit", 1, Usage{}},
		{"no such model", []step{refuses(404, "The model 'm' does not exist")}, "", CodeNotFound, `unknown model "m"`, 1, Usage{}},
		{"no tools", []step{refuses(400, "m does not support tools")}, "", CodeNoTools, "cannot call tools", 1, Usage{}},
		{"too long", []step{refuses(400, "This model's maximum context length is 8192 tokens; max_tokens is too large")}, "", CodeTooLong, "does not fit", 1, Usage{}},
		{"the key in the words", []step{refuses(400, "Authorization: Bearer "+secret+" is odd")}, "", CodeRejected, "Bearer [key] is odd", 1, Usage{}},
		{"an error that is a text", []step{respond(400, "application/json", `{"error":"bad"}`)}, "", CodeRejected, "(400 Bad Request): bad", 1, Usage{}},
		{"an error of a validator", []step{respond(422, "application/json", `{"detail":[{"msg":"tools"}]}`)}, "", CodeRejected, `(422 Unprocessable Entity): [{"msg":"tools"}]`, 1, Usage{}},
		{"an error without words", []step{respond(400, "text/html", "<html>busy</html>")}, "", CodeRejected, "(400 Bad Request)", 1, Usage{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			c, s := serve(t, row.steps...)
			c.cfg.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			got, err := c.Complete(t.Context(), ask(nil))
			e, _ := errors.AsType[*Error](err)
			switch {
			case row.code == "" && (err != nil || got.Text != row.want):
				t.Errorf("%q, %v, want %q", got.Text, err, row.want)
			case row.code != "" && (e == nil || e.Code != row.code || !strings.Contains(err.Error(), row.problem)):
				t.Errorf("%v, want %s %q", err, row.code, row.problem)
			}
			if n := len(s.requests()); n != row.requests {
				t.Errorf("%d requests, want %d", n, row.requests)
			}
			if got.Usage.Estimated != row.usage.Estimated || !row.usage.Estimated && got.Usage != row.usage || row.usage.Estimated && (got.Usage.Prompt < 40 || got.Usage.Total() > maxTokensCounted+100) {
				t.Errorf("usage %+v, want %+v", got.Usage, row.usage)
			}
			if said := log.String() + " "; err != nil && strings.Contains(said+err.Error(), secret) {
				t.Errorf("the key is in %q, %q", said, err)
			}
		})
	}
}

// The client finds the dialect of each server and keeps it.
func TestServers(t *testing.T) {
	const answer = `{"verdict":"supported"}`
	for _, row := range []struct {
		name      string
		server    func(string) step
		format    string
		first     int // requests of the first call
		estimated bool
	}{
		{"OpenAI", openAI, FormatSchema, 3, false},
		{"Ollama", ollama, FormatSchema, 1, true},
		{"llama.cpp", llamaServer, FormatObject, 2, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, s := serve(t, row.server(answer))
			for i := range 2 {
				got, err := c.Complete(t.Context(), ask(schema))
				if err != nil || got.Text != answer || got.Format != row.format || got.Usage.Estimated != row.estimated || got.Usage.Total() == 0 {
					t.Fatalf("%+v, %v", got, err)
				}
				if n := len(s.requests()); n != row.first+i {
					t.Errorf("%d requests after %d calls, want %d", n, i+1, row.first+i)
				}
			}
			last := s.requests()[len(s.requests())-1]
			if last.path != "/v1/chat/completions" || last.format() != row.format || last.MaxTokens+last.MaxCompletion != 8_000 {
				t.Errorf("%+v", last)
			}
			if row.format == FormatSchema && cmp.Diff([]any{"verdict"}, last.Format.Schema.Schema["required"]) != "" {
				t.Errorf("the schema is sent as %v", last.Format.Schema.Schema)
			}
		})
	}
}

func TestTools(t *testing.T) {
	tools := []Tool{{Name: "search", Description: "Search.", Parameters: map[string]any{"type": "object"}}, {Name: "fetch"}}
	history := []Message{{Role: RoleSystem, Text: "s"}, {Role: RoleUser, Text: "u"}, {Role: RoleAssistant, Calls: []ToolCall{{ID: "a", Name: "search", Arguments: "{}"}}}, {Role: RoleTool, Text: "nothing", CallID: "a"}}
	loose := respond(200, "text/event-stream", piece(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"fetch","arguments":"{\"urls\":"}}]}`, "null")+
		piece(`{"tool_calls":[{"index":0,"function":{"arguments":"[]}"}}]}`, "null")+
		piece(`{"tool_calls":[{"index":7,"function":{"name":"find","arguments":"{"}}]}`, `"length"`)+done)
	for _, row := range []struct {
		name   string
		server step
		want   []ToolCall
	}{
		{"all calls with one index", ollama(""), []ToolCall{{ID: "call_0", Name: "search", Arguments: `{"n":0}`}, {ID: "call_1", Name: "fetch", Arguments: `{"n":1}`}}},
		{"in pieces, without an id, truncated", loose, []ToolCall{{ID: "a", Name: "fetch", Arguments: `{"urls":[]}`}, {ID: "call_2", Name: "find", Arguments: "{", Truncated: true}}},
		{"in one piece", respond(200, "application/json", `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"fetch","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`), []ToolCall{{ID: "x", Name: "fetch", Arguments: "{}"}}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, s := serve(t, row.server)
			got, err := c.Complete(t.Context(), Request{Messages: history, Tools: tools})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, got.Calls); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			sent := s.requests()[0]
			if len(sent.Tools) != 2 || sent.Tools[0].Type != "function" || sent.Tools[0].Function.Name != "search" || sent.Tools[0].Function.Parameters["type"] != "object" {
				t.Errorf("tools %+v", sent.Tools)
			}
			if m := sent.Messages; len(m) != 4 || m[2].Role != "assistant" || m[2].ToolCalls[0].Function.Name != "search" || m[3].Role != "tool" || m[3].ToolCallID != "a" {
				t.Errorf("messages %+v", m)
			}
			if got.Usage.Completion == 0 {
				t.Errorf("usage %+v", got.Usage)
			}
		})
	}
}

func TestTruncatedText(t *testing.T) {
	c, _ := serve(t, streamed("It is so, and", "length"))
	got, err := c.Complete(t.Context(), ask(nil))
	if err != nil || !got.Truncated || got.Text != "It is so, and" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestHeaders(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-the-environment")
	t.Setenv("OPENAI_ADMIN_KEY", "sk-admin-of-the-environment")
	t.Setenv("OPENAI_ORG_ID", "org-of-the-environment")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/elsewhere")
	c, s := serve(t, streams(text))
	if _, err := c.Complete(t.Context(), ask(nil)); err != nil {
		t.Fatal(err)
	}
	sent := s.requests()[0]
	if got := sent.header.Get("Authorization"); got != "Bearer "+secret {
		t.Errorf("Authorization is %q", got)
	}
	for name, values := range sent.header {
		if strings.Contains(strings.Join(values, " "), "of-the-environment") {
			t.Errorf("%s is %q", name, values)
		}
	}
	if sent.Model != "m" || sent.MaxTokens != 8_000 || sent.Temperature == nil || *sent.Temperature != 0 || sent.StreamOptions == nil || !sent.StreamOptions.IncludeUsage || sent.format() != FormatPlain {
		t.Errorf("%+v", sent)
	}
	c.cfg.Key = Key{}
	if _, err := c.Complete(t.Context(), ask(nil)); err != nil || s.requests()[1].header["Authorization"] != nil || !strings.HasSuffix(c.String(), ", without a key") {
		t.Errorf("without a key: %v, %q, %v", c, s.requests()[1].header["Authorization"], err)
	}
}

// A redirect would send the texts to a host that is not configured.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var followed atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
	defer other.Close()
	for _, code := range []int{301, 302, 303, 307, 308} {
		c, _ := serve(t, respond(code, "text/plain", "", "Location", other.URL))
		_, err := c.Complete(t.Context(), ask(nil))
		if e, ok := errors.AsType[*Error](err); !ok || !e.Permanent() {
			t.Errorf("%d: %v", code, err)
		}
	}
	if n := followed.Load(); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

// A request that cannot succeed is not retried.
func TestUnreachable(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	untrusted.StartTLS()
	defer untrusted.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	for _, row := range []struct{ name, url, want string }{
		{"nothing listens", closed.URL, "connection refused by 127.0.0.1"},
		{"no such host", "https://no-such-host.invalid/v1", "unknown host no-such-host.invalid"},
		{"untrusted certificate", untrusted.URL, "untrusted certificate of 127.0.0.1"},
		{"no TLS", strings.Replace(plain.URL, "http", "https", 1), "no TLS at 127.0.0.1"},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, err := New(Config{URL: row.url, Model: "m"}) // its retries would take seconds
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Complete(t.Context(), ask(nil))
			if e, ok := errors.AsType[*Error](err); !ok || e.Code != CodeUnreachable || !strings.Contains(err.Error(), row.want) || got.Usage != (Usage{}) {
				t.Errorf("%v, %+v, want %q", err, got.Usage, row.want)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	arrived := make(chan struct{})
	c, _ := serve(t, func(_ http.ResponseWriter, r *http.Request, _ asked) {
		close(arrived)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	got, err := c.Complete(ctx, ask(nil))
	if !errors.Is(err, context.Canceled) || got.Usage.Total() == 0 || !got.Usage.Estimated {
		t.Errorf("%v, %+v", err, got.Usage)
	}
	if got, err = c.Complete(ctx, ask(nil)); !errors.Is(err, context.Canceled) || got.Usage != (Usage{}) {
		t.Errorf("after the end: %v, %+v", err, got.Usage)
	}
}

// FuzzAnswer checks that any response gives an answer or an error, without a panic.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{whole(text), `{"choices":[{"message":{"content":null,"refusal":"no"}}]}`, `{"choices":[{"message":{"content":[{"type":"text"}]}}],"usage":{"prompt_tokens":-5}}`,
		`{"error":{"message":"x","code":400}}`, piece(`{"content":"a"}`, `"stop"`) + done, "data:{\ndata: }\n\ndata", ": ping\r\n\r\nevent: x\r\ndata: [DONE]\r\n\r\n", `{"choices":{}}`, `{"choices":[[[]]],"usage":"many"}`, `null`, strings.Repeat(`[`, 200)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var a assembly
		if err := a.whole(bytes.NewReader(raw)); err == nil {
			if _, e := a.finished(); e != nil && e.Error() == "" {
				t.Error("an error without words")
			}
		}
		var b assembly
		if err := b.stream(bytes.NewReader(raw), func() {}); err == nil {
			_, _ = b.finished()
		}
		var out struct{ Verdict string }
		_, _ = ReadObject(string(raw), &out, "verdict")
	})
}
