package warc

import (
	"bytes"
	"strings"
)

// FieldsType is the content type of a block that [Fields] made.
const FieldsType = "application/warc-fields"

// Field is one named value.
type Field struct{ Name, Value string }

// Fields returns a block of named values, one per line. White space in a value becomes a space; control characters and empty
// fields are dropped.
func Fields(fields []Field) []byte {
	var b bytes.Buffer
	for _, f := range fields {
		value := strings.Map(func(r rune) rune {
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				return -1
			}
			return r
		}, strings.ToValidUTF8(strings.Join(strings.Fields(f.Value), " "), "\uFFFD"))
		if value != "" {
			b.WriteString(f.Name + ": " + value + "\r\n")
		}
	}
	return b.Bytes()
}
