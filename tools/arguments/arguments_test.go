package arguments

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// The bound holds for every transport, and for lists in strings: for all of a call together.
func TestTooManyValues(t *testing.T) {
	t.Parallel()
	var schema Schema
	if err := json.Unmarshal([]byte(`{"type": "object", "properties": {"list": {"type": "array", "items": {"type": "array",
		"items": {"type": "string"}}}}}`), &schema); err != nil {
		t.Fatal(err)
	}
	const half = MaxValues/2 + 9
	list := func(n int) string { return "[" + strings.Repeat(`"",`, n) + `""]` }
	quoted, spaced := fmt.Sprintf("%q", list(half)), fmt.Sprintf(`"\u2003 \u005b%s"`, strings.ReplaceAll(list(MaxValues)[1:], `"`, `\"`))
	for name, raw := range map[string]string{"a list": list(MaxValues), "lists": "[" + list(half) + "," + list(half) + "]",
		"lists in strings": "[" + quoted + "," + quoted + "]", "a list in a string, spelled in escapes": "[" + spaced + "]"} {
		var got struct{ List [][]string }
		err := schema.Decode(json.RawMessage(`{"list":`+raw+`}`), &got)
		if err == nil || !strings.Contains(err.Error(), "too many JSON values") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for text, want := range map[string]int{`["a","b",1]`: 3, `{"a":1,"b":[]}`: 3, `{"a":"one, [two]"}`: 1, `{"a":"\",\",[","b":"\\"}`: 2} {
		if got := CountValues([]byte(text)); got != want {
			t.Errorf("%s: %d values, want %d", text, got, want)
		}
	}
}

// A text of addresses alone is a list of them; prose and paths with commas are one item.
func TestAddressesInOneText(t *testing.T) {
	t.Parallel()
	var schema Schema
	if err := json.Unmarshal([]byte(`{"type": "object", "properties": {"urls": {"type": "array", "items": {"type": "string"}}}}`),
		&schema); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"https://a.org/1, https://a.org/2": 2, "https://a.org/1\nhttps://a.org/2\n": 2,
		"https://a.org/1,2": 1, "Ebb, flow and https://a.org/1": 1, "/home/ann/a, b.pdf": 1, " ": 0} {
		raw, _ := json.Marshal(map[string]string{"urls": text})
		var got struct{ URLs []string }
		if err := schema.Decode(raw, &got); err != nil || len(got.URLs) != want {
			t.Errorf("%q: %q, %v; want %d", text, got.URLs, err, want)
		}
	}
}
