package install

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlFile is a TOML file. Tables with a header can be edited, as Codex writes them; other forms are rejected.
type tomlFile struct {
	body       []byte
	values     map[string]any
	newline    string
	statements []statement
}

// statement is a header or a pair with its position in the text.
type statement struct {
	header     bool     // [path] or [[path]]
	array      bool     // [[path]]
	table      []string // the header that it is below
	path       []string // whole
	start, end int      // its lines, including the last line break
	value      [2]int   // position of a pair's value
}

func openTOML(text []byte) (*tomlFile, error) {
	f := &tomlFile{body: text, newline: newlineOf(text)}
	body := bytes.TrimPrefix(text, bom)
	before := len(text) - len(body)
	if err := toml.Unmarshal(body, &f.values); err != nil {
		if e, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, column := e.Position()
			return nil, &SyntaxError{line, column, strings.TrimPrefix(e.Error(), "toml: ")}
		}
		return nil, shapeError("%v", err)
	}
	var table []string
	var p unstable.Parser
	for p.Reset(body); p.NextExpression(); {
		e := p.Expression()
		if e.Kind == unstable.Comment {
			continue
		}
		s := statement{header: e.Kind != unstable.KeyValue, array: e.Kind == unstable.ArrayTable}
		var names []string
		var first, last unstable.Range
		for name := e.Key(); name.Next(); {
			if last = name.Node().Raw; names == nil {
				first = last
			}
			names = append(names, string(name.Node().Data))
		}
		end := int(last.Offset + last.Length)
		if s.header {
			table = names
			s.path = names
		} else {
			s.path = slices.Concat(table, names)
			equals := end + bytes.IndexByte(body[end:], '=') + 1
			end = int(e.Raw.Offset + e.Raw.Length)
			s.value = [2]int{before + end - len(bytes.TrimLeft(body[equals:end], " \t")), before + end}
		}
		s.table = table
		s.start = before + bytes.LastIndexByte(body[:first.Offset], '\n') + 1
		s.end = len(text)
		if rest := bytes.IndexByte(body[end:], '\n'); rest >= 0 {
			s.end = before + end + rest + 1
		}
		f.statements = append(f.statements, s)
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("reading the statements: %w", err)
	}
	return f, nil
}

func (f *tomlFile) text() []byte { return f.body }

func begins(path, with []string) bool {
	return len(path) >= len(with) && slices.Equal(path[:len(with)], with)
}

// editable returns an error if a table is written in a form that is not edited.
func (f *tomlFile) editable(table []string) error {
	for _, s := range f.statements {
		switch {
		case s.array && (begins(s.path, table) || begins(table, s.path)):
			return shapeError("its %q is a list of tables, not a table", strings.Join(s.path, "."))
		case !s.header && (begins(s.path, table) && !begins(s.table, table) || begins(table, s.path)):
			return shapeError("it has %q in a form that this command does not edit; write it as a table with a header, [%s]",
				strings.Join(s.path[:min(len(table), len(s.path))], "."), strings.Join(table, "."))
		}
	}
	return nil
}

func (f *tomlFile) get(path ...string) (any, error) {
	if err := f.editable(path); err != nil {
		return nil, err
	}
	var at any = f.values
	for _, name := range path {
		table, _ := at.(map[string]any)
		if at = table[name]; at == nil {
			return nil, nil
		}
	}
	return at, nil
}

// set sets a pair, and adds its table if it is missing: behind that above it, or at the end.
func (f *tomlFile) set(value any, path ...string) error {
	table, name := path[:len(path)-1], path[len(path)-1]
	if err := f.editable(table); err != nil {
		return err
	}
	// The escapes of JSON are valid in TOML, which also requires one for DEL.
	words := strings.ReplaceAll(quoted(value), "\x7f", `\u007f`)
	line := name + " = " + words + f.newline
	parent, end := 0, 0 // of the table above it, and of the table
	for _, s := range f.statements {
		switch {
		case !s.header && slices.Equal(s.path, path):
			return f.splice(s.value[0], s.value[1], words)
		case slices.Equal(s.table, table):
			end = s.end
		case slices.Equal(s.table, table[:len(table)-1]):
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

// remove removes a table and those below it, each with the empty line before it if an empty line or the end follows.
func (f *tomlFile) remove(path ...string) error {
	end := 0 // of the table that is removed; later lines belong to the next
	for _, s := range slices.Backward(f.statements) {
		if !begins(s.table, path) {
			continue
		}
		if end = max(end, s.end); !s.header {
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
func (f *tomlFile) splice(start, end int, words string) error {
	changed, err := openTOML(slices.Concat(f.body[:start], []byte(words), f.body[end:]))
	if err != nil {
		return errUncertain
	}
	*f = *changed
	return nil
}
