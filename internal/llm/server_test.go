package judge

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
)

// asked is a request as the endpoint sees it.
type asked struct {
	path          string
	header        http.Header
	Model         string
	MaxTokens     int `json:"max_tokens"`
	MaxCompletion int `json:"max_completion_tokens"`
	Temperature   *float64
	Format        struct {
		Type string
		JSON struct{ Strict bool } `json:"json_schema"`
	} `json:"response_format"`
	Messages []struct{ Role, Content string }
	Stream   bool
}

// question is what the request asks about.
func (a asked) question() string { return a.Messages[len(a.Messages)-1].Content }

func (a asked) format() string {
	if a.Format.Type == "" {
		return FormatPlain
	}
	return a.Format.Type
}

// endpointScript is an endpoint that answers the nth request by the nth step, and all further ones by the last.
type endpointScript struct {
	t     *testing.T
	steps []step
	mu    sync.Mutex
	seen  []asked
}

type step func(w http.ResponseWriter, r *http.Request, a asked)

func (s *endpointScript) requests() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]asked(nil), s.seen...)
}

func (s *endpointScript) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	a := asked{path: r.URL.Path, header: r.Header.Clone()}
	if err == nil {
		err = json.Unmarshal(body, &a)
	}
	if err != nil || r.Method != http.MethodPost || len(a.Messages) == 0 || a.Stream || r.Header.Get("Content-Type") != "application/json" {
		s.t.Errorf("not a request for a completion: %s %v %s (%v)", r.Method, r.Header, body, err)
		w.WriteHeader(http.StatusTeapot)
		return
	}
	s.mu.Lock()
	n := len(s.seen)
	s.seen = append(s.seen, a)
	s.mu.Unlock()
	s.steps[min(n, len(s.steps)-1)](w, r, a)
}

// completion is a whole answer of the API, as a hosted endpoint writes it.
func completion(content string) string {
	return finished(content, "stop", "null")
}

func finished(content, reason, refusal string) string {
	return fmt.Sprintf(`{
  "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
  "object": "chat.completion",
  "created": 1741569952,
  "model": "m-2026-01-01",
  "choices": [
    {
      "index": 0,
      "message": {"role": "assistant", "content": %s, "refusal": %s, "annotations": []},
      "logprobs": null,
      "finish_reason": %q
    }
  ],
  "usage": {
    "prompt_tokens": 700,
    "completion_tokens": 60,
    "total_tokens": 760,
    "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0}
  },
  "service_tier": "default",
  "system_fingerprint": "fp_1"
}
`, quoted(content), refusal, reason)
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// opinionJSON is what a model writes into the content.
func opinionJSON(verdict Verdict, passage, quote string) string {
	return fmt.Sprintf(`{"because":"so it says","passage":%s,"quote":%s,"verdict":%s}`, quoted(passage), quoted(quote), quoted(string(verdict)))
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

func says(content string) step {
	return respond(http.StatusOK, "application/json", completion(content))
}

func refuses(code int, message string, headers ...string) step {
	return respond(code, "application/json", fmt.Sprintf(`{"error":{"message":%s,"type":"error","param":null,"code":null}}`, quoted(message)), headers...)
}

// cuts sends the beginning of an answer and closes the connection.
func cuts(body string) step {
	return func(w http.ResponseWriter, _ *http.Request, _ asked) {
		conn, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		if body != "" {
			fmt.Fprintf(rw, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", 2*len(body), body)
			_ = rw.Flush()
		}
		_ = conn.Close()
	}
}

func httpResponse(code int) *http.Response {
	return &http.Response{StatusCode: code, Header: http.Header{}}
}
