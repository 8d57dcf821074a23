package server

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/tools/arguments"
)

// rawCall is a call of 2026-07-28.
func rawCall(tool, arguments string) (body string, header map[string]string) {
	body = requestOf(2, "tools/call", withMeta(`{"name":"`+tool+`","arguments":`+arguments+`}`))
	header = modernHeader("tools/call", tool)
	header["Content-Type"], header["Accept"] = "application/json", "application/json, text/event-stream"
	return body, header
}

// allocated serves a call and returns the answer and the bytes allocated for it.
func allocated(handler http.Handler, body string, header map[string]string) (status int, answer string, bytes uint64) {
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1"+Endpoint, strings.NewReader(body))
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	handler.ServeHTTP(w, r)
	runtime.ReadMemStats(&after)
	return w.Code, w.Body.String(), after.TotalAlloc - before.TotalAlloc
}

// values returns a JSON list of n short texts.
func values(n int) string { return "[" + strings.Repeat(`"",`, n-1) + `""]` }

// A rejected body costs little more memory than its own size.
func TestRefusedBodiesAreNotDecoded(t *testing.T) {
	h := newFixture(t)
	tokens, _, tokenOf := newTokens(t, "anna")
	open, guarded := h.srv.Handler(HTTP{}), h.srv.Handler(HTTP{Auth: access.ReadOnly(tokens)})
	many, allowed := `{"gaps":`+values(3_000_000)+`}`, `{"gaps":`+values(arguments.MaxValues-100)+`}`
	tests := []struct {
		name, tool, arguments string
		handler               http.Handler
		status                int
		want                  string
		most                  uint64 // bytes
	}{
		{"too many values", "loop_update", many, open, http.StatusRequestEntityTooLarge, "too many JSON values", 8 << 20},
		{"too many values without the scope", "loop_update", many, guarded, http.StatusRequestEntityTooLarge, "too many JSON values", 8 << 20},
		{"a missing scope", "loop_update", allowed, guarded, http.StatusOK, "needs the scope write", 4 << 20},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body, header := rawCall(tt.tool, tt.arguments)
			status, answer, bytes := allocated(tt.handler, body, with(tokenOf["anna"], header))
			if status != tt.status || !strings.Contains(answer, tt.want) {
				t.Errorf("%d %.300s", status, answer)
			}
			if bytes > tt.most {
				t.Errorf("%d kB allocated for a body of %d kB", bytes>>10, len(body)>>10)
			}
		})
	}
}

// The rate is checked before the arguments are decoded, and a rejected call changes nothing.
func TestRateIsCheckedBeforeDecoding(t *testing.T) {
	handler := newFixture(t).with(t, WithMeter(access.NewMeter(access.Limits{CallsPerMinute: 1}, time.Now))).srv.Handler(HTTP{})
	body, header := rawCall("loop_list", `{}`)
	if status, answer, _ := allocated(handler, body, header); status != http.StatusOK || strings.Contains(answer, "isError") {
		t.Fatalf("the first call: %d %s", status, answer)
	}
	body, header = rawCall("loop_update", `{"gaps":`+values(arguments.MaxValues-100)+`}`)
	status, answer, bytes := allocated(handler, body, header)
	if status != http.StatusOK || !strings.Contains(answer, "too many calls: rate limit of 1 calls a minute reached") {
		t.Errorf("the second call: %d %.300s", status, answer)
	}
	if bytes > 4<<20 {
		t.Errorf("%d kB allocated for a body of %d kB", bytes>>10, len(body)>>10)
	}
}

// One owner's large requests leave memory for the others.
func TestDecodingBudgetIsShared(t *testing.T) {
	h := newFixture(t)
	admitter := newAdmitter(h.srv.calls)
	admitter.budget = access.NewDecoding(1<<20, 2_300_000)
	entered, release := make(chan struct{}), make(chan struct{})
	handler := admitter.admit(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		entered <- struct{}{}
		<-release
	}))
	body := strings.Repeat(" ", 100<<10) // 600 kB while it is decoded
	send := func(owner string) int {
		r := httptest.NewRequest(http.MethodPost, Endpoint, strings.NewReader(body))
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r.WithContext(loops.WithOwner(r.Context(), owner)))
		return w.Code
	}
	done := make(chan int, 3)
	for _, owner := range []string{"anna", "ben", "eve"} {
		go func() { done <- send(owner) }()
		<-entered
	}
	if status := send("anna"); status != http.StatusTooManyRequests {
		t.Errorf("a second large request of one owner: %d", status)
	}
	if status := send("zoe"); status != http.StatusServiceUnavailable {
		t.Errorf("a large request beyond the budget of all: %d", status)
	}
	close(release)
	for range 3 {
		if status := <-done; status != http.StatusOK {
			t.Errorf("an admitted request: %d", status)
		}
	}
	if taken := admitter.budget.Held(); taken != 0 {
		t.Errorf("%d bytes are still reserved", taken)
	}
}
