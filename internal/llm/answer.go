package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/openai/openai-go/v3"
)

const (
	// maxAnswerChars bounds what is read of the model's text: an answer has some 600 bytes, a thinking model writes
	// a few thousand before it.
	maxAnswerChars = 100_000
	// maxObjects bounds how many beginnings of a JSON object are tried in it.
	maxObjects = 50
)

// answer is what the model wrote, by the schema.
type answer struct {
	Because string
	Passage string
	Quote   string
	Verdict Verdict
}

// readCompletion takes the model's text out of the endpoint's answer. Whatever the outcome, tokens may have
// been spent, so that the usage is told beside the error.
func readCompletion(raw []byte) (text string, spent openai.CompletionUsage, err error) {
	if !json.Valid(raw) {
		return "", spent, errors.New("the endpoint answered with something else than JSON")
	}
	var c openai.ChatCompletion
	if err := json.Unmarshal(raw, &c); err != nil {
		return "", spent, errors.New("the endpoint's answer is no chat completion")
	}
	if len(c.Choices) == 0 {
		if words := errorWords(raw).words; words != "" { // some gateways report errors in a 200
			return "", c.Usage, fmt.Errorf("the endpoint reports: %s", words)
		}
		return "", c.Usage, errors.New("the endpoint's answer has no choices")
	}
	choice := c.Choices[0]
	switch {
	case choice.Message.Refusal != "":
		return "", c.Usage, fmt.Errorf("the model refused: %s", choice.Message.Refusal)
	case choice.FinishReason == "content_filter":
		return "", c.Usage, errors.New("the endpoint's content filter withheld the answer")
	case choice.FinishReason == "length":
		return "", c.Usage, errors.New("the answer was cut off at the limit of its tokens")
	case choice.FinishReason == "tool_calls", choice.FinishReason == "function_call":
		return "", c.Usage, errors.New("the model called a tool, though it was given none")
	case choice.FinishReason == "error":
		return "", c.Usage, errors.New("the endpoint broke off the answer")
	case strings.TrimSpace(choice.Message.Content) == "":
		return "", c.Usage, errors.New("the answer is empty")
	case len(choice.Message.Content) > maxAnswerChars:
		return "", c.Usage, fmt.Errorf("the answer has more than %d bytes", maxAnswerChars)
	}
	return choice.Message.Content, c.Usage, nil
}

// readAnswer finds the answer in the model's text. Words around it are forgiven, also the thoughts of a thinking
// model; two different answers are not: one of them may be an example from a passage.
func readAnswer(text string) (answer, error) {
	text, err := withoutThoughts(strings.TrimPrefix(text, "\ufeff"))
	if err != nil {
		return answer{}, err
	}
	var found *answer
	tried := 0
	for rest := text; ; {
		i := strings.IndexByte(rest, '{')
		if i < 0 {
			break
		}
		if tried++; tried > maxObjects {
			return answer{}, errors.New("the answer has too many brackets")
		}
		rest = rest[i:]
		object, length := firstObject(rest)
		if object == nil {
			rest = rest[1:]
			continue
		}
		rest = rest[length:]
		if _, ok := object["verdict"]; !ok {
			continue
		}
		a, err := answerOf(object)
		if err != nil {
			return answer{}, err
		}
		if found != nil && *found != a {
			return answer{}, errors.New("the answer has two verdicts")
		}
		found = &a
	}
	if found == nil {
		return answer{}, fmt.Errorf("the answer has no JSON object with a verdict: %q", cleaned(text, 80))
	}
	return *found, nil
}

// withoutThoughts drops what a thinking model writes before its answer, where the server leaves it in the text.
func withoutThoughts(text string) (string, error) {
	const open, shut = "<think>", "</think>"
	text = strings.TrimSpace(text)
	if i := strings.LastIndex(text, shut); i >= 0 { // the opening mark may be a part of the chat template
		return text[i+len(shut):], nil
	}
	if strings.HasPrefix(text, open) {
		return "", errors.New("the answer ends within the model's thoughts")
	}
	return text, nil
}

// firstObject reads a JSON object at the beginning of s.
func firstObject(s string) (object map[string]json.RawMessage, length int) {
	dec := json.NewDecoder(strings.NewReader(s))
	if err := dec.Decode(&object); err != nil {
		return nil, 0
	}
	return object, int(dec.InputOffset())
}

// answerOf reads the fields. Each must have the type that the schema gives it; what may be empty may be absent.
func answerOf(object map[string]json.RawMessage) (answer, error) {
	var a answer
	for _, field := range []struct {
		name string
		into *string
	}{{"verdict", (*string)(&a.Verdict)}, {"passage", &a.Passage}, {"quote", &a.Quote}, {"because", &a.Because}} {
		raw, ok := object[field.name]
		if !ok || bytes.Equal(raw, []byte("null")) {
			continue
		}
		if err := json.Unmarshal(raw, field.into); err != nil {
			return answer{}, fmt.Errorf("the answer's %s is not a text", field.name)
		}
	}
	if !a.Verdict.known() {
		return answer{}, errors.New("the answer's verdict is none of the five")
	}
	return a, nil
}

// opinion turns an answer to p into an opinion. A label that was not given is a failure: the model made it up.
func (a answer) opinion(p prompt, key Key) Opinion {
	o := Opinion{
		Verdict: a.Verdict,
		Quote:   cut(key.redact(a.Quote), maxQuoteChars+1),
		Because: shortened(key.redact(cleaned(a.Because, maxAnswerChars)), maxReasonChars),
	}
	if a.Passage == "" {
		return o
	}
	for i, e := range p.shown {
		if a.Passage == label(i) {
			o.SourceID = e.SourceID
			return o
		}
	}
	return Opinion{Failure: fmt.Sprintf("%q is the label of no passage", shortened(key.redact(cleaned(a.Passage, maxAnswerChars)), 40))}
}
