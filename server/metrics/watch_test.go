package metrics

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
)

const loop = "0198c0de-0000-7000-8000-000000000001"

// ticking is a clock that advances by 250 ms at each call.
func ticking() func() time.Time {
	at := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(250 * time.Millisecond)
		return at
	}
}

func request(tool, arguments string) (req mcp.CallToolRequest) {
	req.Params.Name, req.Params.RawArguments = tool, json.RawMessage(arguments)
	return req
}

// A call is one line, without texts.
func TestLines(t *testing.T) {
	t.Parallel()
	const secret = "what is the chairman's salary"
	answers := func(r *mcp.CallToolResult, err error) server.ToolHandlerFunc {
		return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return r, err }
	}
	local := loops.WithOwner(t.Context(), loops.LocalOwner)
	cancelled, cancel := context.WithCancel(local)
	cancel()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		req  mcp.CallToolRequest
		next server.ToolHandlerFunc
		want string
	}{
		{"a call that went well", loops.WithOwner(t.Context(), "anna"),
			request("loop_update", `{"state_id":"`+loop+`","query":"`+secret+`"}`),
			answers(mcp.NewToolResultText("done"), nil), `owner=anna tool=loop_update state_id=` + loop + ` outcome=ok`},
		{"an id that is a text", local, request("fetch", `{"state_id":"`+secret+`"}`), answers(mcp.NewToolResultText(""), nil),
			`owner=local tool=fetch state_id="" outcome=ok`},
		{"an id of another kind", local, request("fetch", `{"state_id":7}`), answers(mcp.NewToolResultText(""), nil),
			`owner=local tool=fetch state_id="" outcome=ok`},
		{"an error", local, request("loop_list", ""), answers(mcp.NewToolResultError("wrong: "+secret), nil),
			`owner=local tool=loop_list state_id="" outcome=error`},
		{"no answer", local, request("loop_list", ""), answers(nil, errors.New(secret)),
			`owner=local tool=loop_list state_id="" outcome=failed`},
		{"a client that left", cancelled, request("loop_list", ""), answers(mcp.NewToolResultError("x"), nil),
			`owner=local tool=loop_list state_id="" outcome=cancelled`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			_, _ = Watch{Logger: slog.New(slog.NewTextHandler(&out, nil)), Now: ticking()}.Middleware(tt.next)(tt.ctx, tt.req)
			if got := out.String(); strings.Count(got, "\n") != 1 ||
				!strings.Contains(got, "level=INFO msg=call "+tt.want+" took_ms=250") || strings.Contains(got, "salary") {
				t.Errorf("%q, want one line with %q", got, tt.want)
			}
		})
	}
}

func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func has(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			t.Errorf("no line %q", line)
		}
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	w := Watch{Metrics: New("1.2.3"), Now: ticking()}
	during := ""
	handler := w.Middleware(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		during = scrape(t, w.Metrics)
		return mcp.NewToolResultText("x"), nil
	})
	for range 3 {
		if _, err := handler(t.Context(), request("loop_list", "")); err != nil {
			t.Fatal(err)
		}
	}
	has(t, during, "citeloop_calls_running 1")
	text := scrape(t, w.Metrics)
	has(t, text, "citeloop_calls_running 0", `citeloop_calls_total{outcome="ok",tool="loop_list"} 3`,
		`citeloop_call_seconds_count{tool="loop_list"} 3`,
		`citeloop_build_info{version="1.2.3"} 1`)
}
