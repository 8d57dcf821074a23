package server

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/server/access"
)

// Requests of every method count.
func TestEveryMethodIsMetered(t *testing.T) {
	h := newFixture(t)
	for _, method := range []string{"ping", "initialize", "prompts/get", "prompts/list", "resources/read", "resources/list", "resources/templates/list", "completion/complete", "tools/list", "notifications/initialized", "no/such"} {
		t.Run(method, func(t *testing.T) {
			web := h.with(t, WithMeter(access.NewMeter(access.Limits{CallsPerMinute: 2}, time.Now))).serve(t, nil)
			_, session := initialized(t, web.URL, "")
			header := map[string]string{mcpserver.HeaderKeySessionID: session}
			body := `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{"uri":"citeloop://loops","name":"x"}}`
			if got := request(t, http.MethodPost, web.URL, body, header); got.Status == http.StatusTooManyRequests {
				t.Fatalf("the second request: %+v", got)
			}
			got := request(t, http.MethodPost, web.URL, body, header)
			if got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" || !strings.Contains(got.Body, "rate limit of 2 calls a minute") {
				t.Errorf("the third request: %+v", got)
			}
		})
	}
}

func TestOpeningStreamsIsMetered(t *testing.T) {
	web := newFixture(t).with(t, WithMeter(access.NewMeter(access.Limits{CallsPerMinute: 1}, time.Now))).serve(t, nil)
	_, session := initialized(t, web.URL, "")
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		if got := request(t, method, web.URL, "", map[string]string{mcpserver.HeaderKeySessionID: session}); got.Status != http.StatusTooManyRequests {
			t.Errorf("%s: %+v", method, got)
		}
	}
}

// A session keeps the names of its client, so they are bounded before they are decoded.
func TestInitializeIsBounded(t *testing.T) {
	web := newFixture(t).serve(t, nil)
	body := strings.Replace(initialize, `"name":"`, `"name":"`+strings.Repeat("n", maxMetaBytes), 1)
	if body == initialize {
		t.Fatal("the request has no name")
	}
	if got := request(t, http.MethodPost, web.URL, body, nil); got.Status != http.StatusRequestEntityTooLarge || got.Header.Get(mcpserver.HeaderKeySessionID) != "" {
		t.Errorf("%+v", got)
	}
}

// The memory of sessions has a bound, and a session outlives that its memory is released.
func TestSessionsAreBounded(t *testing.T) {
	web := newFixture(t).serve(t, nil)
	_, first := initialized(t, web.URL, "")
	before := heap()
	const n = 2_000
	for range n {
		initialized(t, web.URL, "")
	}
	if grown := heap() - before; grown > 8<<20 {
		t.Errorf("%d sessions hold %d kB", n, grown>>10)
	}
	got := request(t, http.MethodPost, web.URL, `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, map[string]string{mcpserver.HeaderKeySessionID: first})
	if got.Status != http.StatusOK || !strings.Contains(got.Body, "loop_init") {
		t.Errorf("the first session: %d %.200s", got.Status, got.Body)
	}
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func TestSessionsOfOwnersAreApart(t *testing.T) {
	forgotten := map[string]int{}
	s := newSessions([]byte("key"))
	s.forget = func(owner, _ string) { forgotten[owner]++ }
	for range maxHeld + 5 {
		s.begin("anna")
	}
	kept := s.begin("ben")
	for range 3 { // used again and again
		s.hold("ben", kept)
	}
	if fmt.Sprint(forgotten) != "map[anna:5]" {
		t.Errorf("forgotten: %v", forgotten)
	}
}
