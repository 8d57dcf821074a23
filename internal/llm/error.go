package llm

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/citeloop/citeloop/internal/resilience"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Code classifies an Error.
type Code string

// The codes.
const (
	CodeKey         Code = "key_rejected"
	CodeCredit      Code = "no_credit"
	CodeNotFound    Code = "not_found"   // the model, or the address
	CodeNoTools     Code = "no_tools"    // the model cannot call tools
	CodeRejected    Code = "rejected"    // the endpoint does not accept the request
	CodeUnreachable Code = "unreachable" // no such host, connection refused, TLS
	CodeRateLimit   Code = "rate_limit"
	CodeUnavailable Code = "unavailable" // server errors, timeouts, broken connections
	CodeTooLong     Code = "too_long"    // the request does not fit into the model's context
	CodeFiltered    Code = "filtered"    // a content filter withheld the answer
	CodeRefused     Code = "refused"     // the model refused
	CodeBadAnswer   Code = "bad_answer"  // the answer cannot be used
)

// Error is the reason for a missing answer. It is for people and never contains the key.
type Error struct {
	Code       Code
	Problem    string
	Next       string        // what to do; may be empty
	RetryAfter time.Duration // as the endpoint asks; 0: not stated

	status int
	words  string // the endpoint's message, redacted, on one line
	param  string
	kind   string // the endpoint's code and type
	worked bool   // the endpoint may have used tokens
	retry  bool   // another attempt may succeed
}

func (e *Error) Error() string {
	s := e.Problem
	if e.RetryAfter > 0 {
		s += fmt.Sprintf("; it asks to wait %s", e.RetryAfter.Round(time.Second))
	}
	return strings.TrimSuffix(s+"; "+e.Next, "; ")
}

// Permanent reports whether no request will succeed before the configuration changes.
func (e *Error) Permanent() bool {
	switch e.Code {
	case CodeKey, CodeCredit, CodeNotFound, CodeNoTools, CodeUnreachable:
		return true
	}
	return false
}

const (
	maxWords      = 200 // code points of an endpoint's message that are quoted
	maxErrorBytes = 64 << 10
)

// refused reads an error response.
func refused(resp *http.Response, host string, cfg Config) *Error {
	e := &Error{status: resp.StatusCode, RetryAfter: resilience.RetryAfter(resp.Header, time.Now())}
	var said wireError
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBytes)) // without its message, the error is still a refusal
	_ = json.Unmarshal(body, &said)
	e.words, e.param, e.kind = said.read()
	e.words = sanitize.Short(cfg.Key.Redact(e.words), maxWords)
	e.explain(host, cfg.Model)
	switch again := resp.Header.Get("X-Should-Retry"); { // OpenAI's header
	case e.Code == CodeRateLimit, e.Code == CodeUnavailable:
		e.retry = again != "false"
	case e.Code == CodeRejected:
		e.retry = again == "true" || e.status == http.StatusConflict && again != "false"
	}
	return e
}

// explain sets code and words by the status and the endpoint's message.
func (e *Error) explain(host, model string) {
	status := strings.TrimSpace(strconv.Itoa(e.status) + " " + http.StatusText(e.status))
	said := ""
	if e.words != "" {
		said = ": " + e.words
	}
	set := func(code Code, problem, next string) {
		e.Code, e.Problem, e.Next = code, fmt.Sprintf("%s (%s)%s", problem, status, said), next
	}
	switch {
	case e.status == http.StatusUnauthorized:
		said = "" // the message repeats a part of the key
		set(CodeKey, host+" rejects the key", "check that the key is for this endpoint")
	case e.status == http.StatusPaymentRequired, e.status == http.StatusTooManyRequests && e.mentions("insufficient_quota"):
		set(CodeCredit, "no credit at "+host, "")
	case e.mentions("context length", "context_length", "context window", "context size", "maximum context", "too many tokens", "prompt is too long"), e.status == http.StatusRequestEntityTooLarge:
		set(CodeTooLong, "the request does not fit into the model's context", "use a model with a larger context, or raise the server's context size")
	case e.mentions("content_filter", "content management policy"):
		set(CodeFiltered, "the endpoint's content filter rejected the request", "")
	case e.status == http.StatusNotFound:
		set(CodeNotFound, fmt.Sprintf("unknown model %q or address at %s", model, host), "check the model's name and the address; most addresses end in /v1")
	case e.mentions("does not support tools", "does not support function", "tool use is not supported", "tools are not supported", "tool-call-parser"):
		set(CodeNoTools, "the model cannot call tools", "use a model, or a server setting, that supports tool calls")
	case e.status >= 300 && e.status < 400:
		said = ""
		set(CodeNotFound, host+" redirects to another address", "set that address")
	case e.status == http.StatusTooManyRequests:
		set(CodeRateLimit, "rate limit of "+host, "")
	case e.status >= 500 || e.status == http.StatusRequestTimeout:
		set(CodeUnavailable, "server error at "+host, "")
	default:
		set(CodeRejected, host+" rejects the request", "")
	}
}

// broken explains a request or a stream that failed without an error response. Transport errors are not quoted, because
// they contain network addresses.
func broken(err error, host string, key Key) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Problem = sanitize.Short(key.Redact(e.Problem), maxWords)
		return e
	}
	if whole, ok := errors.AsType[*url.Error](err); ok {
		err = whole.Err
	}
	unreachable := func(problem, next string) *Error {
		return &Error{Code: CodeUnreachable, Problem: problem + " " + host, Next: next}
	}
	unavailable := func(problem string) *Error {
		return &Error{Code: CodeUnavailable, Problem: host + " " + problem, retry: true, worked: true}
	}
	const check = "check the address, and that the server is running"
	var op *net.OpError
	switch {
	case errors.As(err, new(*http.MaxBytesError)), errors.Is(err, bufio.ErrTooLong):
		return errTooLarge()
	case errors.As(err, new(*net.DNSError)):
		return unreachable("unknown host", check)
	case errors.Is(err, syscall.ECONNREFUSED):
		return unreachable("connection refused by", check)
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return unreachable("untrusted certificate of", "")
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, new(tls.RecordHeaderError)):
		return unreachable("no TLS at", "use http:// in the address if the server has no TLS")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return unavailable("did not answer in time")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		errors.As(err, &op) && (op.Op == "read" || op.Op == "write"):
		return unavailable("closed the connection")
	case errors.As(err, &op):
		return unreachable("cannot reach", check)
	}
	return unavailable("sent an answer that cannot be read")
}

func errTooLarge() *Error {
	return &Error{Code: CodeBadAnswer, Problem: "the answer is larger than 1 MB", worked: true}
}

// mentions reports whether the endpoint's own words contain one of these.
func (e *Error) mentions(words ...string) bool {
	said := strings.ToLower(e.param + " " + e.kind + " " + e.words)
	for _, w := range words {
		if strings.Contains(said, w) {
			return true
		}
	}
	return false
}
