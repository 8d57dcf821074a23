package research

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const aStream = `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

: a comment, as some gateways send while they wait

data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"It is so."},"finish_reason":null}]}

data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":70,"completion_tokens":5,"total_tokens":75}}

data: [DONE]

`

type response struct {
	code    int
	kind    string // Content-Type
	body    string
	headers map[string]string
}

func ok(body string) response { return response{code: 200, kind: "text/event-stream", body: body} }

func fails(code int, message string, headers ...string) response {
	r := response{code: code, kind: "application/json", body: fmt.Sprintf(`{"error":{"message":%q,"type":"t","param":null,"code":null}}`, message), headers: map[string]string{}}
	for i := 0; i+1 < len(headers); i += 2 {
		r.headers[headers[i]] = headers[i+1]
	}
	return r
}

// asked is a model behind an endpoint that answers with each response in turn, then with the last again and again.
func asked(t *testing.T, responses ...response) (m *Model, waits *[]time.Duration, bodies *[]string) {
	t.Helper()
	waits, bodies = &[]time.Duration{}, &[]string{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*bodies = append(*bodies, string(body))
		for name := range r.Header {
			if strings.HasPrefix(name, "X-Stainless") {
				t.Errorf("the header %s went out", name)
			}
		}
		a := responses[min(len(*bodies), len(responses))-1]
		w.Header().Set("Content-Type", a.kind)
		for k, v := range a.headers {
			w.Header().Set(k, v)
		}
		w.WriteHeader(a.code)
		_, _ = io.WriteString(w, a.body)
	}))
	t.Cleanup(s.Close)
	m, err := NewModel(ModelConfig{URL: s.URL, Name: "m", Key: "sk-secret", Wait: func(ctx context.Context, d time.Duration) error {
		*waits = append(*waits, d)
		return ctx.Err()
	}})
	if err != nil {
		t.Fatal(err)
	}
	return m, waits, bodies
}

