// Package llm asks language models behind OpenAI-compatible endpoints, hosted ones and servers on the user's machine, with
// openai-go. Nothing is sent unless an endpoint and a model are configured.
//
// Time, bytes, retries and concurrent requests are bounded. A request has messages and tools and nothing that only some servers
// know; answers that must be JSON are asked for in words and read by [ReadObject].
//
// The errors of openai-go contain requests and addresses, so they are never returned: errors are [*Error] in words of our own.
package llm

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/openai/openai-go"
	"github.com/openai/openai-go/option"
)

// maxAnswerBytes bounds the body of a response.
const maxAnswerBytes = 2 << 20

// Client asks one model at one endpoint. It is safe for concurrent use.
type Client struct {
	cfg   Config
	host  string
	chat  openai.ChatCompletionService
	slots chan struct{}
}

// New checks the configuration; errors are [*ConfigError]. It sends nothing.
func New(cfg Config) (*Client, error) {
	base, err := parseAddress(cfg.URL)
	if err != nil {
		return nil, err
	}
	if cfg, err = cfg.withDefaults(); err != nil {
		return nil, err
	}
	options := []option.RequestOption{option.WithBaseURL(base.String()), option.WithHTTPClient(cfg.HTTPClient), option.WithMaxRetries(cfg.Retries),
		option.WithRequestTimeout(cfg.Timeout), option.WithHeader("User-Agent", "citeloop")}
	if !cfg.Key.IsZero() {
		options = append(options, option.WithAPIKey(cfg.Key.secret()))
	}
	// A service of its own: openai.NewClient would add keys and addresses from the environment.
	return &Client{cfg, base.Host, openai.NewChatCompletionService(options...), make(chan struct{}, cfg.Parallel)}, nil
}

// String names the model and the host, and whether there is a key.
func (c *Client) String() string {
	key := "without a key"
	if !c.cfg.Key.IsZero() {
		key = "with a key"
	}
	return fmt.Sprintf("%s at %s, %s", c.Model(), c.host, key)
}

// Model returns the name of the model.
func (c *Client) Model() string { return c.redact(c.cfg.Model) }

// redact removes the key from words of the endpoint or the user.
func (c *Client) redact(text string) string {
	if c.cfg.Key.IsZero() {
		return text
	}
	return strings.ReplaceAll(text, c.cfg.Key.secret(), c.cfg.Key.String())
}

// Messages and tools are those of openai-go.
type (
	Message = openai.ChatCompletionMessageParamUnion
	Tool    = openai.ChatCompletionToolParam
	Call    = openai.ChatCompletionMessageToolCall
)

// Answer is the answer of a model.
type Answer struct {
	Text      string // without the reasoning that some servers leave in it
	Calls     []Call // their arguments may be no valid JSON
	Truncated bool   // it reached a token limit
	Usage     Usage
}

// Usage is the number of tokens used, as the endpoint reports it, or else estimated.
type Usage struct{ Prompt, Completion int }

// Total returns all tokens.
func (u Usage) Total() int { return u.Prompt + u.Completion }

// Plus returns the sum of two usages.
func (u Usage) Plus(v Usage) Usage { return Usage{u.Prompt + v.Prompt, u.Completion + v.Completion} }

// maxTokens bounds what one answer adds to the usage: a wrong number must not exhaust a budget.
const maxTokens = 1_000_000

// Complete asks for one answer. The error is an [*Error], or that of ctx.
func (c *Client) Complete(ctx context.Context, messages []Message, tools []Tool) (Answer, error) {
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
	type result struct {
		answer Answer
		err    error
	}
	done := make(chan result, 1)
	go func() { // the library's pauses between attempts do not end with ctx
		defer func() { <-c.slots }()
		answer, err := c.ask(ctx, openai.ChatCompletionNewParams{Model: c.cfg.Model, Messages: messages, Tools: tools})
		done <- result{answer, err}
	}()
	select {
	case r := <-done:
		return r.answer, r.err
	case <-ctx.Done():
		return Answer{}, ctx.Err()
	}
}

func (c *Client) ask(ctx context.Context, params openai.ChatCompletionNewParams) (Answer, error) {
	var refused *Error // by the last response
	sent := int64(0)
	examine := option.WithMiddleware(func(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		refused, sent = nil, req.ContentLength
		resp, err := next(req)
		if err == nil {
			resp.Body = http.MaxBytesReader(nil, resp.Body, maxAnswerBytes)
			refused = c.refusal(resp)
		}
		return resp, err
	})
	got, err := c.chat.New(ctx, params, examine)
	switch {
	case ctx.Err() != nil:
		return Answer{}, ctx.Err()
	case refused != nil:
		return Answer{}, refused
	case err != nil:
		return Answer{}, c.failure(err)
	case len(got.Choices) == 0:
		return Answer{}, &Error{CodeAnswer, "the answer of " + c.host + " has no choices", ""}
	}
	choice := got.Choices[0]
	answer := Answer{Text: withoutReasoning(strings.ToValidUTF8(choice.Message.Content, "\ufffd")), Calls: choice.Message.ToolCalls, Truncated: choice.FinishReason == "length"}
	answer.Usage = Usage{int(min(max(got.Usage.PromptTokens, 0), maxTokens)), int(min(max(got.Usage.CompletionTokens, 0), maxTokens))}
	if answer.Usage.Total() == 0 { // about four characters a token
		answer.Usage = Usage{int(sent) / 4, utf8.RuneCountInString(choice.Message.RawJSON()) / 4}
	}
	if choice.FinishReason == "content_filter" || strings.TrimSpace(choice.Message.Refusal) != "" {
		return answer, &Error{CodeAnswer, "the model or the endpoint's filter refused to answer", ""}
	}
	return answer, nil
}
