package tools

import (
	"encoding/json"
	"testing"
)

// An answer leaves out what is empty, keeps numbers and booleans, and keeps the lists that scripted clients loop over.
func TestMarshalAnswer(t *testing.T) {
	t.Parallel()
	type inner struct {
		Text  string   `json:"text"`
		Flags []string `json:"flags"`
	}
	type answer struct {
		Name     string          `json:"name"`
		Count    int             `json:"count"`
		Done     bool            `json:"done"`
		Inner    inner           `json:"inner"`
		Evidence []inner         `json:"evidence"`
		Rejected []string        `json:"rejected"`
		Counts   map[string]int  `json:"counts"`
		Data     json.RawMessage `json:"data"`
		None     *int            `json:"none"`
	}
	for _, tt := range []struct {
		name string
		in   answer
		want string
	}{
		{"empty", answer{}, `{"count":0,"done":false,"evidence":[]}`},
		{"an empty text in a list stays", answer{Rejected: []string{"", "a"}},
			`{"count":0,"done":false,"evidence":[],"rejected":["","a"]}`},
		{"escapes", answer{Name: `a "b\`, Inner: inner{Text: "x,]}\n"}},
			`{"name":"a \"b\\","count":0,"done":false,"inner":{"text":"x,]}\n"},"evidence":[]}`},
		{"nested", answer{Evidence: []inner{{}, {Flags: []string{"f"}}}, Counts: map[string]int{"a": 0}},
			`{"count":0,"done":false,"evidence":[{},{"flags":["f"]}],"counts":{"a":0}}`},
		{"raw", answer{Data: json.RawMessage(`{"a": [], "b": {"c": ""}, "d": [null, 1.5e3]}`)},
			`{"count":0,"done":false,"evidence":[],"data":{"d":[null,1.5e3]}}`},
	} {
		got, err := MarshalAnswer(tt.in)
		if err != nil || string(got) != tt.want || !json.Valid(got) {
			t.Errorf("%s: %s, %v\nwant %s", tt.name, got, err, tt.want)
		}
	}
}
