// Package llm asks language models behind OpenAI-compatible endpoints, hosted ones and servers on the user's machine, with
// openai-go. Nothing is sent unless an endpoint and a model are configured. Time, bytes and retries are bounded.
package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/openai/openai-go"
	"github.com/openai/openai-go/option"

	"github.com/citeloop/citeloop/internal/sanitize"
)

const (
	maxAnswerBytes = 2 << 20
	maxTokens      = 1_000_000       // of one answer: a wrong number must not exhaust a budget
	attemptTime    = 5 * time.Minute // a model without a GPU needs that long
)

// Config configures a Client. URL and Model are required; zero means the default in all other fields.
type Config struct {
	URL     string // base address, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1
	Model   string
	Key     string
	Retries int // after the first attempt; default 2
}

// Client asks one model at one endpoint. It is safe for concurrent use.
type Client struct {
	cfg  Config
	host string
	chat openai.ChatCompletionService
}

// New checks the configuration. It sends nothing. Errors contain neither the key nor the address, which may have a password.
func New(cfg Config) (*Client, error) {
	base, err := parseAddress(cfg.URL)
	if err != nil {
		return nil, err
	}
	if cfg.Model = strings.TrimSpace(cfg.Model); cfg.Model == "" {
		return nil, errors.New("missing model: name one that the endpoint serves")
	}
	if cfg.Key = strings.TrimSpace(cfg.Key); strings.IndexFunc(cfg.Key, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0 {
		return nil, errors.New("invalid characters in the key: remove line breaks and quotation marks from it")
	}
	// Redirects are not followed: texts are meant for one host.
	plain := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	options := []option.RequestOption{option.WithBaseURL(base.String()), option.WithHTTPClient(plain),
		option.WithMaxRetries(cmp.Or(cfg.Retries, 2)), option.WithRequestTimeout(attemptTime), option.WithHeader("User-Agent", "citeloop")}
	if cfg.Key != "" {
		options = append(options, option.WithAPIKey(cfg.Key))
	}
	// A service of its own: openai.NewClient reads keys and addresses from the environment. Clipped, because New appends to it.
	return &Client{cfg, base.Host, openai.NewChatCompletionService(slices.Clip(options)...)}, nil
}

// parseAddress reads the base address of an API; /v1 is its default path. Plain HTTP is for this machine, or for http+insecure.
func parseAddress(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSuffix(strings.TrimRight(strings.TrimSpace(raw), "/"), "/chat/completions"))
	if err != nil {
		u = &url.URL{}
	}
	loopback, _ := netip.ParseAddr(u.Hostname())
	switch {
	case u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "http+insecure":
		return nil, errors.New("missing or invalid address: use the base address of an OpenAI-compatible API, such as https://host/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("the address must not contain a user name, password, query or fragment: set the secret as the key")
	case u.Scheme == "http" && u.Hostname() != "localhost" && !loopback.IsLoopback():
		return nil, errors.New("plain http sends the key and the texts unencrypted: use https, or http+insecure:// for a trusted network")
	}
	path := cmp.Or(strings.TrimRight(u.Path, "/"), "/v1") + "/"
	return &url.URL{Scheme: strings.TrimSuffix(u.Scheme, "+insecure"), Host: u.Host, Path: path}, nil
}

// Model returns the name of the model, String that of the model and its host.
func (c *Client) Model() string  { return c.cfg.Model }
func (c *Client) String() string { return c.cfg.Model + " at " + c.host }

// Messages and tools are those of openai-go.
type (
	Message = openai.ChatCompletionMessageParamUnion
	Tool    = openai.ChatCompletionToolParam
	Call    = openai.ChatCompletionMessageToolCall
)

// Answer is the answer of a model.
type Answer struct {
	Text   string // without the reasoning that some servers leave in it
	Calls  []Call // their arguments may be no valid JSON
	Tokens int    // in and out, as the endpoint reports them, or else estimated
}

// Complete asks for one answer. The error is an [*Error], or that of ctx.
func (c *Client) Complete(ctx context.Context, messages []Message, tools []Tool) (answer Answer, err error) {
	done := make(chan struct{})
	go func() { // the library's pauses between attempts do not end with ctx
		got, failed := c.ask(ctx, openai.ChatCompletionNewParams{Model: c.cfg.Model, Messages: messages, Tools: tools})
		if ctx.Err() == nil {
			answer, err = got, failed
		}
		close(done)
	}()
	select {
	case <-done:
		return answer, cmp.Or(ctx.Err(), err)
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

func (c *Client) ask(ctx context.Context, params openai.ChatCompletionNewParams) (Answer, error) {
	status, sent := 0, int64(0) // of the last attempt
	got, err := c.chat.New(ctx, params, option.WithMiddleware(func(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		status, sent = 0, req.ContentLength
		resp, err := next(req)
		if err == nil {
			status, resp.Body = resp.StatusCode, http.MaxBytesReader(nil, resp.Body, maxAnswerBytes)
			if status < 300 && strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
				status = http.StatusNotFound // a web page, and no API
			}
		}
		return resp, err
	}))
	if err != nil || len(got.Choices) == 0 {
		return Answer{}, c.failure(status, err)
	}
	choice := got.Choices[0]
	if choice.FinishReason == "content_filter" || strings.TrimSpace(choice.Message.Refusal) != "" {
		return Answer{}, &Error{CodeAnswer, "the model or the endpoint's filter refused to answer"}
	}
	used := int(min(max(got.Usage.PromptTokens+got.Usage.CompletionTokens, 0), maxTokens))
	if used == 0 { // about four characters a token
		used = (int(sent) + len(choice.Message.RawJSON())) / 4
	}
	return Answer{withoutReasoning(strings.ToValidUTF8(choice.Message.Content, "\ufffd")), choice.Message.ToolCalls, used}, nil
}

// withoutReasoning removes the reasoning that some servers leave in the text before the answer.
func withoutReasoning(text string) string {
	if i := strings.LastIndex(text, "</think>"); i >= 0 { // the opening tag may be part of the chat template
		return strings.TrimSpace(text[i+len("</think>"):])
	}
	return text
}

// Code says what to do about an error.
type Code string

// The codes.
const (
	CodeRefused     Code = "request_refused" // the endpoint rejects the key, the request, the model or the address
	CodeUnavailable Code = "unavailable"     // it cannot be reached, is overloaded, or too slow; retries are used up
	CodeAnswer      Code = "bad_answer"      // it answered, and the answer cannot be used; another request may succeed
)

// Error is a request without an answer. Its text contains no key, no request and no address beyond the host.
type Error struct {
	Code    Code
	Problem string // and what to do
}

func (e *Error) Error() string { return e.Problem }

// failure describes the last attempt of a request by the status of its response, 0 if there was none. Of the library's error,
// which contains the request, only the endpoint's message is quoted.
func (c *Client) failure(status int, err error) *Error {
	problem := fmt.Sprintf("%s answered %d %s", c.host, status, http.StatusText(status))
	if said, ok := errors.AsType[*openai.Error](err); ok && said.Message != "" {
		problem += ": " + sanitize.Short(said.Message, 300)
		if c.cfg.Key != "" {
			problem = strings.ReplaceAll(problem, c.cfg.Key, "[key]")
		}
	}
	tooLarge := errors.As(err, new(*http.MaxBytesError))
	switch {
	case status == 0 || status == http.StatusOK && errors.As(err, new(net.Error)):
		return &Error{CodeUnavailable, c.host + " cannot be reached, or did not answer in time; check the address and the server"}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return &Error{CodeRefused, problem + "; check the key and the address that it is for"}
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooManyRequests || status >= 500:
		return &Error{CodeUnavailable, problem + "; try again later"}
	case status == http.StatusRequestEntityTooLarge || strings.Contains(problem, "context length"):
		return &Error{CodeAnswer, problem} // a shorter conversation may succeed
	case status >= 300:
		return &Error{CodeRefused, problem + "; check the address, which most often ends in /v1, and the name of the model"}
	case tooLarge:
		return &Error{CodeAnswer, fmt.Sprintf("the answer of %s is larger than %d MB", c.host, maxAnswerBytes>>20)}
	}
	return &Error{CodeAnswer, c.host + " sent an answer that is no chat completion; check the address, which most often ends in /v1"}
}
