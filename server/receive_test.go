package server

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/tools/arguments"
)

// Requests of every method count.
func TestEveryMethodIsMetered(t *testing.T) {
	for _, method := range []string{"ping", "initialize", "prompts/list", "resources/read", "completion/complete", "tools/list", "notifications/initialized", "no/such"} {
		web := httptest.NewServer(newFixture(t).srv.Handler(HTTP{Meter: access.NewMeter(access.Limits{What: "calls", PerMinute: 1}, time.Now)}))
		t.Cleanup(web.Close)
		body := `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{"uri":"citeloop://loops","name":"x"}}`
		if got := request(t, http.MethodPost, web.URL, body, nil); got.Status == http.StatusTooManyRequests {
			t.Fatalf("%s: the first request: %+v", method, got)
		}
		got := request(t, http.MethodPost, web.URL, body, nil)
		if got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" || !strings.Contains(got.Body, "rate limit of 1 calls a minute") {
			t.Errorf("%s: the second request: %+v", method, got)
		}
	}
}

// The server keeps no sessions and opens no streams. Ids of sessions are ignored, and a client holds nothing.
func TestNoSessions(t *testing.T) {
	h := newFixture(t)
	web := h.serve(t, nil)
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		if got := request(t, method, web.URL, "", map[string]string{"Mcp-Session-Id": "x"}); got.Status != http.StatusMethodNotAllowed || got.Header.Get("Allow") != http.MethodPost {
			t.Errorf("%s: %+v", method, got)
		}
	}
	for _, header := range []map[string]string{nil, {"Mcp-Session-Id": "mcp-session-x"}} {
		got := request(t, http.MethodPost, web.URL, initialize, header)
		if got.Status != http.StatusOK || got.Header.Get("Mcp-Session-Id") != "" {
			t.Errorf("initialize: %+v", got)
		}
	}
	before := heap()
	large := strings.Replace(initialize, `"name":"`, `"name":"`+strings.Repeat("n", 20_000), 1)
	for range 1_000 {
		request(t, http.MethodPost, web.URL, large, nil)
	}
	if grown := heap() - before; grown > 4<<20 {
		t.Errorf("1,000 initializations hold %d kB", grown>>10)
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
	n := decodingBytes / (bytesPerByte * len(huge))
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

// A cancellation over HTTP reaches no call of another client.
func TestCancellationsOverHTTP(t *testing.T) {
	passed := false
	handler := receive(nil, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed = true }))
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, Endpoint, strings.NewReader(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)))
	if w.Code != http.StatusAccepted || passed {
		t.Errorf("%d, passed on: %v", w.Code, passed)
	}
}
