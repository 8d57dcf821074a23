package llm

import (
	"encoding/json"
	"errors"
	"strings"
)

var (
	errNoObject     = errors.New("no JSON object in it")
	errBrokenObject = errors.New("its JSON is broken off or invalid")
	errOtherKeys    = errors.New("its JSON has none of the requested keys")
)

// maxObjects bounds how many opening brackets of a text are tried.
const maxObjects = 50

// ReadObject finds the requested JSON object in a model's text and decodes it into out. It ignores text and code fences
// around it. The object must have one of the keys, if any are given. Invalid JSON is repaired once: of a truncated
// object, the complete values are kept, and lost is true.
func ReadObject(text string, out any, keys ...string) (lost bool, err error) {
	text, err = withoutReasoning(text), errNoObject
	repaired := false
	for range maxObjects {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			break
		}
		text = text[i:]
		object, length := firstObject(text)
		lost := false
		if object == nil && !repaired {
			repaired = true
			var whole string
			whole, lost = repair(text)
			object, _ = firstObject(whole)
		}
		if object != nil && hasKey(object, keys) {
			body, err := json.Marshal(object)
			if err != nil {
				return lost, err
			}
			return lost, json.Unmarshal(body, out)
		}
		switch {
		case length == 0:
			err, length = errBrokenObject, 1
		case err == errNoObject:
			err = errOtherKeys
		}
		text = text[length:]
	}
	return false, err
}

func hasKey(object map[string]json.RawMessage, keys []string) bool {
	for _, k := range keys {
		if _, ok := object[k]; ok {
			return true
		}
	}
	return len(keys) == 0
}

// firstObject decodes the JSON object at the beginning of s.
func firstObject(s string) (object map[string]json.RawMessage, length int) {
	dec := json.NewDecoder(strings.NewReader(s))
	if dec.Decode(&object) != nil {
		return nil, 0
	}
	return object, int(dec.InputOffset())
}

// repair turns text that begins like an object into JSON. It escapes line breaks in strings and drops commas before a
// closing bracket. If the object is truncated, it cuts after the last complete value and closes the object; the rest is
// lost.
func repair(s string) (whole string, lost bool) {
	var out strings.Builder
	var open []byte             // missing closing brackets
	end, due := -1, []byte(nil) // length of out after the last complete value, and its missing brackets
	inString, escaped := false, false
	keep := func() { end, due = out.Len(), append(due[:0], open...) }
	for i := 0; i < len(s); i++ {
		c := s[i]
		if inString {
			switch {
			case escaped:
				escaped = false
			case c == '\\':
				escaped = true
			case c == '"':
				inString = false
			case c == '\n':
				out.WriteString(`\n`)
				continue
			case c == '\r', c == '\t':
				out.WriteByte(' ')
				continue
			case c < ' ':
				continue
			}
			out.WriteByte(c)
			continue
		}
		switch c {
		case '"':
			inString = true
		case '{':
			open = append(open, '}')
		case '[':
			open = append(open, ']')
			out.WriteByte(c)
			keep()
			continue
		case ',':
			keep()
			if next := strings.TrimLeft(s[i+1:], " \t\r\n"); next != "" && (next[0] == '}' || next[0] == ']') {
				continue
			}
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return closed(out.String(), end, due), true
			}
			open = open[:len(open)-1]
			out.WriteByte(c)
			if len(open) == 0 {
				return out.String(), false
			}
			keep()
			continue
		}
		out.WriteByte(c)
	}
	return closed(out.String(), end, due), true
}

func closed(s string, end int, due []byte) string {
	if end < 0 {
		return ""
	}
	b := []byte(strings.TrimRight(s[:end], ", \t\r\n"))
	for i := len(due) - 1; i >= 0; i-- {
		b = append(b, due[i])
	}
	return string(b)
}
