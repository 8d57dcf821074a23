package research

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/llm"
)

// conversation is an exchange with the model. Each searcher has its own.
type conversation struct {
	messages []llm.Message
	tools    []llm.Tool
}

func newConversation(system, user string, tools ...llm.Tool) *conversation {
	return &conversation{messages: []llm.Message{{Role: llm.RoleSystem, Text: system}, {Role: llm.RoleUser, Text: user}}, tools: tools}
}

func (c *conversation) say(text string) {
	c.messages = append(c.messages, llm.Message{Role: llm.RoleUser, Text: text})
}

// addAnswer appends an answer. Endpoints refuse empty messages and invalid arguments in the history, so it replaces them.
func (c *conversation) addAnswer(a llm.Answer) {
	m := llm.Message{Role: llm.RoleAssistant, Text: a.Text, Calls: slices.Clone(a.Calls)}
	if m.Text == "" && len(m.Calls) == 0 {
		m.Text = "(nothing)"
	}
	for i := range m.Calls {
		if !json.Valid([]byte(m.Calls[i].Arguments)) {
			m.Calls[i].Arguments = "{}"
		}
	}
	c.messages = append(c.messages, m)
}

func (c *conversation) answered(callID, text string) {
	c.messages = append(c.messages, llm.Message{Role: llm.RoleTool, Text: text, CallID: callID})
}

// ask sends the conversation and returns the answer, which it does not add. A conversation that is too long for the
// model is shortened in place.
func (c *conversation) ask(ctx context.Context, model *llm.Client) (llm.Answer, error) {
	var spent llm.Usage
	for {
		got, err := model.Complete(ctx, llm.Request{Messages: c.messages, Tools: c.tools})
		spent = spent.Plus(got.Usage)
		got.Usage = spent
		if e, ok := errors.AsType[*llm.Error](err); !ok || e.Code != llm.CodeTooLong || !c.shorten() {
			return got, err
		}
	}
}

const (
	leftOut     = "[… left out to make room …]"
	shortEnough = 1_500 // messages of at most so many characters are not shortened
)

// shorten shortens the history: old answers of tools first, then the middle of the longest message, whose beginning and
// end have the instructions. It reports whether anything could be shortened.
func (c *conversation) shorten() bool {
	for i := range max(0, len(c.messages)-2) {
		if m := &c.messages[i]; m.Role == llm.RoleTool && len(m.Text) > len(leftOut) {
			m.Text = leftOut
			return true
		}
	}
	longest := 0 // the system message stays
	for i := 1; i < len(c.messages); i++ {
		if longest == 0 || len(c.messages[i].Text) > len(c.messages[longest].Text) {
			longest = i
		}
	}
	m := &c.messages[longest]
	r := []rune(m.Text)
	if longest == 0 || len(r) <= shortEnough {
		return false
	}
	keep := len(r) / 4
	m.Text = string(r[:keep]) + "\n" + leftOut + "\n" + string(r[len(r)-keep:])
	return true
}

// limits of one conversation.
type limits struct{ turns, calls, tokens int }

// answerer handles a call of the model. The text is the result for the model; done ends the conversation. An error ends
// the run.
type answerer func(ctx context.Context, call llm.ToolCall) (text string, done bool, err error)

// converse runs a conversation until the model makes no more calls, an answerer ends it, or a limit is reached. ended
// names the limit. The error is one of the model or the server.
func (r *run) converse(ctx context.Context, c *conversation, m *meter, lim limits, answer answerer) (last llm.Answer, ended string, err error) {
	calls := 0
	for turn := range lim.turns {
		if why := r.ledger.spentBudget(); why != "" {
			return last, why, nil
		}
		if m.tokens.Total() >= lim.tokens {
			return last, fmt.Sprintf("it has used the %s tokens of one conversation", grouped(lim.tokens)), nil
		}
		got, err := r.ask(ctx, c, m)
		if err != nil {
			if why := r.ledger.spentBudget(); why != "" && ctx.Err() == nil {
				return last, why, nil
			}
			return last, "", err
		}
		c.addAnswer(got)
		last = got
		if len(got.Calls) == 0 && slices.ContainsFunc(c.tools, func(t llm.Tool) bool { return t.Name == handOver }) {
			got.Calls = []llm.ToolCall{{Name: handOver, Arguments: got.Text, Truncated: got.Truncated}} // it writes instead of calling
		}
		if len(got.Calls) == 0 {
			return last, "", nil
		}
		finished := false
		for _, call := range got.Calls {
			text := "No more calls are taken. Hand over what you have."
			if calls++; calls <= lim.calls && !finished {
				if text, finished, err = answer(ctx, call); err != nil {
					return last, "", err
				}
			}
			if turn == lim.turns-2 {
				text += "\n\nOne more answer is left to you: finish with it."
			}
			if call.ID == "" {
				c.say(text)
			} else {
				c.answered(call.ID, text)
			}
		}
		if finished {
			return last, "", nil
		}
	}
	return last, fmt.Sprintf("it did not stop within %d turns", lim.turns), nil
}

// ask gets one answer, within the budget's time, and counts it.
func (r *run) ask(ctx context.Context, c *conversation, m *meter) (llm.Answer, error) {
	ctx, cancel := r.ledger.within(ctx)
	defer cancel()
	got, err := c.ask(ctx, r.Model)
	m.add(got.Usage)
	return got, err
}
