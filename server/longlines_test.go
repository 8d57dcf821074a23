package server

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
)

// A line that exceeds the limit is answered under its id, wherever the id is, without being kept. Later lines are read.
func TestLinesOfAnyLength(t *testing.T) {
	long := strings.Repeat("a", maxBodyBytes)
	const later = `{"jsonrpc":"2.0","id":9,"method":"ping"}` + "\n"
	tests := []struct{ name, line, id string }{
		{"id first", `{"jsonrpc":"2.0","id":5,"method":"x","params":{"id":6,"text":"` + long + `"}}`, `"id":5,`},
		{"id last", `{"method":"x","params":{"id":6,"text":["\"}` + long + `"]},"jsonrpc":"2.0","id":"b"}`, `"id":"b",`},
		{"no end", `{"method":"x","id":5,"params":[[[` + long, `"id":null,`},
		{"no JSON", long, `"id":null,`},
		{"a notification", `{"method":"x","params":{"text":"` + long + `"}}`, ""},
		{"a response", `{"id":5,"result":{"text":"` + long + `"}}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var answers bytes.Buffer
			in := bufio.NewReader(strings.NewReader(tt.line + "\n" + later))
			passed, err := io.ReadAll(&requestReader{in: in, all: newInflight(), out: &answers})
			if err != nil || string(passed) != later {
				t.Errorf("%d bytes passed on, want the later line only (error %v)", len(passed), err)
			}
			if got := answers.String(); tt.id == "" && got != "" || tt.id != "" && (!strings.Contains(got, tt.id) || !strings.Contains(got, "request too large")) {
				t.Errorf("answer %q, want one with %q", got, tt.id)
			}
		})
	}
}
