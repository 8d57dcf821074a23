package research

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/openai/openai-go/v3"
)

// Limits of one answer. A model that writes more has lost its way.
const (
	maxAnswerBytes = 1 << 20
	maxAnswerCalls = 16 // the rest is not heard
	// mostTokensCounted bounds what one answer may add to the usage: a wrong number must not exhaust a budget.
	mostTokensCounted = 1_000_000
)

var errAnswerTooLarge = errors.New("its answer is larger than 1 MB")

// assembly puts the pieces of a streamed answer together. The library has an accumulator; this one is bounded, and
// forgives what servers get wrong: calls without an index of their own, calls without an id.
type assembly struct {
	text, refusal strings.Builder
	calls         []toolCall
	at            map[int64]int // index of a call in the stream -> in calls
	finish        string
	choices       bool
	size          int
	tokens        Tokens
}

func (a *assembly) begun() bool { return a.size > 0 || a.choices }

// estimate is how many tokens have arrived about.
func (a *assembly) estimate() int {
	n := estimatedTokens(a.text.String()) + estimatedTokens(a.refusal.String())
	for _, c := range a.calls {
		n += estimatedTokens(c.Arguments) + 8
	}
	return n
}

// add takes a piece, and says how many bytes of the answer were in it.
func (a *assembly) add(chunk openai.ChatCompletionChunk) (int, error) {
	a.count(chunk.Usage)
	before := a.size
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue // one was asked for
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
			return 0, errAnswerTooLarge
		}
	}
	return a.size - before, nil
}

func (a *assembly) addCall(piece openai.ChatCompletionChunkChoiceDeltaToolCall) {
	if a.at == nil {
		a.at = map[int64]int{}
	}
	i, known := a.at[piece.Index]
	if known && piece.ID != "" && piece.Function.Name != "" && a.calls[i].ID != "" && a.calls[i].ID != piece.ID {
		known = false // another call under the same index
	}
	if !known {
		if len(a.calls) == maxAnswerCalls {
			return
		}
		i = len(a.calls)
		a.calls, a.at[piece.Index] = append(a.calls, toolCall{}), i
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

func (a *assembly) count(u openai.CompletionUsage) {
	if u.PromptTokens > 0 || u.CompletionTokens > 0 {
		a.tokens = Tokens{Prompt: int(min(max(u.PromptTokens, 0), mostTokensCounted)), Completion: int(min(max(u.CompletionTokens, 0), mostTokensCounted))}
	}
}

// whole reads an answer that came in one piece, from an endpoint that does not stream.
func (a *assembly) whole(body []byte) *failure {
	var c openai.ChatCompletion
	if json.Unmarshal(body, &c) != nil {
		return &failure{ModelError: ModelError{Kind: Unavailable, Problem: "the endpoint's answer is no chat completion", Next: "look whether its address is the base of an OpenAI-compatible API; most end in /v1"}, retry: true}
	}
	a.count(c.Usage)
	if len(c.Choices) == 0 {
		if words := errorWords(body).words; words != "" { // some gateways report errors in a 200
			return &failure{ModelError: ModelError{Kind: Unavailable, Problem: "the endpoint reports: " + oneLine(words, maxWords)}, retry: true}
		}
		return nil // finished says it
	}
	choice := c.Choices[0]
	a.choices, a.finish = true, choice.FinishReason
	a.text.WriteString(choice.Message.Content)
	a.refusal.WriteString(choice.Message.Refusal)
	for _, call := range choice.Message.ToolCalls {
		if len(a.calls) < maxAnswerCalls {
			a.calls = append(a.calls, toolCall{ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
		}
	}
	a.size = len(choice.Message.Content) + len(choice.Message.Refusal)
	return nil
}

// finished is the answer, or why there is none.
func (a *assembly) finished() (reply, *failure) {
	bad := func(problem string, retry bool) (reply, *failure) {
		return reply{}, &failure{ModelError: ModelError{Kind: BadAnswer, Problem: problem}, retry: retry}
	}
	switch {
	case !a.choices:
		return bad("its answer has no choices", true)
	case a.finish == "":
		return bad("its answer was cut off in the middle", true)
	case a.finish == "content_filter":
		return bad("the endpoint's content filter withheld the answer", false)
	case a.finish == "error":
		return bad("the endpoint broke off the answer", true)
	case strings.TrimSpace(a.refusal.String()) != "":
		return bad("it refused: "+oneLine(a.refusal.String(), maxWords), false)
	}
	for i := range a.calls {
		if a.calls[i].ID == "" {
			a.calls[i].ID = fmt.Sprintf("call_%d", i+1)
		}
	}
	cut := a.finish == "length"
	if cut && len(a.calls) > 0 {
		a.calls[len(a.calls)-1].cut = true
	}
	return reply{text: strings.ToValidUTF8(a.text.String(), "�"), calls: a.calls, cut: cut}, nil
}
