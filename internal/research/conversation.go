package research

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// conversation is what is said between this host and the model, and what the model may call. Each searcher has
// one of its own.
type conversation struct {
	messages []message
	tools    []tool
}

type message struct {
	role   string // system, user, assistant or tool
	text   string
	calls  []toolCall // of an assistant
	callID string     // of a tool: the call that it answers
}

// toolCall is a call as the model wrote it. The arguments need not be JSON.
type toolCall struct {
	ID, Name, Arguments string
	cut                 bool // the answer ended with it, at the limit of its tokens
}

// tool is a function that the model may call.
type tool struct {
	name, description string
	parameters        map[string]any // JSON Schema of an object
}

func newConversation(system, user string, tools ...tool) *conversation {
	return &conversation{messages: []message{{role: "system", text: system}, {role: "user", text: user}}, tools: tools}
}

func (c *conversation) say(text string) {
	c.messages = append(c.messages, message{role: "user", text: text})
}

// heard keeps an answer. One without words and calls is kept with a word, and arguments that are no JSON are left
// out: endpoints refuse both when they are sent back.
func (c *conversation) heard(r reply) {
	m := message{role: "assistant", text: r.text, calls: slices.Clone(r.calls)}
	if m.text == "" && len(m.calls) == 0 {
		m.text = "(nothing)"
	}
	for i := range m.calls {
		if !json.Valid([]byte(m.calls[i].Arguments)) {
			m.calls[i].Arguments = "{}"
		}
	}
	c.messages = append(c.messages, m)
}

func (c *conversation) answered(callID, text string) {
	c.messages = append(c.messages, message{role: "tool", text: text, callID: callID})
}

const (
	leftOut     = "[… left out to make room …]"
	shortEnough = 1_500 // characters that shortening leaves alone
)

// shorten makes room when an endpoint says that the conversation is too long: old answers of tools go first,
// then the middle of the longest message, whose beginning and end say what to do. It reports whether anything
// was left to shorten.
func (c *conversation) shorten() bool {
	for i := range max(0, len(c.messages)-2) {
		if m := &c.messages[i]; m.role == "tool" && len(m.text) > len(leftOut) {
			m.text = leftOut
			return true
		}
	}
	longest := 0 // the system message stays
	for i := 1; i < len(c.messages); i++ {
		if longest == 0 || len(c.messages[i].text) > len(c.messages[longest].text) {
			longest = i
		}
	}
	m := &c.messages[longest]
	r := []rune(m.text)
	if longest == 0 || len(r) <= shortEnough {
		return false
	}
	keep := len(r) / 4
	m.text = string(r[:keep]) + "\n" + leftOut + "\n" + string(r[len(r)-keep:])
	return true
}

// estimate is how many tokens the conversation has about.
func (c *conversation) estimate() int {
	n := 0
	for _, m := range c.messages {
		n += estimatedTokens(m.text) + 4
		for _, call := range m.calls {
			n += estimatedTokens(call.Arguments) + 8
		}
	}
	for _, t := range c.tools {
		n += estimatedTokens(t.description) + 60
	}
	return n
}

// estimatedTokens is a guess for endpoints that do not count: four characters of an alphabet a token, one of other
// scripts.
func estimatedTokens(text string) int {
	wide := 0
	for _, r := range text {
		if r >= 0x2E80 {
			wide++
		}
	}
	return wide + (utf8.RuneCountInString(text)-wide+3)/4
}

// oneLine makes a single line of foreign text, without what a terminal would act on, and cuts it.
func oneLine(text string, chars int) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7F || r >= 0x80 && r <= 0x9F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= chars {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:chars-1])) + "…"
}
