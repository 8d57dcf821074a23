package server

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/server/resources"
)

// openStream sends a request for an event stream, and returns the response and a function that ends it.
func openStream(t *testing.T, method, url, body string, header map[string]string) (*http.Response, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	resp, err := http.DefaultClient.Do(newRequest(ctx, t, method, url, body, header))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp, cancel
}

// Streams are limited for each owner and in total, across both eras and the page. Calls are not affected.
func TestTooManyStreams(t *testing.T) {
	h := newFixture(t)
	tokens, _, tokenOf := newTokens(t, "anna", "ben", "carla")
	count := access.NewStreams(2, 3)
	ts := httptest.NewServer(h.srv.Handler(HTTP{Auth: tokens, Streams: count}))
	t.Cleanup(ts.Close)
	legacy := func(owner string) (*http.Response, context.CancelFunc) {
		t.Helper()
		_, session := initialized(t, ts.URL, tokenOf[owner])
		return openStream(t, http.MethodGet, ts.URL+Endpoint, "", with(tokenOf[owner], map[string]string{"Mcp-Session-Id": session}))
	}
	modern := func(owner string) (*http.Response, context.CancelFunc) {
		t.Helper()
		loop := h.loopAfter(t, loops.WithOwner(t.Context(), owner), 0)
		body := `{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["` + resources.Root + "/" + loop + `"]},` + modernMeta + `}}`
		return openStream(t, http.MethodPost, ts.URL+Endpoint, body, with(tokenOf[owner], modernHeader("subscriptions/listen", "")))
	}
	wantStatus := func(resp *http.Response, status int, says string) {
		t.Helper()
		if resp.StatusCode != status {
			t.Fatalf("status %d, want %d", resp.StatusCode, status)
		}
		if says == "" {
			return
		}
		if text, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(text), says) || resp.Header.Get("Retry-After") == "" {
			t.Errorf("%v %s, want %q", err, text, says)
		}
	}
	first, end := legacy("anna")
	wantStatus(first, http.StatusOK, "")
	second, _ := modern("anna")
	wantStatus(second, http.StatusOK, "")
	third, _ := legacy("anna")
	wantStatus(third, http.StatusTooManyRequests, "too many event streams: you have 2 open")
	third, _ = modern("anna")
	wantStatus(third, http.StatusTooManyRequests, "too many event streams: you have 2 open")
	bens, _ := modern("ben")
	wantStatus(bens, http.StatusOK, "")
	carlas, _ := legacy("carla")
	wantStatus(carlas, http.StatusServiceUnavailable, "too many event streams: 3 are open")
	if status, text := modernTool(t, ts.URL, tokenOf["anna"], "loop_list", nil); status != http.StatusOK || !strings.Contains(text, "state_id") {
		t.Errorf("a call beside the streams: %d %s", status, text)
	}
	end()
	for count.Held() > 2 { // until the server notices the end
		runtime.Gosched()
	}
	again, _ := legacy("anna")
	wantStatus(again, http.StatusOK, "")
}

// A GET with a body is rejected: an unread body would hide that the client has disconnected.
func TestStreamsHaveNoBody(t *testing.T) {
	ts := newFixture(t).serve(t, nil)
	_, session := initialized(t, ts.URL, "")
	resp, _ := openStream(t, http.MethodGet, ts.URL+Endpoint, "x", map[string]string{"Mcp-Session-Id": session})
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf("status %d", resp.StatusCode)
	}
}