func TestAsk(t *testing.T) {
	const whole = `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"It is so."},"finish_reason":"stop"}],"usage":{"prompt_tokens":70,"completion_tokens":5}}`
	tests := []struct {
		name      string
		responses []response
		want      string // the text
		err       string
		kind      ErrorKind
		waits     []time.Duration
		requests  int
	}{
		{"a stream", []response{ok(aStream)}, "It is so.", "", 0, nil, 1},
		{"an endpoint that does not stream", []response{{code: 200, kind: "application/json", body: whole}}, "It is so.", "", 0, nil, 1},
		{"Retry-After", []response{fails(429, "slow down", "Retry-After", "7"), ok(aStream)}, "It is so.", "", 0, []time.Duration{7 * time.Second}, 2},
		{"Retry-After in milliseconds", []response{fails(429, "slow down", "Retry-After-Ms", "250"), ok(aStream)}, "It is so.", "", 0, []time.Duration{250 * time.Millisecond}, 2},
		{"Retry-After of an hour", []response{fails(429, "slow down", "Retry-After", "3600")}, "", "the endpoint limits the rate (429 Too Many Requests): slow down. It asks to wait 1h0m0s", Unavailable, nil, 1},
		{"trouble that passes", []response{fails(503, "overloaded"), fails(500, "oops"), ok(aStream)}, "It is so.", "", 0, []time.Duration{time.Second, 2 * time.Second}, 3},
		{"trouble that stays", []response{fails(500, "oops")}, "", "the endpoint has trouble (500 Internal Server Error): oops", Unavailable, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}, 5},
		{"cut in the middle", []response{ok(aStream[:strings.Index(aStream, `"finish_reason":"stop"`)-60]), ok(aStream)}, "It is so.", "", 0, []time.Duration{time.Second}, 2},
		{"an error in the stream", []response{ok("data: {\"error\":{\"message\":\"CUDA out of memory for sk-secret\"}}\n\n"), ok(aStream)}, "It is so.", "", 0, []time.Duration{time.Second}, 2},
		{"an error in the stream, always", []response{ok("data: {\"error\":{\"message\":\"CUDA out of memory for sk-secret\"}}\n\n")}, "", "broke off the answer: CUDA out of memory for [key]", Unavailable, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}, 5},
		{"not JSON in the stream, always", []response{ok("data: {]\n\n")}, "", "cannot be read", Unavailable, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}, 5},
		{"max_tokens is not taken", []response{fails(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."), fails(400, "temperature does not support 0.2"), ok(aStream)}, "It is so.", "", 0, nil, 3},
		{"stream_options is not taken", []response{fails(400, "unknown field stream_options"), ok(aStream)}, "It is so.", "", 0, nil, 2},
		{"too long", []response{fails(400, "This model's maximum context length is 8192 tokens"), ok(aStream)}, "It is so.", "", 0, nil, 2},
		{"a web page", []response{{code: 200, kind: "text/html; charset=utf-8", body: "<html>"}}, "", "leads to a web page", Misconfigured, nil, 1},
		{"wrong key", []response{fails(401, "wrong key sk-secret")}, "", "does not accept the key (401 Unauthorized)", Misconfigured, nil, 1},
		{"moved", []response{{code: 301, headers: map[string]string{"Location": "https://elsewhere.example/"}}}, "", "leads elsewhere (301 Moved Permanently)", Misconfigured, nil, 1},
		{"an error in a 200", []response{{code: 200, kind: "application/json", body: `{"error":"no worker"}`}, ok(aStream)}, "It is so.", "", 0, []time.Duration{time.Second}, 2},
		{"detail", []response{{code: 422, kind: "application/json", body: `{"detail":[{"msg":"tools"}]}`}}, "", "refuses the request (422 Unprocessable Entity)", Misconfigured, nil, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, waits, bodies := asked(t, test.responses...)
			got, err := m.ask(t.Context(), newConversation("system", strings.Repeat("long ", 1000)), nil)
			if test.err == "" {
				if err != nil || got.text != test.want || got.tokens.Total() < 75 {
					t.Errorf("%q, %+v, %v", got.text, got.tokens, err)
				}
			} else if bad, ok := err.(*ModelError); !ok || !strings.Contains(err.Error(), test.err) || bad.Kind != test.kind || strings.Contains(err.Error(), "sk-secret") {
				t.Errorf("%v, want %q", err, test.err)
			}
			if diff := cmp.Diff(test.waits, append([]time.Duration(nil), *waits...)); diff != "" {
				t.Errorf("waits (-want +got):\n%s", diff)
			}
			if len(*bodies) != test.requests {
				t.Errorf("%d requests, want %d", len(*bodies), test.requests)
			}
		})
	}
}

