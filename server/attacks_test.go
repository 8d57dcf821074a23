package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
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

// pipes is a listener without sockets, so that tests in a synctest bubble can wait for the production limits.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, open := <-p
	if !open {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (p pipes) dial() net.Conn {
	c, server := net.Pipe()
	p <- server
	return c
}

// serveInMemory serves a handler with the production limits until the test ends.
func serveInMemory(t *testing.T, handler http.Handler, h HTTP) pipes {
	t.Helper()
	l := make(pipes)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- serve(ctx, l, handler, h, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l
}

// Connections of slow clients are closed: before the header, within it, within the body, and after a request. One that does
// not read its answer is closed, too.
func TestSlowClients(t *testing.T) {
	const begin = "POST " + Endpoint + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
	for name, tt := range map[string]struct {
		sent string
		deaf bool
		want time.Duration
	}{
		"no data":              {"", false, headerTimeout},
		"half a header":        {begin + "X-Slow: ", false, headerTimeout},
		"half a body":          {begin + "Content-Length: 1000\r\n\r\n{", false, readTimeout},
		"half a chunk":         {begin + "Transfer-Encoding: chunked\r\n\r\n5\r\n", false, readTimeout},
		"idle after an answer": {"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", false, idleTimeout},
		"answers are not read": {"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", true, writeTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := serveInMemory(t, newFixture(t).srv.Handler(HTTP{}), HTTP{}).dial()
				defer c.Close()
				start := time.Now()
				_, err := io.WriteString(c, tt.sent)
				if tt.deaf {
					_, _ = io.WriteString(c, strings.Repeat("x", 1<<20)) // until the server closes the connection
				} else if err == nil {
					_, err = io.Copy(io.Discard, c)
				}
				if err != nil && !tt.deaf {
					t.Error(err)
				}
				if took := time.Since(start); took < tt.want || took > tt.want+time.Second {
					t.Errorf("closed after %v, want %v", took, tt.want)
				}
			})
		})
	}
}

// A server holds no more connections than it is configured to. Those of clients that do nothing end, and others follow.
func TestConnectionsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := serveInMemory(t, newFixture(t).srv.Handler(HTTP{}), HTTP{Connections: 3})
		for range 3 {
			defer l.dial().Close()
		}
		waiting := make(chan net.Conn)
		start := time.Now()
		go func() { waiting <- l.dial() }()
		c := <-waiting
		defer c.Close()
		if took := time.Since(start); took < headerTimeout || took > headerTimeout+time.Second {
			t.Errorf("the fourth was accepted after %v", took)
		}
		if _, err := io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if answer, err := io.ReadAll(c); err != nil || !strings.Contains(string(answer), "200 OK") {
			t.Errorf("the fourth: %v: %s", err, answer)
		}
	})
}
