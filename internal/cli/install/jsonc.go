package install

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// Limits of nested values, chosen: parsers recurse, and settings have fewer than ten levels. Brackets in strings count as
// well, and a client's history may have many.
const (
	maxDepth    = 500
	maxBrackets = 10_000
)

// SyntaxError is the position where a file is invalid.
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

// value is a JSON value with its position in the text: [start, end).
type value struct {
	kind       hujson.Kind
	start, end int
	members    []member // of an object
	elements   []value  // of an array
	items      []member // the same, with their commas and without names
}

type member struct {
	name  string // decoded
	start int    // of the name
	value value
	comma int // offset of the comma after it, or -1
}

// find returns the last member with a name, which JSON.parse would use, and the number of such members.
func (v value) find(name string) (index, count int) {
	index = -1
	for i, m := range v.members {
		if m.name == name {
			index, count = i, count+1
		}
	}
	return index, count
}

// bom is the byte order mark that some editors on Windows write.
var bom = []byte("\xef\xbb\xbf")

// parse parses JSON with // and /* */ comments and trailing commas, which VS Code, Zed and others write. The root is nil if
// the text is empty or has only comments.
func parse(text []byte) (root *value, err error) {
	depth := 0
	for i, c := range text {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > maxBrackets {
			return nil, syntaxError(text, i, "more than %d nested values", maxBrackets)
		}
	}
	body := bytes.TrimPrefix(text, bom)
	body = append(bytes.Clone(body), '\n') // ends a comment on the last line
	if hujson.Extra(body).IsValid() {
		return nil, nil
	}
	v, err := hujson.Parse(body)
	if err != nil {
		e := &SyntaxError{}
		_, problem, _ := strings.Cut(err.Error(), ": ")
		if _, scanErr := fmt.Sscanf(problem, "line %d, column %d:", &e.Line, &e.Column); scanErr != nil {
			return nil, err
		}
		_, e.Problem, _ = strings.Cut(problem, ": ")
		if e.Line > 1+bytes.Count(text, []byte("\n")) { // at the added line break
			return nil, syntaxError(text, len(text), "%s", e.Problem)
		}
		return nil, e
	}
	whole := located(v, len(text)+1-len(body))
	return &whole, nil
}

// located returns a value with its offsets in the text. The parsed part starts at an offset of the text.
func located(v hujson.Value, before int) value {
	out := value{kind: v.Value.Kind(), start: before + v.StartOffset, end: before + v.EndOffset}
	switch parsed := v.Value.(type) {
	case *hujson.Object:
		for i, m := range parsed.Members {
			one := member{name: m.Name.Value.(hujson.Literal).String(), start: before + m.Name.StartOffset, value: located(m.Value, before), comma: -1}
			if i < len(parsed.Members)-1 || m.Value.AfterExtra != nil { // the parser's way to mark a trailing comma
				one.comma = one.value.end + len(m.Value.AfterExtra)
			}
			out.members = append(out.members, one)
		}
	case *hujson.Array:
		for i, e := range parsed.Elements {
			one := member{start: before + e.StartOffset, value: located(e, before), comma: -1}
			if i < len(parsed.Elements)-1 || e.AfterExtra != nil {
				one.comma = one.value.end + len(e.AfterExtra)
			}
			out.elements, out.items = append(out.elements, one.value), append(out.items, one)
		}
	}
	return out
}