// What an endpoint refused once is not tried again.
func TestDialectIsRemembered(t *testing.T) {
	m, _, bodies := asked(t, fails(400, "use max_completion_tokens instead of max_tokens"), ok(aStream))
	for range 2 {
		if _, err := m.ask(t.Context(), newConversation("s", "u"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(*bodies) != 3 || !strings.Contains((*bodies)[2], "max_completion_tokens") || strings.Contains((*bodies)[2], `"max_tokens"`) {
		t.Errorf("%d requests: %q", len(*bodies), *bodies)
	}
}

// Calls of servers that give all of them one index, or no id, are told apart.
func TestCallsOfLooseServers(t *testing.T) {
	piece := func(delta, finish string) string {
		return `data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + "}]}\n\n"
	}
	m, _, _ := asked(t, ok(piece(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"fetch","arguments":"{\"urls\":"}}]}`, "null")+
		piece(`{"tool_calls":[{"index":0,"function":{"arguments":"[]}"}}]}`, "null")+
		piece(`{"tool_calls":[{"index":0,"id":"b","type":"function","function":{"name":"fetch","arguments":"{}"}}]}`, "null")+
		piece(`{"tool_calls":[{"index":7,"function":{"name":"find_passages","arguments":"{}"}}]}`, `"tool_calls"`)+"data: [DONE]\n\n"))
	got, err := m.ask(t.Context(), newConversation("s", "u"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []toolCall{{ID: "a", Name: "fetch", Arguments: `{"urls":[]}`}, {ID: "b", Name: "fetch", Arguments: "{}"}, {ID: "call_3", Name: "find_passages", Arguments: "{}"}}
	if diff := cmp.Diff(want, got.calls, cmp.AllowUnexported(toolCall{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !got.tokens.Estimated || got.tokens.Completion == 0 {
		t.Errorf("tokens that nobody told: %+v", got.tokens)
	}
}

// A stream that falls silent is given up, and the answer asked for again.
func TestSilence(t *testing.T) {
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if n++; n > 1 {
			_, _ = io.WriteString(w, aStream)
			return
		}
		_, _ = io.WriteString(w, aStream[:strings.Index(aStream, "It is so.")-100])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer s.Close()
	m, err := NewModel(ModelConfig{URL: s.URL, Name: "m", SilentTime: 20 * time.Millisecond, Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.ask(t.Context(), newConversation("s", "u"), nil); err != nil || got.text != "It is so." {
		t.Errorf("%q, %v", got.text, err)
	}
}

func TestUnreachable(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for url, want := range map[string]string{
		closed.URL:                        "nothing listens at 127.0.0.1",
		"https://no-such-host.invalid/v1": "there is no host no-such-host.invalid",
	} {
		m, err := NewModel(ModelConfig{URL: url, Name: "m"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.ask(t.Context(), newConversation("s", "u"), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestModelConfig(t *testing.T) {
	tests := []struct {
		name    string
		cfg     ModelConfig
		setting string
	}{
		{"loopback", ModelConfig{URL: "http://127.0.0.1:11434/v1", Name: "m"}, ""},
		{"the whole address", ModelConfig{URL: "https://a.example/v1/chat/completions", Name: "m"}, ""},
		{"a network that is trusted", ModelConfig{URL: "http+insecure://10.0.0.2/v1", Name: "m"}, ""},
		{"in clear to another machine", ModelConfig{URL: "http://a.example/v1", Name: "m"}, "URL"},
		{"a password", ModelConfig{URL: "https://u:hunter2@a.example/v1", Name: "m"}, "URL"},
		{"a query", ModelConfig{URL: "https://a.example/v1?key=hunter2", Name: "m"}, "URL"},
		{"no scheme", ModelConfig{URL: "a.example", Name: "m"}, "URL"},
		{"nothing", ModelConfig{Name: "m"}, "URL"},
		{"no name", ModelConfig{URL: "https://a.example/v1"}, "Name"},
		{"a key with a line break", ModelConfig{URL: "https://a.example/v1", Name: "m", Key: "hunter2\nx"}, "Key"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := NewModel(test.cfg)
			wrong, _ := err.(*ConfigError)
			if (test.setting == "") != (err == nil) || wrong != nil && (wrong.Setting != test.setting || strings.Contains(err.Error(), "hunter2")) {
				t.Errorf("%v", err)
			}
			if err == nil && strings.Contains(fmt.Sprintf("%v %+v %#v %s", m, m, m, m), "sk-") {
				t.Error("the key is printed")
			}
		})
	}
}

func TestShorten(t *testing.T) {
	c := newConversation("system", strings.Repeat("a", 8000))
	c.heard(reply{calls: []toolCall{{ID: "1", Name: "fetch", Arguments: "no json"}}})
	c.answered("1", strings.Repeat("b", 5000))
	c.heard(reply{text: "more"})
	c.say("go on")
	var sizes []int
	for c.shorten() {
		n := 0
		for _, m := range c.messages {
			n += len(m.text)
		}
		sizes = append(sizes, n)
	}
	if len(sizes) < 3 || c.messages[3].text != leftOut || c.messages[0].text != "system" || sizes[len(sizes)-1] > 2*shortEnough {
		t.Errorf("%v", sizes)
	}
	if args := c.messages[2].calls[0].Arguments; args != "{}" || !json.Valid([]byte(args)) {
		t.Errorf("arguments %q go back", args)
	}
}
