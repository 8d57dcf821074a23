package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// Over stdio the server answers invalid JSON with an error and keeps running. A byte order mark before the first message, as Windows
// programs write it, is no error.
func TestStdioSurvivesGarbage(t *testing.T) {
	s, err := New(nil, Config{Version: "test", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for in, refused := range map[string]int{"garbage\n{\"jsonrpc\":\n[]\n" + initialize + "\n": 3, "\ufeff" + initialize + "\n": 0} {
		var out bytes.Buffer
		if err := s.ServeStdio(t.Context(), strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("stdout carries %q", line)
			}
		}
		if got := out.String(); !strings.Contains(got, `"id":1,"result":`) || strings.Count(got, `"error":`) != refused {
			t.Errorf("%q is answered %s; want %d refusals and initialize", in, got, refused)
		}
	}
	if status, text := newFixture(t).serve(t, nil).post(t, "\ufeff"+initialize, nil); status != http.StatusOK ||
		!strings.Contains(text, `"id":1,"result":`) {
		t.Errorf("a byte order mark over HTTP: %d %s", status, text)
	}
}

// A line that exceeds the limits is answered under its id, where clients write it, without being kept. Later lines are read.
func TestLinesOfAnyLength(t *testing.T) {
	long := strings.Repeat("a", maxBodyBytes)
	const later = `{"jsonrpc":"2.0","id":9,"method":"ping"}` + "\n"
	for name, tt := range map[string]struct{ line, id, problem string }{
		"id first": {`{"jsonrpc":"2.0","id":5,"method":"x","params":{"id":6,"text":"` + long + `"}}`, `"id":5,`, "request too large"},
		"id behind what is too long": {`{"method":"x","params":{"id":6,"text":["\"}` + long + `"]},"jsonrpc":"2.0","id":"b"}`, `"id":null,`,
			"request too large"},
		"no end":         {`{"method":"x","params":[[[` + long, `"id":null,`, "request too large"},
		"no JSON":        {long, `"id":null,`, "request too large"},
		"many values":    {`{"id":7,"params":{"id":8,"list":` + values(200_000) + `}}`, `"id":7,`, "too many JSON values"},
		"the last of it": {`{"method":"x","params":` + values(200_000) + `,"id":-7}`, `"id":-7}`, "too many JSON values"},
	} {
		t.Run(name, func(t *testing.T) {
			var answers bytes.Buffer
			in := bufio.NewReader(strings.NewReader(tt.line + "\n" + later))
			passed, err := io.ReadAll(&messageReader{in: in, responses: &responseWriter{out: &answers}})
			if err != nil || string(passed) != later {
				t.Errorf("%d bytes passed on, want the later line only (error %v)", len(passed), err)
			}
			if got := answers.String(); !json.Valid(answers.Bytes()) || !strings.Contains(got, strings.Trim(tt.id, ",}")) ||
				!strings.Contains(got, tt.problem) {
				t.Errorf("answer %q, want one with %s and %q", got, tt.id, tt.problem)
			}
		})
	}
}

// values returns a JSON list of n short texts.
func values(n int) string { return "[" + strings.Repeat(`"",`, n-1) + `""]` }

// Ids come back as they were sent, also integers that no float64 holds. A call with any id can be cancelled.
func TestIDsAreExact(t *testing.T) {
	ids := []string{"0", "-7", "9007199254740993", "-9007199254740993", "123456789012345678901234567890", `"9007199254740993"`, `"a\"b"`}
	h := newFixture(t)
	site := h.serve(t, nil)
	for _, id := range ids {
		for _, body := range []string{`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":` + withMeta(`{"name":"loop_list"}`) + `}`,
			`{"params":{"id":1234567890123456789},"method":"no/such","id" : ` + id + ` ,"jsonrpc":"2.0"}`} {
			if _, text := site.post(t, body, nil); gjson.Get(text, "id").Raw != id {
				t.Errorf("over HTTP, %s came back: %.200s", id, text)
			}
		}
	}
	began, ended := h.waits()
	in, client := io.Pipe()
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- h.srv.ServeStdio(t.Context(), in, &out) }()
	for _, id := range ids {
		fmt.Fprintln(client, `{"jsonrpc":"2.0","id":`+id+`,"method":"tools/call","params":`+withMeta(`{"name":"wait"}`)+`}`)
		<-began
		fmt.Fprintln(client, cancelled(id))
		<-ended
		fmt.Fprintln(client, `{"jsonrpc":"2.0","id":`+id+`,"method":"no/such"}`)
	}
	client.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	for _, id := range ids {
		if !strings.Contains(out.String(), `"id":`+id+`,`) {
			t.Errorf("over stdio, no answer to %s: %s", id, out.String())
		}
	}
}
