package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// callOf returns a call of the older era with raw arguments.
func callOf(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// Every hostile body gets a specific error and has no effect, and the server keeps running.
func TestHostileBodies(t *testing.T) {
	h := newFixture(t)
	site := h.serve(t, nil)
	const levels = 100_000
	many := 90_000
	if testing.Short() { // as under the race detector, which makes each ten times slower
		many = 20_000
	}
	var keys strings.Builder
	for i := range many {
		fmt.Fprintf(&keys, `"k%d":0,`, i)
	}
	for _, tt := range []struct {
		name, body string
		want       string // part of the answer
	}{
		{"arrays 100,000 deep", strings.Repeat("[", levels) + strings.Repeat("]", levels), "rror"},
		{"an argument 100,000 deep", callOf("loop_init", `{"query":`+strings.Repeat("[", levels)+strings.Repeat("]", levels)+`}`), "rror"},
		{"an argument 5,000 deep", callOf("loop_init", `{"query":`+strings.Repeat("[", 5_000)+strings.Repeat("]", 5_000)+`}`), "query"},
		{fmt.Sprintf("%d unknown arguments", many), callOf("loop_init", "{"+keys.String()+`"query":"q"}`), "unknown"},
		{"more values than allowed", callOf("loop_init", `{"dimensions":`+values(200_000)+`}`), "too many JSON values"},
		{"an array for every call", "[" + callOf("loop_init", `{"query":"q"}`) + "," + callOf("loop_init", `{"query":"q"}`) + "]", "rror"},
		{"a number beyond float64", callOf("loop_init", `{"budget":{"rounds":1e999999}}`), "rror"},
		{"invalid UTF-8 in a key", callOf("loop_init", "{\"\xff\xfe\":1}"), "unknown"},
		{"two ids, the last one wrong", callOf("loop_get_state", `{"state_id":"`+unknownID+`","state_id":"../x"}`), "unknown loop"},
		{"an id with a parent folder", callOf("loop_get_state", `{"state_id":"../../etc/passwd"}`), "unknown loop"},
		{"an id with a zero byte", callOf("loop_get_state", `{"state_id":"`+unknownID+`\u0000.db"}`), "unknown loop"},
		{"an id of a megabyte", callOf("loop_get_state", `{"state_id":"`+strings.Repeat("0", 1<<20)+`"}`), "state_id"},
		{"a file of the server", callOf("fetch", `{"url":"file:///etc/passwd"}`), `\"status\":\"blocked\"`},
		{"a file of the server, spelled otherwise", callOf("fetch", `{"url":"FILE://localhost/%65tc/../etc/passwd"}`),
			`\"status\":\"blocked\"`},
		{"cloud metadata", callOf("fetch", `{"url":"http://169.254.169.254/latest/meta-data/"}`), `\"status\":\"blocked\"`},
		{"this server", callOf("fetch", `{"url":"`+site.url+`/healthz"}`), `\"status\":\"blocked\"`},
		{"a body above the limit", callOf("loop_init", `{"query":"`+strings.Repeat("a", maxBodyBytes)+`"}`), "too large"},
		{"nothing", "", "rror"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, text := site.post(t, tt.body, nil)
			if status >= 500 || !strings.Contains(text, tt.want) || len(text) > 20_000 {
				t.Errorf("%d, %d bytes: %.600s", status, len(text), text)
			}
			if strings.Contains(text, "goroutine") || strings.Contains(text, ".go:") || strings.Contains(text, "root:") {
				t.Errorf("the answer reveals internals: %.600s", text)
			}
		})
	}
	if heads, err := h.svc.Heads(t.Context()); err != nil || len(heads) != 0 {
		t.Errorf("%d loops were started, %v", len(heads), err)
	}
	if resp, err := http.Get(site.url + "/healthz"); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %v, %v", resp, err)
	}
}
