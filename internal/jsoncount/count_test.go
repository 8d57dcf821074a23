package jsoncount

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCounter(t *testing.T) {
	tests := []struct {
		name, text string
		want       int
	}{
		{"a list", `["a","b",1]`, 3},
		{"an object", `{"a":1,"b":[]}`, 3},
		{"commas in a text", `{"a":"one, two, [three], {four}"}`, 1},
		{"a quoted text", `{"a":"\",\",[","b":"\\"}`, 2},
		{"a list in a text", `{"a":"[1,2,3]"}`, 4},
		{"a list in a text after white space", `{"a":" \n\t\u2003[1,2,3]"}`, 4},
		{"a list in a text after raw white space", "{\"a\":\"\u2003[1,2,3]\"}", 4},
		{"a list in a text, spelled in escapes", `{"a":"\u005b1\u002C2\u002c3]"}`, 4},
		{"a text in a list in a text", `{"a":"[\"x\",\"y\"]"}`, 3},
		{"a text in escapes", `{"a":"\u0418\u0419, \u041a, [x]"}`, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var whole, parts Counter
			whole.Write([]byte(tt.text))
			for i := range tt.text {
				parts.Write([]byte(tt.text[i : i+1]))
			}
			if len(tt.text) > 0 && !json.Valid([]byte(tt.text)) {
				t.Fatalf("invalid JSON: %s", tt.text)
			}
			if whole.Values != tt.want {
				t.Errorf("%d values, want %d", whole.Values, tt.want)
			}
			if strings.IndexFunc(tt.text, func(r rune) bool { return r > 0x7f }) < 0 && parts.Values != whole.Values {
				t.Errorf("%d values byte by byte, %d at once", parts.Values, whole.Values)
			}
		})
	}
}
