package jsoncount

import (
	"encoding/json"
	"testing"
)

func TestCount(t *testing.T) {
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
			if !json.Valid([]byte(tt.text)) {
				t.Fatalf("invalid JSON: %s", tt.text)
			}
			if got := Count([]byte(tt.text)); got != tt.want {
				t.Errorf("%d values, want %d", got, tt.want)
			}
		})
	}
}
