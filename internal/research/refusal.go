package research

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/openai/openai-go/v3/option"
)

// ErrorKind says what can be done about a ModelError.
type ErrorKind int

// The kinds.
const (
	BadAnswer     ErrorKind = iota // an answer came, and is of no use
	Unavailable                    // no answer now; the same may succeed later
	Misconfigured                  // no answer before the configuration changes
)

// ModelError is why the model gave no answer that can be used. Its words are for people and hold no key.
type ModelError struct {
	Kind    ErrorKind
	Problem string
	Next    string // what to do; may be empty
}

func (e *ModelError) Error() string {
	if e.Next == "" {
		return "the model: " + e.Problem
	}
	return "the model: " + e.Problem + ". " + e.Next
}

// failure is a ModelError with what decides on another attempt.
type failure struct {
	ModelError
	retry   bool
	worked  bool // the endpoint may have begun to work, and to count
	tooLong bool // the conversation does not fit into the model's context
	after   time.Duration
	status  int
	words   string // the endpoint's own
	param   string
	code    string
}

func (f *failure) Error() string { return f.Problem }

const (
	maxWords      = 200 // characters of an endpoint's own words that are repeated
	maxErrorBytes = 64 << 10
)

// received stands between the client library and the wire: it turns refusals into failures before the library reads
// them whole, and bounds what it does read. An answer that is no stream is put into whole.
func (m *Model) received(whole *[]byte) option.Middleware {
	return func(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		resp, err := next(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 200 || resp.StatusCode >= 300 {
			defer resp.Body.Close()
			body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBytes)) // a refusal is one, whether or not its words arrived whole
			return nil, m.refused(resp, body)
		}
		switch kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind {
		case "text/html":
			_ = resp.Body.Close()
			return nil, &failure{ModelError: ModelError{Misconfigured, "its address leads to a web page, not to an API", "Most base addresses end in /v1"}}
		case "application/json":
			defer resp.Body.Close()
			body, err := io.ReadAll(&boundedBody{resp.Body, 2 * maxAnswerBytes})
			if err != nil {
				return nil, err
			}
			*whole = body
			resp.Body = io.NopCloser(strings.NewReader(""))
		default: // names and ids stand beside the text in every piece
			resp.Body = &boundedBody{resp.Body, 64 * maxAnswerBytes}
		}
		return resp, nil
	}
}

// boundedBody fails, instead of ending, where a body is too long.
type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left+1)])
	if b.left -= n; b.left < 0 {
		return 0, errAnswerTooLarge
	}
	return n, err
}

// refused reads an error response in the shapes that servers use: {"error": {"message", "param", "code"}},
// {"error": "…"}, {"message": "…"}, {"detail": …}.
func (m *Model) refused(resp *http.Response, body []byte) *failure {
	f := errorWords(body)
	f.status, f.after = resp.StatusCode, retryAfter(resp.Header, time.Now())
	f.words = oneLine(m.redact(f.words), maxWords)
	status := strconv.Itoa(f.status)
	if text := http.StatusText(f.status); text != "" {
		status += " " + text
	}
	said := ""
	if f.words != "" {
		said = ": " + f.words
	}
	lower := strings.ToLower(f.code + " " + f.words)
	mentions := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(lower, w) {
				return true
			}
		}
		return false
	}
	switch {
	case f.status == http.StatusUnauthorized, f.status == http.StatusForbidden:
		// The words are left out: they repeat a part of the key.
		f.ModelError = ModelError{Misconfigured, "the endpoint " + m.base.Host + " does not accept the key (" + status + ")", "Look whether the key is the right one for this endpoint"}
	case f.status == http.StatusPaymentRequired, f.status == http.StatusTooManyRequests && mentions("insufficient_quota"):
		f.ModelError = ModelError{Misconfigured, "the account has no credit (" + status + ")" + said, ""}
	case mentions("context length", "context_length", "context window", "context size", "maximum context", "too many tokens", "prompt is too long", "exceeds the available context"), f.status == http.StatusRequestEntityTooLarge:
		f.tooLong = true
		f.ModelError = ModelError{BadAnswer, "what it must read does not fit into its context (" + status + ")" + said, "Take a model with a larger context, or set the server's context higher"}
	case f.status == http.StatusNotFound:
		f.ModelError = ModelError{Misconfigured, fmt.Sprintf("the endpoint %s knows no model %q, or no such address (%s)%s", m.base.Host, m.redact(m.cfg.Name), status, said), "Ask the endpoint for its models, and look at the address: most base addresses end in /v1"}
	case mentions("does not support tools", "does not support function", "tool use is not supported", "tools are not supported", "tool-call-parser"):
		f.ModelError = ModelError{Misconfigured, "the model cannot call tools (" + status + ")" + said, "Take a model, or a setting of its server, with tool calls"}
	case f.status >= 300 && f.status < 400:
		f.ModelError = ModelError{Misconfigured, "the endpoint leads elsewhere (" + status + ")", "Set the address that it leads to"}
	case f.status == http.StatusTooManyRequests:
		f.ModelError, f.retry = ModelError{Unavailable, "the endpoint limits the rate (" + status + ")" + said, ""}, true
	case f.status >= 500 || f.status == http.StatusRequestTimeout:
		f.ModelError, f.retry = ModelError{Unavailable, "the endpoint has trouble (" + status + ")" + said, ""}, true
	default:
		f.ModelError = ModelError{Misconfigured, "the endpoint refuses the request (" + status + ")" + said, ""}
	}
	if f.after > mostWait {
		f.Next = fmt.Sprintf("It asks to wait %s", f.after.Round(time.Second))
	}
	return f
}

func errorWords(body []byte) *failure {
	var top struct{ Error, Message, Detail json.RawMessage }
	if json.Unmarshal(body, &top) != nil {
		return &failure{}
	}
	for _, raw := range []json.RawMessage{top.Error, top.Message, top.Detail} {
		if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
			continue
		}
		var inner struct{ Message, Param, Code, Type json.RawMessage }
		if json.Unmarshal(raw, &inner) == nil && len(inner.Message) > 0 {
			return &failure{words: textOf(inner.Message), param: textOf(inner.Param), code: strings.TrimSpace(textOf(inner.Code) + " " + textOf(inner.Type))}
		}
		return &failure{words: textOf(raw)}
	}
	return &failure{}
}

// textOf is a JSON string's text, and any other value as it is written.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// retryAfter reads Retry-After, in seconds or as a date, and the milliseconds that some endpoints add.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	raw := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(raw, 64); err == nil {
		if seconds > 0 && seconds < 1e7 {
			return time.Duration(seconds * float64(time.Second))
		}
		return 0
	}
	if at, err := http.ParseTime(raw); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
