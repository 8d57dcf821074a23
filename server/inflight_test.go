package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/loopstate"
)

// wire is a client that writes and reads lines over real pipes. It observes the calls of a tool named wait.
type wire struct {
	t      *testing.T
	h      fixture
	modern bool
	out    *os.File
	lines  chan string
	began  chan string   // names of the calls of wait that run
	ended  chan string   // names of those that were cancelled
	free   chan struct{} // closed to release the calls
}

// newWire serves a fixture with the additional tool wait: it updates a loop, then waits until it is cancelled or released.
func newWire(t *testing.T, modern bool) *wire {
	t.Helper()
	return newWireTo(t, newFixture(t), modern)
}

func newWireTo(t *testing.T, h fixture, modern bool) *wire {
	t.Helper()
	w := &wire{t: t, h: h, modern: modern, lines: make(chan string, 500), began: make(chan string, 500), ended: make(chan string, 500), free: make(chan struct{})}
	wait := mcpserver.ServerTool{Tool: mcp.NewTool("wait", mcp.WithReadOnlyHintAnnotation(true)), Handler: func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		name := req.GetString("name", "")
		if loop := req.GetString("loop", ""); loop != "" {
			if _, err := w.h.svc.Update(ctx, loop, "", loopstate.UpdateInput{Query: "acknowledged before the end"}); err != nil {
				return nil, err
			}
		}
		w.began <- name
		select {
		case <-ctx.Done():
			w.ended <- name
			return nil, ctx.Err()
		case <-w.free:
			if ctx.Err() != nil {
				w.ended <- name
			}
			return mcp.NewToolResultText("freed " + name), nil
		}
	}}
	srv := w.h.with(t, WithExtras(Extras{Tools: []mcpserver.ServerTool{wait}})).srv
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
	go func() { done <- srv.ServeStdio(context.WithoutCancel(t.Context()), in, out); out.Close() }()
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
		w.say(w.request(`"hello"`, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`))
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

func (w *wire) wait(id, name, loop string) string {
	return w.request(id, "tools/call", fmt.Sprintf(`{"name":"wait","arguments":{"name":%q,"loop":%q}}`, name, loop))
}

func cancelling(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"the user pressed stop"}}`+"\n", id)
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

// onStdio runs a test in both eras.
func onStdio(t *testing.T, test func(t *testing.T, w *wire)) {
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(era, func(t *testing.T) { test(t, newWire(t, era == "2026-07-28")) })
	}
}

// alive checks that the next answer is that to a new request: no earlier one was answered.
func (w *wire) alive(id string) {
	w.t.Helper()
	w.say(w.request(id, "tools/list", `{}`))
	w.next(id)
}

// A cancelled call ends at once and is not answered; what it has stored is kept.
func TestCancelledCallIsNotAnswered(t *testing.T) {
	onStdio(t, func(t *testing.T, w *wire) {
		loop := w.h.loopAfter(t, t.Context(), 0)
		before := w.h.state(t, loop).Seq
		w.say(w.wait("7", "first", loop), w.wait(`"seven"`, "second", ""))
		word(t, w.began)
		word(t, w.began)
		w.say(cancelling("7"))
		if got := word(t, w.ended); got != "first" {
			t.Errorf("%s was cancelled", got)
		}
		w.alive("8")
		if st := w.h.state(t, loop); st.Seq != before+1 {
			t.Errorf("%d events, want %d", st.Seq, before+1)
		}
		w.say(cancelling(`"seven"`))
		word(t, w.ended)
		w.alive("9")
	})
}

// A cancellation directly after its call is not lost, whether the call has started or not.
func TestCancelledAtOnce(t *testing.T) {
	onStdio(t, func(t *testing.T, w *wire) {
		loop := w.h.loopAfter(t, t.Context(), 0)
		for n := range 100 {
			id := fmt.Sprint(100 + n)
			w.say(w.wait(id, id, ""), cancelling(id))
			w.say(w.request("1"+id, "tools/call", fmt.Sprintf(`{"name":"loop_get_state","arguments":{"state_id":%q}}`, loop)))
			w.next("1" + id)
		}
		close(w.free) // calls that still wait are answered now
		w.alive("2")
		began := len(w.began)
		for range began { // every call that started was cancelled
			word(t, w.ended)
		}
	})
}

