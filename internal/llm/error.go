package llm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Code says what to do about an error.
type Code string

// The codes.
const (
	CodeKey         Code = "key_refused"     // the endpoint rejects the key
	CodeRequest     Code = "request_refused" // it rejects the request, the model or the address
	CodeUnavailable Code = "unavailable"     // it cannot be reached, is overloaded, or too slow; retries are used up
	CodeAnswer      Code = "bad_answer"      // it answered, and the answer cannot be used; another request may succeed
)

// tooLong matches what endpoints say of a conversation that is too long for the model.
var tooLong = regexp.MustCompile(`(?i)context (?:length|size|window)|too long|maximum .*tokens`)

// Error is a request without an answer. Its texts contain no key, no request and no address beyond the host.
type Error struct {
	Code    Code
	Problem string
	Next    string // what to do; may be empty
}

func (e *Error) Error() string { return strings.TrimSuffix(e.Problem+"; "+e.Next, "; ") }

// refusal returns the error that a response is, or nil.
func (c *Client) refusal(resp *http.Response) *Error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode < 300 {
		if kind == "text/html" {
			return &Error{CodeRequest, "the address at " + c.host + " is a web page, not an API", "check the address; most end in /v1"}
		}
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(body)) // the library does not close what it does not read
	said := gjson.ParseBytes(body)
	words := cmp.Or(said.Get("error.message").String(), said.Get("error").String(), said.Get("message").String(), said.Get("detail").String())
	problem := fmt.Sprintf("%s answered %d %s", c.host, resp.StatusCode, http.StatusText(resp.StatusCode))
	if words = sanitize.Short(c.redact(words), 300); words != "" {
		problem += ": " + words
	}
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return &Error{CodeKey, problem, "check the key and the address that it is for"}
	case code == http.StatusNotFound:
		return &Error{CodeRequest, problem, "check the address, which most often ends in /v1, and the name of the model"}
	case code < 400:
		return &Error{CodeRequest, problem, "redirects are not followed; give the address that it redirects to"}
	case code == http.StatusRequestTimeout || code == http.StatusConflict || code == http.StatusTooManyRequests || code >= 500:
		return &Error{CodeUnavailable, problem, "try again later"}
	case code == http.StatusRequestEntityTooLarge || tooLong.MatchString(words):
		return &Error{CodeAnswer, problem, ""} // a shorter conversation may succeed
	}
	return &Error{CodeRequest, problem, ""}
}

// failure describes a request that failed without a response that refuses it. The library's error is not quoted.
func (c *Client) failure(err error) *Error {
	const check = "check the address, and that the server is running"
	var problem string
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return &Error{CodeAnswer, fmt.Sprintf("the answer of %s is larger than %d MB", c.host, maxAnswerBytes>>20), ""}
	case errors.As(err, new(*net.DNSError)):
		problem = "unknown host " + c.host
	case errors.Is(err, syscall.ECONNREFUSED):
		problem = "connection refused by " + c.host
	case errors.Is(err, context.DeadlineExceeded):
		problem = fmt.Sprintf("%s did not answer within %s", c.host, c.cfg.Timeout)
	case errors.As(err, new(net.Error)): // *url.Error is one
		problem = "the connection to " + c.host + " failed"
	default:
		return &Error{CodeAnswer, c.host + " sent an answer that is no chat completion", ""}
	}
	return &Error{CodeUnavailable, problem, check}
}
