package project

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Set returns a valid file with the value of a top-level key set to TOML, and everything else as it was. A new key stands
// before the first table.
func Set(body []byte, name, value string) []byte {
	line := []byte(name + " = " + value)
	at := len(body)
	var in unstable.Parser
	for in.Reset(bytes.Clone(body)); in.NextExpression(); {
		e := in.Expression()
		if e.Kind == unstable.Comment {
			continue
		}
		it := e.Key()
		it.Next()
		start := int(it.Node().Raw.Offset)
		if e.Kind != unstable.KeyValue {
			at = bytes.LastIndexByte(body[:start], '\n') + 1
			break
		}
		if string(it.Node().Data) == name && it.IsLast() {
			return join(body[:start], line, body[e.Raw.Offset+e.Raw.Length:])
		}
	}
	if at > 0 && body[at-1] != '\n' {
		line = append([]byte("\n"), line...)
	}
	return join(body[:at], append(line, '\n'), body[at:])
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// List returns texts as a TOML value.
func List(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// Quote returns a text as a TOML value.
func Quote(word string) string {
	var b strings.Builder
	for _, r := range word {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r == 0x7f:
			b.WriteString(`\u00` + strconv.FormatInt(int64(r)+0x100, 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}