// A call that is cancelled while it waits for a worker never runs.
func TestCancelledWhileItWaits(t *testing.T) {
	onStdio(t, func(t *testing.T, w *wire) {
		for n := range stdioWorkers {
			w.say(w.wait(fmt.Sprint(1000+n), "busy", ""))
		}
		for range stdioWorkers {
			word(t, w.began)
		}
		w.say(w.wait("5", "late", ""), cancelling("5"), w.request("6", "resources/list", `{}`))
		w.next("6") // so the cancellation was processed
		close(w.free)
		for range stdioWorkers {
			line := word(t, w.lines)
			if !strings.Contains(line, "freed busy") {
				t.Fatalf("answered: %s", line)
			}
		}
		w.say(w.wait("11", "after", "")) // the queue is empty when this one runs
		w.next("11")
		close(w.began)
		for name := range w.began {
			if name == "late" {
				t.Error("a call that was cancelled while it waited has run")
			}
		}
	})
}

// Invalid cancellations have no effect: of answered or unknown requests, of the same digits as a string, of initialize,
// and malformed notifications.
func TestInvalidCancellations(t *testing.T) {
	onStdio(t, func(t *testing.T, w *wire) {
		w.alive("4")
		w.say(w.wait("5", "stays", ""))
		word(t, w.began)
		for _, id := range []string{"4", "99", `"5"`, "null", "[5]", `{"id":5}`, "true", "5.5"} {
			w.say(cancelling(id))
		}
		w.say(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`+"\n", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[5]}`+"\n", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":"5"}`+"\n")
		if !w.modern {
			w.say(w.request("20", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`), cancelling("20"))
			w.next("20")
		}
		w.alive("6")
		close(w.free)
		if line := w.next("5"); !strings.Contains(line, "freed stays") {
			t.Errorf("answered %s", line)
		}
	})
}

// Subscriptions that are cancelled directly after their request end, with their goroutines.
func TestCancelledSubscriptions(t *testing.T) {
	before := feeding() // clients of other tests may have left theirs
	w := newWire(t, true)
	for n := range 50 {
		id := fmt.Sprint(100 + n)
		w.say(w.request(id, "subscriptions/listen", `{"notifications":{"resourcesListChanged":true}}`), cancelling(id))
	}
	w.alive("6")
	for feeding() > before { // for ever if a subscription remains
		runtime.Gosched()
	}
	w.alive("7")
}

// Answers are recognised by their first bytes.
func TestAnswerTo(t *testing.T) {
	tests := []struct {
		name, line string
		id         any
	}{
		{"a result", `{"jsonrpc":"2.0","id":5,"result":{}}`, 5.0},
		{"an error", `{"jsonrpc":"2.0","id":"a","error":{"code":1}}`, "a"},
		{"the rest is not read", `{"jsonrpc":"2.0","id":5,"result":nonsense`, 5.0},
		{"a request of the server", `{"jsonrpc":"2.0","id":5,"method":"elicitation/create"}`, nil},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/progress"}`, nil},
		{"an answer without an id", `{"jsonrpc":"2.0","id":null,"error":{}}`, nil},
		{"a list", `[{"id":5,"result":{}}]`, nil},
		{"nothing", ``, nil},
	}
	for _, tt := range tests {
		if id, ok := answerTo([]byte(tt.line)); id != tt.id || ok != (tt.id != nil) {
			t.Errorf("%s: %v %v, want %v", tt.name, id, ok, tt.id)
		}
	}
}

// No line causes a panic, and only requests and notifications are withheld from the library.
func FuzzReceived(f *testing.F) {
	for _, seed := range []string{`{"id":5,"method":"tools/call"}`, `{"method":"notifications/cancelled","params":{"requestId":5}}`, `{"id":1e400}`, `[]`, `{"id":{"a":[1]},"method":"x"}`, "", "\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		u := newInflight()
		if !u.received(line) && !strings.Contains(strings.ToLower(string(line)), "method") {
			t.Errorf("%q is withheld from the library", line)
		}
		u.answered(line)
	})
}
