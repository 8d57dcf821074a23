package llm

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Limits of one answer.
const (
	maxCalls = 16 // further calls are dropped
	// maxTokensCounted bounds what one answer adds to the usage: a wrong number must not exhaust a budget.
	maxTokensCounted = 1_000_000
)

// assembly puts an answer together. It accepts what some servers send: several calls under one index, calls without
// an id.
type assembly struct {
	text, refusal strings.Builder
	calls         []ToolCall
	at            map[int64]int // index of a call in the stream -> in calls
	finish        string
	choices       bool
	size          int
	usage         Usage
}

func (a *assembly) begun() bool { return a.size > 0 || a.choices }

// add takes a piece.
func (a *assembly) add(piece wireReply) error {
	a.count(piece)
	for _, choice := range piece.Choices {
		if choice.Index != 0 {
			continue // the request asks for one
		}
		a.choices = true
		if choice.FinishReason != "" {
			a.finish = choice.FinishReason
		}
		a.size += len(choice.Delta.Content) + len(choice.Delta.Refusal)
		a.text.WriteString(choice.Delta.Content)
		a.refusal.WriteString(choice.Delta.Refusal)
		for _, call := range choice.Delta.ToolCalls {
			a.size += len(call.Function.Arguments) + len(call.Function.Name) + len(call.ID)
			a.addCall(call)
		}
		if a.size > maxAnswerBytes {
			return errTooLarge()
		}
	}
	return nil
}

func (a *assembly) addCall(piece wireCall) {
	if a.at == nil {
		a.at = map[int64]int{}
	}
	i, known := a.at[piece.Index]
	if known && piece.ID != "" && piece.Function.Name != "" && a.calls[i].ID != "" && a.calls[i].ID != piece.ID {
		known = false // another call under the same index
	}
	if !known {
		if len(a.calls) == maxCalls {
			return
		}
		i = len(a.calls)
		a.calls, a.at[piece.Index] = append(a.calls, ToolCall{}), i
	}
	c := &a.calls[i]
	if c.ID == "" {
		c.ID = piece.ID
	}
	if c.Name == "" {
		c.Name = piece.Function.Name
	}
	c.Arguments += piece.Function.Arguments
}

func (a *assembly) count(r wireReply) {
	if u := r.Usage; u.Prompt > 0 || u.Completion > 0 {
		a.usage = Usage{Prompt: int(min(max(u.Prompt, 0), maxTokensCounted)), Completion: int(min(max(u.Completion, 0), maxTokensCounted))}
	}
}

// stream reads an answer in pieces and calls arrived after each.
func (a *assembly) stream(body io.Reader, arrived func()) error {
	return events(body, func(data []byte) error {
		piece, err := decodeReply(bytes.NewReader(data))
		if err != nil {
			return err
		}
		if wordsOf(piece.Error) != "" {
			words, _, _ := piece.read()
			return &Error{Code: CodeUnavailable, Problem: "the endpoint ended the answer with an error: " + words, retry: true, worked: true}
		}
		err = a.add(piece)
		arrived()
		return err
	})
}

// whole reads an answer of an endpoint that does not stream.
func (a *assembly) whole(body io.Reader) error {
	c, err := decodeReply(body)
	if err != nil {
		return err
	}
	a.count(c)
	if len(c.Choices) == 0 {
		if words, _, _ := c.read(); words != "" { // some gateways report errors with status 200
			return &Error{Code: CodeUnavailable, Problem: "the endpoint reports an error: " + words, retry: true}
		}
		return nil // finished reports it
	}
	choice := &c.Choices[0]
	choice.Index, choice.Delta = 0, choice.Message
	if choice.FinishReason == "" {
		choice.FinishReason = "stop" // the body is complete
	}
	for i := range choice.Delta.ToolCalls {
		choice.Delta.ToolCalls[i].Index = int64(i)
	}
	c.Choices = c.Choices[:1]
	return a.add(c)
}

// finished returns the answer, or the error.
func (a *assembly) finished() (Answer, *Error) {
	bad := func(code Code, problem string, retry bool) (Answer, *Error) {
		return Answer{}, &Error{Code: code, Problem: problem, retry: retry, worked: true}
	}
	switch {
	case !a.choices:
		return bad(CodeBadAnswer, "the answer has no choices", true)
	case a.finish == "":
		return bad(CodeBadAnswer, "the answer broke off", true)
	case a.finish == "content_filter":
		return bad(CodeFiltered, "the endpoint's content filter withheld the answer", false)
	case a.finish == "error":
		return bad(CodeBadAnswer, "the endpoint broke off the answer", true)
	case strings.TrimSpace(a.refusal.String()) != "":
		return bad(CodeRefused, "the model refused: "+sanitize.Short(a.refusal.String(), maxWords), false)
	}
	for i := range a.calls {
		if a.calls[i].ID == "" {
			a.calls[i].ID = fmt.Sprintf("call_%d", i+1)
		}
	}
	truncated := a.finish == "length"
	if truncated && len(a.calls) > 0 {
		a.calls[len(a.calls)-1].Truncated = true
	}
	return Answer{Text: withoutReasoning(strings.ToValidUTF8(a.text.String(), "�")), Calls: a.calls, Truncated: truncated}, nil
}

// estimate returns about how many tokens have arrived.
func (a *assembly) estimate() int {
	n := EstimateTokens(a.text.String()) + EstimateTokens(a.refusal.String())
	for _, c := range a.calls {
		n += EstimateTokens(c.Arguments) + 8
	}
	return n
}

// withoutReasoning removes the reasoning that some servers leave in the text before the answer.
func withoutReasoning(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	if i := strings.LastIndex(text, "</think>"); i >= 0 { // the opening tag may be part of the chat template
		return strings.TrimSpace(text[i+len("</think>"):])
	}
	if strings.HasPrefix(strings.TrimSpace(text), "<think>") {
		return ""
	}
	return text
}
