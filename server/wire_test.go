package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// eras are a protocol version with a handshake, and the first one without.
var eras = map[string]string{"2025-11-25": mcp.LATEST_LEGACY_PROTOCOL_VERSION, "2026-07-28": mcp.ProtocolVersion20260728}

// openStream sends a request whose answer is read while it arrives.
func openStream(t *testing.T, method, url, body string, header map[string]string) *http.Response {
	t.Helper()
	resp, err := http.DefaultClient.Do(newRequest(t.Context(), t, method, url, body, header))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// wire is a client that writes and reads lines over real pipes.
type wire struct {
	t      *testing.T
	h      fixture
	modern bool
	out    *os.File
	lines  chan string
}

func newWire(t *testing.T, h fixture, modern bool) *wire {
	t.Helper()
	w := &wire{t: t, h: h, modern: modern, lines: make(chan string, 500)}
	in, toServer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromServer, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.out = toServer
	done := make(chan error, 1)
	go func() { done <- h.srv.ServeStdio(context.WithoutCancel(t.Context()), in, out); out.Close() }()
	go func() {
		defer close(w.lines)
		s := bufio.NewScanner(fromServer)
		s.Buffer(nil, 1<<24)
		for s.Scan() {
			w.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		toServer.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if !modern {
		w.say(w.request(`"hello"`, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t",`+
			`"version":"1"}}`))
		w.next(`"hello"`)
	}
	return w
}

func (w *wire) request(id, method, params string) string {
	if w.modern {
		params = withMeta(params)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`+"\n", id, method, params)
}

func (w *wire) say(lines ...string) {
	w.t.Helper()
	if _, err := io.WriteString(w.out, strings.Join(lines, "")); err != nil {
		w.t.Fatal(err)
	}
}

// next returns the next line that is not a notification; it must be the answer to id.
func (w *wire) next(id string) string {
	w.t.Helper()
	for {
		line := word(w.t, w.lines)
		var m struct{ ID json.RawMessage }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			w.t.Fatalf("%v: %s", err, line)
		}
		if m.ID == nil {
			continue
		}
		if string(m.ID) != id {
			w.t.Fatalf("answer to %s, want the answer to %s: %s", m.ID, id, line)
		}
		return line
	}
}

func word(t *testing.T, words <-chan string) string {
	t.Helper()
	s, open := <-words
	if !open {
		t.Fatal("the stream ended")
	}
	return s
}
