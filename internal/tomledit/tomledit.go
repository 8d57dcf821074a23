// Package tomledit changes single values of a TOML file and says on which line a value stands. Comments, order and all other
// values stay as they are, byte for byte.
package tomledit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// File is a TOML file. Tables with a header can be edited; other forms are rejected.
type File struct {
	Values     map[string]any
	Statements []Statement
	body       []byte
	newline    string
}

// Statement is a header or a pair with its place in the text.
type Statement struct {
	Header     bool     // [path] or [[path]]
	Array      bool     // [[path]]
	Table      []string // the header that it is below
	Path       []string // whole
	Line       int
	start, end int    // its lines, including the last line break
	value      [2]int // place of a pair's value
}

// SyntaxError is the place where a file is invalid.
type SyntaxError struct {
	Line, Column int // from 1; the column counts bytes
	Problem      string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// ErrUncertain prevents writing a wrong result. No input is known that causes it.
var ErrUncertain = errors.New("the edit failed its check and was dropped; please report this with the shape of the file")

// bom is the byte order mark that some editors on Windows write.
var bom = []byte("\xef\xbb\xbf")

// Open reads a file. The error for an invalid one is a [*SyntaxError].
func Open(text []byte) (*File, error) {
	f := &File{body: text, newline: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		f.newline = "\r\n"
	}
	body := bytes.TrimPrefix(text, bom)
	before := len(text) - len(body)
	if err := toml.Unmarshal(body, &f.Values); err != nil {
		e := &SyntaxError{1, 1, strings.TrimPrefix(err.Error(), "toml: ")}
		if at, ok := errors.AsType[*toml.DecodeError](err); ok {
			e.Line, e.Column = at.Position()
		}
		return nil, e
	}
	var table []string
	line, counted := 1, 0 // the line of the place up to which line breaks are counted
	var p unstable.Parser
	for p.Reset(bytes.Clone(body)); p.NextExpression(); { // it changes what it reads
		e := p.Expression()
		if e.Kind == unstable.Comment {
			continue
		}
		s := Statement{Header: e.Kind != unstable.KeyValue, Array: e.Kind == unstable.ArrayTable}
		var names []string
		var first, last unstable.Range
		for name := e.Key(); name.Next(); {
			if last = name.Node().Raw; names == nil {
				first = last
			}
			names = append(names, string(name.Node().Data))
		}
		end := int(last.Offset + last.Length)
		if s.Header {
			table = names
			s.Path = names
		} else {
			s.Path = slices.Concat(table, names)
			equals := end + bytes.IndexByte(body[end:], '=') + 1
			end = int(e.Raw.Offset + e.Raw.Length)
			s.value = [2]int{before + end - len(bytes.TrimLeft(body[equals:end], " \t")), before + end}
		}
		s.Table = table
		line += bytes.Count(body[counted:first.Offset], []byte("\n"))
		s.Line, counted = line, int(first.Offset)
		s.start = before + bytes.LastIndexByte(body[:first.Offset], '\n') + 1
		s.end = len(text)
		if rest := bytes.IndexByte(body[end:], '\n'); rest >= 0 {
			s.end = before + end + rest + 1
		}
		f.Statements = append(f.Statements, s)
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("reading the statements: %w", err)
	}
	return f, nil
}

// Text returns the file as it is now.
func (f *File) Text() []byte { return f.body }

func begins(path, with []string) bool {
	return len(path) >= len(with) && slices.Equal(path[:len(with)], with)
}

// editable returns an error if a table is written in a form that is not edited.
func (f *File) editable(table []string) error {
	for _, s := range f.Statements {
		switch {
		case s.Array && (begins(s.Path, table) || begins(table, s.Path)):
			return fmt.Errorf("its %q is a list of tables, not a table", strings.Join(s.Path, "."))
		case !s.Header && (begins(s.Path, table) && !begins(s.Table, table) || begins(table, s.Path)):
			return fmt.Errorf("it has %q in a form that this command does not edit; write it as a table with a header, [%s]",
				strings.Join(s.Path[:min(len(table), len(s.Path))], "."), strings.Join(table, "."))
		}
	}
	return nil
}

// Get returns a value, or nil.
func (f *File) Get(path ...string) (any, error) {
	if err := f.editable(path); err != nil {
		return nil, err
	}
	var at any = f.Values
	for _, name := range path {
		table, _ := at.(map[string]any)
		if at = table[name]; at == nil {
			return nil, nil
		}
	}
	return at, nil
}

// Set sets a pair to a text, a list of texts or a truth value, and adds its table if it is missing: behind that above it, or at the
// end. A new pair without a table stands before the first table.
func (f *File) Set(value any, path ...string) error {
	table, name := path[:len(path)-1], path[len(path)-1]
	words := Quote(value)
	line := name + " = " + words + f.newline
	if len(table) == 0 {
		at := len(f.body)
		for _, s := range f.Statements {
			if !s.Header && slices.Equal(s.Path, path) {
				return f.splice(s.value[0], s.value[1], words)
			}
			if s.Header {
				at = s.start
				break
			}
		}
		if at > 0 && f.body[at-1] != '\n' {
			line = f.newline + line
		}
		return f.splice(at, at, line)
	}
	if err := f.editable(table); err != nil {
		return err
	}
	parent, end := 0, 0 // of the table above it, and of the table
	for _, s := range f.Statements {
		switch {
		case !s.Header && slices.Equal(s.Path, path):
			return f.splice(s.value[0], s.value[1], words)
		case slices.Equal(s.Table, table):
			end = s.end
		case slices.Equal(s.Table, table[:len(table)-1]):
			parent = s.end
		}
	}
	header := "[" + strings.Join(table, ".") + "]" + f.newline
	at := end
	switch {
	case end > 0:
	case parent > 0:
		at, line = parent, f.newline+header+line
	case len(bytes.TrimSpace(bytes.TrimPrefix(f.body, bom))) == 0:
		f.body, line = nil, header+line
	default:
		if at, line = len(f.body), header+line; !bytes.HasSuffix(bytes.TrimSuffix(f.body, []byte(f.newline)), []byte("\n")) {
			line = f.newline + line
		}
	}
	if at > 0 && f.body[at-1] != '\n' {
		line = f.newline + line
	}
	return f.splice(at, at, line)
}

// Remove removes a table and those below it, each with the empty line before it if an empty line or the end follows.
func (f *File) Remove(path ...string) error {
	end := 0 // of the table that is removed; later lines belong to the next
	for _, s := range slices.Backward(f.Statements) {
		if !begins(s.Table, path) {
			continue
		}
		if end = max(end, s.end); !s.Header {
			continue
		}
		start := s.start
		if rest := f.body[end:]; len(rest) == 0 || rest[0] == '\n' || bytes.HasPrefix(rest, []byte("\r\n")) {
			for _, newline := range []string{"\r\n", "\n"} {
				if bytes.HasSuffix(f.body[:start], []byte("\n"+newline)) {
					start -= len(newline)
					break
				}
			}
		}
		f.body = slices.Concat(f.body[:start], f.body[end:])
		end = 0
	}
	return f.splice(0, 0, "")
}

// splice replaces a part of the text.
func (f *File) splice(start, end int, words string) error {
	changed, err := Open(slices.Concat(f.body[:start], []byte(words), f.body[end:]))
	if err != nil {
		return ErrUncertain
	}
	*f = *changed
	return nil
}

// Quote returns a text, a list of texts or a truth value on one line. The escapes of JSON are valid in TOML, which also
// requires one for DEL.
func Quote(value any) string {
	if list, ok := value.([]string); ok {
		words := make([]string, len(list))
		for i, s := range list {
			words[i] = Quote(s)
		}
		return "[" + strings.Join(words, ", ") + "]"
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return `""` // encoding a string cannot fail
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}
