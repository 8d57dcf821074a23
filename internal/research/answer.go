package research

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

var (
	errNoObject   = errors.New("there is no JSON object in it")
	errCutObject  = errors.New("its JSON is cut off or broken")
	errNotAnswers = errors.New("its JSON has none of the keys that were asked for")
)

// readObject finds the JSON object that a model was asked for in what it wrote, and reads it into out. Words around
// it are forgiven, thoughts and code fences too. What is no JSON is repaired once, which saves the items before a
// cut. One of the keys must be there.
func readObject(text string, out any, keys ...string) error {
	_, err := readMended(text, out, keys...)
	return err
}

// readMended is readObject, and says whether something behind the cut was lost.
func readMended(text string, out any, keys ...string) (lost bool, err error) {
	text = withoutThoughts(text)
	err = errNoObject
	mended := false
	for range maxObjects {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			break
		}
		text = text[i:]
		object, length := firstObject(text)
		lost := false
		if object == nil && !mended {
			mended = true
			var whole string
			whole, lost = repaired(text)
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
			err, length = errCutObject, 1
		case err == errNoObject:
			err = errNotAnswers
		}
		text = text[length:]
	}
	return false, err
}

// maxObjects beginnings of an object are tried.
const maxObjects = 50

func hasKey(object map[string]json.RawMessage, keys []string) bool {
	for _, k := range keys {
		if _, ok := object[k]; ok {
			return true
		}
	}
	return len(keys) == 0
}

// firstObject reads a JSON object at the beginning of s.
func firstObject(s string) (object map[string]json.RawMessage, length int) {
	dec := json.NewDecoder(strings.NewReader(s))
	if dec.Decode(&object) != nil {
		return nil, 0
	}
	return object, int(dec.InputOffset())
}

// withoutThoughts drops what a thinking model writes before its answer, where the server leaves it in the text.
func withoutThoughts(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if i := strings.LastIndex(text, "</think>"); i >= 0 { // the opening mark may be a part of the chat template
		return strings.TrimSpace(text[i+len("</think>"):])
	}
	if strings.HasPrefix(text, "<think>") {
		return ""
	}
	return text
}

// repaired makes JSON of what begins like an object: line breaks in strings are escaped, commas before a closing
// bracket dropped, and where the text ends within the object, it is cut behind the last whole value and closed: what
// stood there is lost.
func repaired(s string) (whole string, lost bool) {
	var out strings.Builder
	var open []byte             // closing brackets that are due
	end, due := -1, []byte(nil) // length of out behind the last whole value of a list or object, and what closes it
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

// words is a text, or something that is written as one.
type words string

func (w *words) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		if s = strings.Trim(string(data), `"`); s == "null" || strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
			s = ""
		}
	}
	*w = words(strings.TrimSpace(s))
	return nil
}

// list is a list of T, or a lone T. Items of another shape are left out.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(data []byte) error {
	var raw []json.RawMessage
	if json.Unmarshal(data, &raw) != nil {
		raw = []json.RawMessage{data}
	}
	*l = nil
	for _, r := range raw {
		var item T
		if string(r) != "null" && len(*l) < maxListed && json.Unmarshal(r, &item) == nil {
			*l = append(*l, item)
		}
	}
	return nil
}

// maxListed items of a list are heard.
const maxListed = 100

// yes is true for true and "true".
type yes bool

func (y *yes) UnmarshalJSON(data []byte) error {
	*y = yes(strings.EqualFold(strings.Trim(string(data), `"`), "true"))
	return nil
}

// number is a number, or one in quotation marks; anything else is absent.
type number struct {
	value float64
	given bool
}

func (n *number) UnmarshalJSON(data []byte) error {
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.Trim(string(data), `"`)), 64)
	if err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
		*n = number{v, true}
	}
	return nil
}

// share is a number from 0 to 1, or one in per cent; anything else is absent.
type share number

func (s *share) UnmarshalJSON(data []byte) error {
	text := strings.TrimSpace(strings.Trim(string(data), `"`))
	var n number
	_ = n.UnmarshalJSON([]byte(strings.TrimSuffix(text, "%")))
	if strings.HasSuffix(text, "%") || n.value > 1 && n.value <= 100 {
		n.value /= 100
	}
	if n.given && n.value >= 0 && n.value <= 1 {
		*s = share(n)
	}
	return nil
}

// fits reports whether a text is there and not longer than a server takes.
func fits(text words, chars int) bool {
	return text != "" && utf8.RuneCountInString(string(text)) <= chars
}
