package install

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// maxDepth of nested values; settings of people have fewer than ten. Chosen.
const maxDepth = 500

// SyntaxError is where a file stops being of its format.
type SyntaxError struct {
	Line, Column int // from 1; the column counts bytes
	Problem      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

func syntaxError(text []byte, at int, problem string, args ...any) *SyntaxError {
	at = min(at, len(text))
	line := 1 + bytes.Count(text[:at], []byte("\n"))
	return &SyntaxError{line, at - bytes.LastIndexByte(text[:at], '\n'), fmt.Sprintf(problem, args...)}
}

// A value of JSON with comments and trailing commas, by its place in the text: [start, end).
type value struct {
	kind       byte // { [ " or, for numbers and words, their first byte
	start, end int
	members    []member
	elements   []value
}

type member struct {
	name  string // decoded
	start int    // of the name
	value value
	comma int // offset of the comma behind it; -1 if there is none
}

// find is the last member of a name, as JSON.parse would read it, and how many there are.
func (v value) find(name string) (index, count int) {
	index = -1
	for i, m := range v.members {
		if m.name == name {
			index, count = i, count+1
		}
	}
	return index, count
}

// reader reads JSON with // and /* */ comments and trailing commas, which VS Code, Zed and others write.
type reader struct {
	text []byte
	at   int
}

// bom is what some editors of Windows put before a text.
var bom = []byte("\xef\xbb\xbf")

// parse reads a text. There is no root where the text has nothing but white space and comments.
func parse(text []byte) (root *value, err error) {
	r := reader{text: text}
	if bytes.HasPrefix(text, bom) {
		r.at = len(bom)
	}
	if err := r.skip(); err != nil {
		return nil, err
	}
	if r.at == len(text) {
		return nil, nil
	}
	v, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if err := r.skip(); err != nil {
		return nil, err
	}
	if r.at < len(text) {
		return nil, r.fail("something follows the end of the value")
	}
	return &v, nil
}

func (r *reader) fail(problem string, args ...any) error {
	return syntaxError(r.text, r.at, problem, args...)
}

func (r *reader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// skip passes white space and comments.
func (r *reader) skip() error {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			r.at++
		case bytes.HasPrefix(r.text[r.at:], []byte("//")):
			r.at = r.lineEnd()
		case bytes.HasPrefix(r.text[r.at:], []byte("/*")):
			end := bytes.Index(r.text[r.at+2:], []byte("*/"))
			if end < 0 {
				return r.fail("a comment is not closed")
			}
			r.at += 2 + end + 2
		default:
			return nil
		}
	}
	return nil
}

func (r *reader) lineEnd() int {
	if i := bytes.IndexByte(r.text[r.at:], '\n'); i >= 0 {
		return r.at + i
	}
	return len(r.text)
}

func (r *reader) value(depth int) (value, error) {
	if depth > maxDepth {
		return value{}, r.fail("more than %d values inside one another", maxDepth)
	}
	switch c := r.peek(); c {
	case '{':
		return r.object(depth)
	case '[':
		return r.array(depth)
	case '"':
		start := r.at
		_, err := r.string()
		return value{kind: '"', start: start, end: r.at}, err
	default:
		return r.word()
	}
}

func (r *reader) object(depth int) (value, error) {
	v := value{kind: '{', start: r.at}
	for r.at++; ; {
		if err := r.skip(); err != nil {
			return v, err
		}
		if r.peek() == '}' {
			r.at++
			v.end = r.at
			return v, nil
		}
		if n := len(v.members); n > 0 && v.members[n-1].comma < 0 {
			return v, r.fail("a comma or } is missing")
		}
		if r.peek() != '"' {
			return v, r.fail("a name in quotes is missing")
		}
		m := member{start: r.at, comma: -1}
		var err error
		if m.name, err = r.string(); err != nil {
			return v, err
		}
		if err := r.skip(); err != nil {
			return v, err
		}
		if r.peek() != ':' {
			return v, r.fail("a colon is missing")
		}
		r.at++
		if err := r.skip(); err != nil {
			return v, err
		}
		if m.value, err = r.value(depth + 1); err != nil {
			return v, err
		}
		if err := r.skip(); err != nil {
			return v, err
		}
		if r.peek() == ',' {
			m.comma = r.at
			r.at++
		}
		v.members = append(v.members, m)
	}
}

func (r *reader) array(depth int) (value, error) {
	v := value{kind: '[', start: r.at}
	comma := true
	for r.at++; ; {
		if err := r.skip(); err != nil {
			return v, err
		}
		if r.peek() == ']' {
			r.at++
			v.end = r.at
			return v, nil
		}
		if !comma {
			return v, r.fail("a comma or ] is missing")
		}
		e, err := r.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.elements = append(v.elements, e)
		if err := r.skip(); err != nil {
			return v, err
		}
		if comma = r.peek() == ','; comma {
			r.at++
		}
	}
}

func (r *reader) string() (string, error) {
	start := r.at
	for r.at++; ; r.at++ {
		switch c := r.peek(); {
		case r.at >= len(r.text) || c == '\n':
			return "", r.fail("a string is not closed")
		case c == '\\':
			r.at++
		case c == '"':
			r.at++
			var s string
			if err := json.Unmarshal(r.text[start:r.at], &s); err != nil {
				r.at = start
				return "", r.fail("a string has an escape or a character that JSON does not know")
			}
			return s, nil
		}
	}
}

// word reads a number, true, false or null.
func (r *reader) word() (value, error) {
	start := r.at
	for c := r.peek(); c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '+' || c == '-' || c == '.'; c = r.peek() {
		r.at++
	}
	if start == r.at || !json.Valid(r.text[start:r.at]) {
		r.at = start
		return value{}, r.fail("a value is missing")
	}
	return value{kind: r.text[start], start: start, end: r.at}, nil
}
