package server

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/tools/arguments"
)

// Requests of every method count, whether there is such a method or not.
func TestEveryMethodIsMetered(t *testing.T) {
	for _, method := range []string{"initialize", "resources/read", "notifications/initialized", "no/such"} {
		web := httptest.NewServer(newFixture(t).srv.Handler(HTTP{Meter: access.NewMeter(1, 0, time.Now)}))
		t.Cleanup(web.Close)
		body := `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{"uri":"citeloop://loops","name":"x"}}`
		first, second := caller{url: web.URL}.send(t, http.MethodPost, body, nil), caller{url: web.URL}.send(t, http.MethodPost, body, nil)
		if first.Status == http.StatusTooManyRequests || second.Status != http.StatusTooManyRequests ||
			second.Header.Get("Retry-After") == "" || !strings.Contains(second.Body, "rate limit of 1 calls a minute") {
			t.Errorf("%s: %+v, then %+v", method, first, second)
		}
	}
}

// The server stores no sessions and opens no streams.
func TestNoSessions(t *testing.T) {
	site := newFixture(t).serve(t, nil)
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		if got := site.send(t, method, "", map[string]string{"Mcp-Session-Id": "x"}); got.Status != http.StatusMethodNotAllowed ||
			got.Header.Get("Allow") != http.MethodPost {
			t.Errorf("%s: %+v", method, got)
		}
	}
	if status, text := site.post(t, initialize, map[string]string{"Mcp-Session-Id": "mcp-session-x"}); status != http.StatusOK {
		t.Errorf("initialize with an unknown session: %d %s", status, text)
	}
}

// A rejected body costs little more memory than its own size.
func TestRefusedBodiesAreNotDecoded(t *testing.T) {
	handler := newFixture(t).srv.Handler(HTTP{})
	for name, body := range map[string]string{
		"too many values":      callOf("loop_update", `{"gaps":`+values(3_000_000)+`}`),
		"larger than the rest": callOf("loop_update", `{"gaps":"`+strings.Repeat("a", maxBodyBytes)+`"}`),
	} {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1"+Endpoint, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		handler.ServeHTTP(w, r)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; w.Code != http.StatusRequestEntityTooLarge || used > 8*uint64(len(body)) {
			t.Errorf("%s: %d, %d kB for %d kB: %s", name, w.Code, used>>10, len(body)>>10, w.Body)
		}
	}
}

// While the memory for decoding is used up, other requests are refused and not kept waiting.
func TestDecodingMemoryIsShared(t *testing.T) {
	inside, leave := make(chan struct{}), make(chan struct{})
	handler := receive(nil, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inside <- struct{}{}; <-leave }))
	send := func(body string) int {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, Endpoint, strings.NewReader(body)))
		return w.Code
	}
	huge := `{"text":"` + strings.Repeat("a", maxBodyBytes-100) + `"}`
	n := decodingBytes / (bytesPerByte*len(huge) + arguments.MaxValues*bytesPerValue)
	done := make(chan int, n)
	for range n {
		go func() { done <- send(huge) }()
		<-inside
	}
	if code := send(huge); code != http.StatusServiceUnavailable {
		t.Errorf("one more: %d", code)
	}
	close(leave)
	for range n {
		<-done
	}
	go func() { <-inside }()
	if code := send(huge); code != http.StatusOK {
		t.Errorf("afterwards: %d", code)
	}
}

// A cancellation over HTTP ends a call of the same session of the same owner, and no other one.
func TestCancellationsOverHTTP(t *testing.T) {
	h := newFixture(t)
	began, ended := h.waits()
	tokens, _, tokenOf := newTokens(t, "anna", "ben")
	site := h.serve(t, tokens)
	anna, ben := site.as(tokenOf["anna"]), site.as(tokenOf["ben"])
	ctx, leave := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	begin := func(name string, c caller, session string, more map[string]string) {
		header := map[string]string{"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"}
		maps.Copy(header, more)
		params := `{"name":"wait","arguments":{"name":"` + name + `"}}`
		if more != nil {
			params = withMeta(params)
		}
		req := c.request(t, ctx, http.MethodPost, Endpoint, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":`+params+`}`, header)
		calls.Go(func() {
			if resp, err := http.DefaultClient.Do(req); err == nil {
				resp.Body.Close()
			}
		})
		<-began
	}
	session := anna.send(t, http.MethodPost, initialize, nil).Header.Get("Mcp-Session-Id")
	if session == "" {
		t.Fatal("no session id")
	}
	begin("hers", anna, session, nil)
	begin("her other client's", anna, "other", nil)
	begin("a client without a session", anna, "", nil)
	begin("ben's", ben, session, nil)
	begin("the newer era's", ben, session, modernHeader("tools/call", "wait"))
	of := func(session string) map[string]string { return map[string]string{"Mcp-Session-Id": session} }
	modern := of(session)
	modern["MCP-Protocol-Version"] = "2026-07-28"
	for _, cancel := range []struct {
		by     caller
		header map[string]string
	}{{ben, nil}, {anna, nil}, {ben, of("anna " + session)}, {ben, modern}, {anna, of(session)}} {
		if status, text := cancel.by.post(t, cancelled("7"), cancel.header); status != http.StatusAccepted {
			t.Errorf("%d %s", status, text)
		}
	}
	if name := <-ended; name != "hers" || len(ended) > 0 {
		t.Errorf("ended: %s, and %d more", name, len(ended))
	}
	leave() // a closed request ends its call
	for range 4 {
		<-ended
	}
	calls.Wait()
}

// waits adds a tool that waits for its end, and tells the names of the calls that began and ended.
func (h fixture) waits() (began, ended chan string) {
	began, ended = make(chan string, 9), make(chan string, 9)
	h.srv.MCP.AddTool(mcp.NewTool("wait"), func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		began <- req.GetString("name", "")
		<-ctx.Done()
		ended <- req.GetString("name", "")
		return mcp.NewToolResultError("ended"), nil
	})
	return began, ended
}

func cancelled(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
}
