package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// maxObjects bounds how many opening brackets of the model's text are tried.
const maxObjects = 50

// answer is what the model wrote, by the schema.
type answer struct {
	Because string
	Passage string
	Quote   string
	Verdict Verdict
}

// readAnswer finds the answer in the model's text. Text around it is ignored. Two different answers are an error: one
// of them may be an example from a passage.
func readAnswer(text string) (answer, error) {
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
		return answer{}, fmt.Errorf("the answer has no JSON object with a verdict: %q", sanitize.Short(text, 80))
	}
	return *found, nil
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

// opinion turns an answer to p into an opinion. A label that was not given is a failure: the model invented it.
func (a answer) opinion(p prompt) Opinion {
	o := Opinion{Verdict: a.Verdict, Quote: cut(a.Quote, maxQuoteChars+1), Because: sanitize.Short(a.Because, maxReasonChars)}
	if a.Passage == "" {
		return o
	}
	for i, e := range p.shown {
		if a.Passage == label(i) {
			o.SourceID = e.SourceID
			return o
		}
	}
	return Opinion{Failure: fmt.Sprintf("unknown passage %q", sanitize.Short(a.Passage, 40))}
}
