package research

import (
	"context"
	"encoding/json"
	"errors"
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
func (c *conversation) ask(ctx context.Context, model *llm.Client, progress func(bytes int)) (llm.Answer, error) {
	var spent llm.Usage
	for {
		got, err := model.Complete(ctx, llm.Request{Messages: c.messages, Tools: c.tools, Progress: progress})
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
