package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// MarshalAnswer encodes an answer without escapes for HTML: the reader is a model, not a browser. It pays for each character and learns
// nothing from empty texts, lists and objects, so the fields of answers leave them out, except for the lists that are the answer itself:
// scripted clients loop over these.
func MarshalAnswer(answer any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(answer); err != nil {
		return nil, fmt.Errorf("encoding an answer: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// each converts the items of a list. It never returns nil, which would be null in an answer.
func each[T, U any](items []T, convert func(T) U) []U {
	out := make([]U, 0, len(items))
	for _, item := range items {
		out = append(out, convert(item))
	}
	return out
}

// charsOf counts the characters of a part of an answer, with what separates it from the next.
func charsOf(part any) int {
	body, err := MarshalAnswer(part)
	if err != nil {
		return 0
	}
	return utf8.RuneCount(body) + 1
}

// within returns the first parts that fit into a number of characters, at least one.
func within[T any](parts []T, chars int) []T {
	for i, part := range parts {
		if chars -= charsOf(part); chars < 0 && i > 0 {
			return parts[:i]
		}
	}
	return parts
}

// shrink returns a number of characters, at most n, whose cost is within a limit.
func shrink(n, limit int, cost func(n int) int) int {
	for n > 0 {
		have := cost(n)
		if have <= limit {
			break
		}
		n = max(0, min(n-1, n*limit/have))
	}
	return n
}

// cutTo shortens untrusted text.
func cutTo(s string, chars int) string {
	if r := []rune(s); len(r) > chars {
		return string(r[:chars]) + "…"
	}
	return s
}
