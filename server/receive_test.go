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
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/tools/arguments"
)

// Requests of every method count.
func TestEveryMethodIsMetered(t *testing.T) {
	for _, method := range []string{"ping", "initialize", "prompts/list", "resources/read", "completion/complete", "tools/list",
		"notifications/initialized", "no/such"} {
		web := httptest.NewServer(newFixture(t).srv.Handler(HTTP{Meter: access.NewMeter(1, 0, time.Now)}))
		t.Cleanup(web.Close)
		body := `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{"uri":"citeloop://loops","name":"x"}}`
		if got := request(t, http.MethodPost, web.URL, body, nil); got.Status == http.StatusTooManyRequests {
			t.Fatalf("%s: the first request: %+v", method, got)
		}
		got := request(t, http.MethodPost, web.URL, body, nil)
		if got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" ||
			!strings.Contains(got.Body, "rate limit of 1 calls a minute") {
			t.Errorf("%s: the second request: %+v", method, got)
		}
	}
}

// The server stores no sessions and opens no streams. A client holds nothing.
func TestNoSessions(t *testing.T) {
	h := newFixture(t)
	web := h.serve(t, nil)
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		if got := request(t, method, web.URL, "", map[string]string{"Mcp-Session-Id": "x"}); got.Status != http.StatusMethodNotAllowed ||
			got.Header.Get("Allow") != http.MethodPost {
			t.Errorf("%s: %+v", method, got)
		}
	}
	for _, header := range []map[string]string{nil, {"Mcp-Session-Id": "mcp-session-x"}} {
		got := request(t, http.MethodPost, web.URL, initialize, header)
		if got.Status != http.StatusOK {
			t.Errorf("initialize: %+v", got)
		}
	}
	before := heap()
	large := strings.Replace(initialize, `"name":"`, `"name":"`+strings.Repeat("n", 20_000), 1)
	for range 200 {
		request(t, http.MethodPost, web.URL, large, nil)
	}
	if grown := heap() - before; grown > 2<<20 {
		t.Errorf("200 initializations hold %d kB", grown>>10)
	}
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// A rejected body costs little more memory than its own size.
func TestRefusedBodiesAreNotDecoded(t *testing.T) {
	handler := newFixture(t).srv.Handler(HTTP{})
	for name, body := range map[string]string{
		"too many values":      callOf("loop_update", `{"gaps":`+values(3_000_000)+`}`),
		"in a string":          callOf("loop_update", `{"gaps":"`+strings.ReplaceAll(values(arguments.MaxValues+9), `"`, `\"`)+`"}`),
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
	began, ended := make(chan string, 9), make(chan string, 9)
	h.mcp.AddTool(mcp.NewTool("wait"), mcpserver.ToolHandlerFunc(func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult,
		error) {
		began <- req.GetString("name", "")
		<-ctx.Done()
		ended <- req.GetString("name", "")
		return mcp.NewToolResultError("ended"), nil
	}))
	tokens, _, tokenOf := newTokens(t, "anna", "ben")
	web := h.serve(t, tokens)
	ctx, leave := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	begin := func(name, token, session string, more map[string]string) {
		header := with(token, map[string]string{"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"})
		maps.Copy(header, more)
		params := `{"name":"wait","arguments":{"name":"` + name + `"}}`
		if more != nil {
			params = withMeta(params)
		}
		req := newRequest(ctx, t, http.MethodPost, web.URL+Endpoint, requestOf(7, "tools/call", params), header)
		calls.Go(func() {
			if resp, err := http.DefaultClient.Do(req); err == nil {
				resp.Body.Close()
			}
		})
		<-began
	}
	anna, ben := tokenOf["anna"], tokenOf["ben"]
	session := request(t, http.MethodPost, web.URL, initialize, with(anna, nil)).Header.Get("Mcp-Session-Id")
	if session == "" {
		t.Fatal("no session id")
	}
	begin("hers", anna, session, nil)
	begin("her other client's", anna, "other", nil)
	begin("a client without a session", anna, "", nil)
	begin("ben's", ben, session, nil)
	begin("the newer era's", ben, session, modernHeader("tools/call", "wait"))
	const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`
	for _, header := range []map[string]string{with(ben, nil), with(anna, nil),
		with(ben, map[string]string{"Mcp-Session-Id": "anna " + session}),
		with(ben, map[string]string{"Mcp-Session-Id": session, "MCP-Protocol-Version": "2026-07-28"}),
		with(anna, map[string]string{"Mcp-Session-Id": session})} {
		if status, text := post(t, web.URL, cancel, header); status != http.StatusAccepted {
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
