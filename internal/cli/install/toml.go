package install

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// statement is a TOML header or pair with its position in the text.
type statement struct {
	header     bool     // [path] or [[path]]
	array      bool     // [[path]]
	path       []string // for a pair, below the header before it
	start, end int      // its lines, including the last line break
	value      tomlValue
}

// tomlValue is the part of a value that an edit needs.
type tomlValue struct {
	start, end int
	text       *string   // for a string
	elements   []*string // for an array; nil for elements that are not strings
	array      bool
}

// parseTOML returns the statements of a valid text with their positions.
func parseTOML(text []byte) ([]statement, error) {
	body := bytes.TrimPrefix(text, bom)
	before := len(text) - len(body)
	if err := toml.Unmarshal(body, &map[string]any{}); err != nil {
		if e, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, column := e.Position()
			return nil, &SyntaxError{line, column, strings.TrimPrefix(e.Error(), "toml: ")}
		}
		return nil, shapeError("%v", err)
	}
	var all []statement
	var p unstable.Parser
	for p.Reset(body); p.NextExpression(); {
		e := p.Expression()
		if e.Kind == unstable.Comment {
			continue
		}
		s := statement{header: e.Kind != unstable.KeyValue, array: e.Kind == unstable.ArrayTable}
		var first, last unstable.Range // the names
		for name := e.Key(); name.Next(); {
			if last = name.Node().Raw; len(s.path) == 0 {
				first = last
			}
			s.path = append(s.path, string(name.Node().Data))
		}
		end := int(last.Offset + last.Length)
		if !s.header {
			s.value = valueOf(e.Value())
			equals := end + bytes.IndexByte(body[end:], '=') + 1
			end = int(e.Raw.Offset + e.Raw.Length)
			s.value.start, s.value.end = before+end-len(bytes.TrimLeft(body[equals:end], " \t")), before+end
		}
		s.start = before + bytes.LastIndexByte(body[:first.Offset], '\n') + 1
		s.end = len(text)
		if rest := bytes.IndexByte(body[end:], '\n'); rest >= 0 {
			s.end = before + end + rest + 1
		}
		all = append(all, s)
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("reading the statements: %w", err)
	}
	return all, nil
}

func valueOf(n *unstable.Node) tomlValue {
	v := tomlValue{text: stringOf(n), array: n.Kind == unstable.Array}
	for element := n.Children(); v.array && element.Next(); {
		if n := element.Node(); n.Kind != unstable.Comment {
			v.elements = append(v.elements, stringOf(n))
		}
	}
	return v
}

// stringOf returns the value of a string, or nil.
func stringOf(n *unstable.Node) *string {
	if n.Kind != unstable.String {
		return nil
	}
	s := string(n.Data)
	return &s
}
