package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/internal/loops"
)

// MarshalAnswer encodes an answer without its empty texts, lists and objects: the reader is a model, which pays for each
// character and learns nothing from them. Numbers and booleans stay, and so do the lists that are the answer itself (always).
func MarshalAnswer(answer any) ([]byte, error) {
	var encoded bytes.Buffer
	enc := json.NewEncoder(&encoded)
	enc.SetEscapeHTML(false) // the reader is a model, not a browser
	if err := enc.Encode(answer); err != nil {
		return nil, fmt.Errorf("encoding an answer: %w", err)
	}
	var out bytes.Buffer
	writeFilled(&out, gjson.ParseBytes(encoded.Bytes()))
	return out.Bytes(), nil
}

// always reports whether a list stays in an answer when it is empty. Scripted clients loop over these.
func always(key string) bool {
	switch key {
	case "evidence", "channels", "sources", "passages", "gaps", "claim_ids", "loops", "items", "verified_claims", "hallucinated_citations",
		"conflicts", "coverage_gaps":
		return true
	}
	return false
}

// writeFilled writes a value without the empty members of its objects, and reports whether the value is empty itself.
func writeFilled(out *bytes.Buffer, v gjson.Result) (empty bool) {
	switch {
	case v.IsObject():
		out.WriteByte('{')
		begin := out.Len()
		v.ForEach(func(key, member gjson.Result) bool {
			before := out.Len()
			if before > begin {
				out.WriteByte(',')
			}
			out.WriteString(key.Raw + ":")
			value := out.Len()
			switch empty := writeFilled(out, member); {
			case empty && !always(key.Str):
				out.Truncate(before)
			case member.Type == gjson.Null: // a nil slice
				out.Truncate(value)
				out.WriteString("[]")
			}
			return true
		})
		empty = out.Len() == begin
		out.WriteByte('}')
	case v.IsArray():
		out.WriteByte('[')
		begin := out.Len()
		v.ForEach(func(_, item gjson.Result) bool {
			if out.Len() > begin {
				out.WriteByte(',')
			}
			writeFilled(out, item)
			return true
		})
		empty = out.Len() == begin
		out.WriteByte(']')
	default:
		out.WriteString(v.Raw)
		empty = v.Type == gjson.Null || v.Raw == `""`
	}
	return empty
}

// tokensOf estimates the tokens of a part of an answer, with what separates it from the next.
func tokensOf(part any) int {
	body, err := MarshalAnswer(part)
	if err != nil {
		return 0
	}
	return loops.EstimateTokens(string(body) + ",")
}

// charsOf counts the characters of a part of an answer, with what separates it from the next.
func charsOf(part any) int {
	body, err := MarshalAnswer(part)
	if err != nil {
		return 0
	}
	return utf8.RuneCount(body) + 1
}

// within returns the first parts whose costs fit into a limit, at least one.
func within[T any](parts []T, limit int, cost func(any) int) []T {
	for i, part := range parts {
		if limit -= cost(part); limit < 0 && i > 0 {
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
