package llm

import (
	"encoding/json"
	"errors"
	"strings"
)

// maxObjects bounds how many opening brackets of a text are tried.
const maxObjects = 50

// ReadObject finds the JSON object with a key in a model's text, and decodes it into out. Text and fences around it are ignored.
func ReadObject(text, key string, out any) error {
	found := false
	for range maxObjects {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			break
		}
		text = text[i:]
		found = true
		var fields map[string]json.RawMessage
		if json.NewDecoder(strings.NewReader(text)).Decode(&fields) == nil && fields[key] != nil {
			return json.NewDecoder(strings.NewReader(text)).Decode(out)
		}
		text = text[1:]
	}
	if !found {
		return errors.New("no JSON object found")
	}
	return errors.New("no complete JSON object with the key " + key + " found")
}

// withoutReasoning removes the reasoning that some servers leave in the text before the answer.
func withoutReasoning(text string) string {
	if i := strings.LastIndex(text, "</think>"); i >= 0 { // the opening tag may be part of the chat template
		return strings.TrimSpace(text[i+len("</think>"):])
	}
	if strings.HasPrefix(strings.TrimSpace(text), "<think>") {
		return ""
	}
	return text
}
