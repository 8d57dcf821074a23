package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// callOf is a call of the older era with arguments as they are spelled here.
func callOf(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// Whatever is posted gets an answer that says what is wrong, and the server goes on. In none of them is anything
// done.
func TestBodiesThatAttack(t *testing.T) {
	h := newFixture(t)
	url := h.serve(t, nil).URL
	const levels = 100_000
	many := 90_000
	if testing.Short() { // as under the race detector, which makes each ten times as dear
		many = 20_000
	}
	keys := func() string {
		var b strings.Builder
		for i := range many {
			fmt.Fprintf(&b, `"k%d":0,`, i)
		}
		return b.String()
	}
	tests := []struct {
		name, body string
		want       string // in the answer
	}{
		{"arrays 100,000 deep", strings.Repeat("[", levels) + strings.Repeat("]", levels), "rror"},
		{"objects 100,000 deep", strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels), "rror"},
		{"an argument 100,000 deep", callOf("loop_init", `{"query":`+strings.Repeat("[", levels)+strings.Repeat("]", levels)+`}`), "rror"},
		{"an argument 5,000 deep", callOf("loop_init", `{"query":`+strings.Repeat("[", 5_000)+strings.Repeat("]", 5_000)+`}`), "query"},
		{"depth that is never closed", strings.Repeat("[", 1<<20), "rror"},
		{fmt.Sprintf("%d unknown arguments", many), callOf("loop_init", "{"+keys()+`"query":"q"}`), "unknown"},
		{"more values than allowed", callOf("loop_init", `{"dimensions":`+values(200_000)+`}`), "too many JSON values"},
		{"an array for every call", "[" + callOf("loop_init", `{"query":"q"}`) + "," + callOf("loop_init", `{"query":"q"}`) + "]", "rror"},
		{"a number of 100,000 digits", callOf("loop_init", `{"budget":{"rounds":`+strings.Repeat("9", 100_000)+`}}`), "number too large in the request"},
		{"a number beyond all", callOf("loop_init", `{"budget":{"rounds":1e999999}}`), "number too large in the request"},
		{"such a number in a text", callOf("loop_get_state", `{"state_id":"1e999999"}`), "unknown loop"},
		{"no UTF-8 in a key", callOf("loop_init", "{\"\xff\xfe\":1}"), "unknown"},
		{"half a surrogate in an id", callOf("loop_get_state", `{"state_id":"\ud800"}`), "unknown loop"},
		{"two ids, the last one wrong", callOf("loop_get_state", `{"state_id":"`+unknownID+`","state_id":"../x"}`), "unknown loop"},
		{"an id that walks up", callOf("loop_get_state", `{"state_id":"../../etc/passwd"}`), "unknown loop"},
		{"an id that ends early", callOf("loop_get_state", `{"state_id":"`+unknownID+`\u0000.db"}`), "unknown loop"},
		{"an id that asks", callOf("loop_get_state", `{"state_id":"' OR 1=1 --"}`), "unknown loop"},
		{"an id of a megabyte", callOf("loop_get_state", `{"state_id":"`+strings.Repeat("0", 1<<20)+`"}`), "state_id"},
		{"a prefix of ids", callOf("loop_get_state", `{"state_id":"01"}`), "unknown loop"},
		{"a pattern of ids", callOf("loop_get_state", `{"state_id":"%"}`), "unknown loop"},
		{"a file of the server", callOf("fetch", `{"url":"file:///etc/passwd"}`), `\"status\":\"blocked\"`},
		{"a file of the server, spelled otherwise", callOf("fetch", `{"url":"FILE://localhost/%65tc/../etc/passwd"}`), `\"status\":\"blocked\"`},
		{"the metadata of a cloud", callOf("fetch", `{"url":"http://169.254.169.254/latest/meta-data/"}`), `\"status\":\"blocked\"`},
		{"this server", callOf("fetch", `{"url":"`+url+`/healthz"}`), `\"status\":\"blocked\"`},
		{"nothing", "", "rror"},
		{"a method with a line break", `{"jsonrpc":"2.0","id":1,"method":"tools/call\r\nX: y"}`, "rror"},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{"a":[1]},"method":"ping"}`, ""},
	}
	_, session := initialized(t, url, "")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, text := post(t, url+Endpoint, tt.body, map[string]string{"Mcp-Session-Id": session})
			if status >= 500 || !strings.Contains(text, tt.want) || len(text) > 20_000 {
				t.Errorf("%d, %d bytes: %.600s", status, len(text), text)
			}
			if strings.Contains(text, "goroutine") || strings.Contains(text, ".go:") || strings.Contains(text, "root:") {
				t.Errorf("the answer tells of the inside: %.600s", text)
			}
		})
	}
	if heads, err := h.svc.Heads(t.Context()); err != nil || len(heads) != 0 {
		t.Errorf("%d loops were begun, %v", len(heads), err)
	}
	if resp, err := http.Get(url + "/healthz"); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %v, %v", resp, err)
	}
}

// countingReader is a body without end that knows how much of it was taken. The transport may go on taking after
// the answer is there.
type countingReader struct {
	taken atomic.Int64
	size  int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	taken := c.taken.Load()
	if taken >= c.size {
		return 0, io.EOF
	}
	n := min(int64(len(p)), c.size-taken)
	for i := range p[:n] {
		p[i] = ' '
	}
	c.taken.Add(n)
	return int(n), nil
}

// Of a body of 100 MB no more is read than a body may have, with or without a length that says so beforehand.
func TestBodiesOf100MB(t *testing.T) {
	const size = 100 << 20
	for era, header := range map[string]map[string]string{"2025-11-25": {}, "2026-07-28": {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}} {
		for name, length := range map[string]int64{"announced": size, "in chunks": -1} {
			t.Run(era+" "+name, func(t *testing.T) {
				ts := newFixture(t).serve(t, nil)
				body := &countingReader{size: size}
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, ts.URL+Endpoint, body)
				if err != nil {
					t.Fatal(err)
				}
				req.ContentLength = length
				req.Header.Set("Content-Type", "application/json")
				for k, v := range header {
					req.Header.Set(k, v)
				}
				resp, err := http.DefaultClient.Do(req)
				if err == nil { // the server may close the connection before the answer is read
					resp.Body.Close()
					if resp.StatusCode < 400 {
						t.Errorf("status %d", resp.StatusCode)
					}
				}
				if taken := body.taken.Load(); taken > maxBodyBytes+16<<20 { // what the sockets hold is taken as well
					t.Errorf("%d MB of the body were taken", taken>>20)
				}
			})
		}
	}
}

// hasty serves a fixture with little patience.
func hasty(t *testing.T, limits timeouts) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	h := newFixture(t)
	h.srv.logger = slog.New(slog.DiscardHandler)
	go func() { done <- h.srv.serveHTTP(ctx, l, HTTP{}, limits) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// Who dawdles is let go: before the header, within it, within the body.
func TestSlowRequestsEnd(t *testing.T) {
	usual := defaultTimeouts()
	if usual.header <= 0 || usual.header > 10*time.Second || usual.request <= 0 || usual.request > 2*time.Minute || usual.idle <= 0 || usual.connections <= 0 {
		t.Errorf("the server limits %+v", usual)
	}
	address := hasty(t, timeouts{connections: 100, header: 100 * time.Millisecond, request: 300 * time.Millisecond, idle: 100 * time.Millisecond, write: time.Minute})
	const begin = "POST " + Endpoint + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
	for name, sent := range map[string]string{
		"says nothing":          "",
		"half a header":         begin + "X-Slow: ",
		"half a body":           begin + "Content-Length: 1000\r\n\r\n{",
		"half a modern body":    begin + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\nContent-Length: 1000\r\n\r\n{",
		"a body without a size": begin + "Transfer-Encoding: chunked\r\n\r\n5\r\n",
		"idle after an answer":  "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := io.WriteString(c, sent); err != nil {
				t.Fatal(err)
			}
			if err := c.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
				t.Fatal(err)
			}
			_, err = io.Copy(io.Discard, c) // ends when the server closes
			var timeout net.Error
			if errors.As(err, &timeout) && timeout.Timeout() {
				t.Error("the connection is still open")
			}
		})
	}
}

// More connections than there may be do not keep callers out for longer than silence is borne.
func TestManyConnections(t *testing.T) {
	const most = 50
	address := hasty(t, timeouts{connections: most, header: 200 * time.Millisecond, request: time.Minute, idle: 200 * time.Millisecond, write: time.Minute})
	for range 10 * most {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+Endpoint, strings.NewReader(initialize))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("status %d", resp.StatusCode)
	}
}

// Two requests in one, as a proxy and a server that count differently would see them, are none.
func TestSmuggledRequests(t *testing.T) {
	address := hasty(t, defaultTimeouts())
	for name, request := range map[string]string{
		"two lengths":                   "Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}",
		"a length and chunks, unsigned": "Content-Length: +2\r\n\r\n{}",
		"chunks of another kind":        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
		"a header of a megabyte":        "X-Long: " + strings.Repeat("x", 1<<20) + "\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			go func() {
				_, _ = io.WriteString(c, "POST "+Endpoint+" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"+request)
			}()
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				return // closed without a word
			}
			defer resp.Body.Close()
			if resp.StatusCode < 400 || !resp.Close {
				t.Errorf("%d, and the connection goes on: %v", resp.StatusCode, !resp.Close)
			}
		})
	}
}

// An id cannot be guessed from another: nothing that a stranger can know shortens the search to less than the 74
// random bits of a UUIDv7, and no answer says how near a guess is.
func TestGuessedIDs(t *testing.T) {
	h := newFixture(t)
	tokens, _, tokenOf := newTokens(t, "anna", "ben")
	url := h.serve(t, tokens).URL
	ids := map[string]bool{}
	var last string
	for range 20 {
		_, text := modernPost(t, url, tokenOf["anna"], "tools/call", "loop_init", map[string]any{"name": "loop_init", "arguments": map[string]any{"query": "q"}})
		var m struct {
			Result struct {
				StructuredContent struct {
					StateID string `json:"state_id"`
				}
			}
		}
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		last = m.Result.StructuredContent.StateID
		ids[last[len(last)-12:]] = true
	}
	if len(ids) != 20 {
		t.Errorf("%d different ends of 20 ids", len(ids))
	}
	ask := func(id string) string {
		_, text := modernPost(t, url, tokenOf["ben"], "tools/call", "loop_get_state", map[string]any{"name": "loop_get_state", "arguments": map[string]any{"state_id": id}})
		return text
	}
	want := ask(unknownID)
	for _, guess := range []string{last, strings.ToUpper(last), " " + last, last[:35] + "0", strings.ReplaceAll(last, "-", ""), "{" + last + "}", "urn:uuid:" + last} {
		if got := ask(guess); got != want {
			t.Errorf("%q is answered %s", guess, got)
		}
	}
}
