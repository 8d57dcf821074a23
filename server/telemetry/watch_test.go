package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
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

func request(tool string, arguments map[string]any) mcp.CallToolRequest {
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, arguments
	return req
}

func TestAuditLines(t *testing.T) {
	t.Parallel()
	const secret = "what is the chairman's salary"
	answers := func(r *mcp.CallToolResult, err error) server.ToolHandlerFunc {
		return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return r, err }
	}
	cancelled, cancel := context.WithCancel(loops.WithOwner(t.Context(), loops.LocalOwner))
	cancel()
	local := loops.WithOwner(t.Context(), loops.LocalOwner)
	for _, tt := range []struct {
		name string
		ctx  context.Context
		req  mcp.CallToolRequest
		next server.ToolHandlerFunc
		want map[string]any
	}{
		{"a call that went well", loops.WithOwner(t.Context(), "anna"), request("loop_update", map[string]any{"state_id": loop, "operation_id": loop, "query": secret}),
			answers(mcp.NewToolResultText("done"), nil),
			map[string]any{"owner": "anna", "tool": "loop_update", "outcome": "ok", "state_id": loop, "operation_id": loop, "bytes_out": 4.0}},
		{"ids that are texts", local, request("fetch", map[string]any{"state_id": secret, "operation_id": secret, "url": "https://example.org/" + secret}),
			answers(mcp.NewToolResultText(""), nil),
			map[string]any{"owner": "local", "tool": "fetch", "outcome": "ok", "bytes_out": 0.0}},
		{"ids of another kind", local, request("fetch", map[string]any{"state_id": 7}),
			answers(mcp.NewToolResultText(""), nil),
			map[string]any{"owner": "local", "tool": "fetch", "outcome": "ok", "bytes_out": 0.0}},
		{"an error", local, request("loop_list", nil), answers(mcp.NewToolResultError("wrong: "+secret), nil),
			map[string]any{"owner": "local", "tool": "loop_list", "outcome": "error", "bytes_out": float64(len("wrong: " + secret))}},
		{"no answer", local, request("loop_list", nil), answers(nil, errors.New(secret)),
			map[string]any{"owner": "local", "tool": "loop_list", "outcome": "failed", "bytes_out": 0.0}},
		{"a client that left", cancelled, request("loop_list", nil), answers(mcp.NewToolResultError("the call was cancelled"), nil),
			map[string]any{"owner": "local", "tool": "loop_list", "outcome": "cancelled", "bytes_out": 22.0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			_, _ = Watch{Audit: NewAudit(&out), Now: ticking()}.Middleware(tt.next)(tt.ctx, tt.req)
			var got map[string]any
			if err := json.Unmarshal(out.Bytes(), &got); err != nil || strings.Count(out.String(), "\n") != 1 {
				t.Fatalf("%q: %v", out.String(), err)
			}
			delete(got, "bytes_in")
			tt.want["time"], tt.want["took_ms"] = "2026-11-21T09:00:00.25Z", 250.0
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("line (-want +got):\n%s", diff)
			}
			if strings.Contains(out.String(), "salary") {
				t.Errorf("the line contains a text: %s", out.String())
			}
		})
	}
}

// Several processes can write to one file, which other users cannot read.
func TestAuditFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	var wg sync.WaitGroup
	for range 4 {
		a, err := OpenAudit(path)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			defer a.Close()
			for range 100 {
				a.write(context.Background(), call{tool: strings.Repeat("x", 200), outcome: "ok"})
			}
		})
	}
	wg.Wait()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Fatalf("a torn line: %q", line)
		}
	}
	if len(lines) != 400 {
		t.Errorf("%d lines", len(lines))
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, err := OpenAudit(t.TempDir()); err == nil {
		t.Error("a folder is taken for a file")
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
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("no line %q", line)
		}
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	w := Watch{Metrics: NewMetrics("1.2.3"), Now: ticking()}
	during := ""
	handler := w.Middleware(func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		during = scrape(t, w.Metrics)
		return mcp.NewToolResultText("x"), nil
	})
	for range 3 {
		if _, err := handler(t.Context(), request("loop_list", nil)); err != nil {
			t.Fatal(err)
		}
	}
	has(t, during, "citeloop_calls_running 1")
	if _, err := w.Searcher(stub{}).Search(t.Context(), []string{"arxiv"}, channels.Query{}, nil); err != nil {
		t.Fatal(err)
	}
	w.Reader(stub{}).ReadAll(t.Context(), []string{"https://example.org/secret"}, nil)
	web := httptest.NewServer(w.Metrics.Requests(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/no" {
			http.Error(rw, "no", http.StatusForbidden)
			return
		}
		_, _ = io.WriteString(rw, "yes")
		if _, ok := rw.(http.Flusher); !ok {
			t.Error("the writer cannot flush: event streams would stall")
		}
	})))
	defer web.Close()
	for _, path := range []string{"/yes", "/no"} {
		resp, err := http.Get(web.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	text := scrape(t, w.Metrics)
	has(t, text, "citeloop_calls_running 0", `citeloop_calls_total{outcome="ok",tool="loop_list"} 3`, `citeloop_call_seconds_count{tool="loop_list"} 3`,
		`citeloop_searches_total{channel="arxiv",status="rate_limited"} 1`, `citeloop_pages_total{status="robots"} 1`, `citeloop_build_info{version="1.2.3"} 1`,
		`citeloop_http_requests_total{code="200"} 1`, `citeloop_http_requests_total{code="403"} 1`)
	if strings.Contains(text, "secret") || strings.Contains(text, "example.org") {
		t.Error("the metrics contain an address")
	}
}

// stub searches and reads without the network.
type stub struct{}

func (stub) Search(context.Context, []string, channels.Query, func(channels.Outcome)) (channels.Answer, error) {
	return channels.Answer{Outcomes: []channels.Outcome{{Name: "arxiv", Status: channels.StatusRateLimited}}}, nil
}

func (stub) List() []channels.Info { return nil }

func (stub) ReadAll(_ context.Context, urls []string, _ func(int, fetch.Page)) []fetch.Page {
	return []fetch.Page{{URL: urls[0], Status: fetch.StatusRobots}}
}

func TestTraces(t *testing.T) {
	t.Parallel()
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	for _, tt := range []struct {
		name  string
		carry func(*mcp.CallToolRequest)
		trace string
	}{
		{"in _meta", func(r *mcp.CallToolRequest) {
			r.Params.Meta = &mcp.Meta{AdditionalFields: map[string]any{"traceparent": parent}}
		}, "0af7651916cd43dd8448eb211c80319c"},
		{"in a header", func(r *mcp.CallToolRequest) { r.Header = http.Header{"Traceparent": {parent}} }, "0af7651916cd43dd8448eb211c80319c"},
		{"nothing", func(*mcp.CallToolRequest) {}, ""},
		{"garbage", func(r *mcp.CallToolRequest) {
			r.Params.Meta = &mcp.Meta{AdditionalFields: map[string]any{"traceparent": 7}}
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			spans := tracetest.NewInMemoryExporter()
			traces, err := newTraces("test", sdktrace.WithSyncer(spans))
			if err != nil {
				t.Fatal(err)
			}
			var audit bytes.Buffer
			w := Watch{Traces: traces, Audit: NewAudit(&audit), Now: ticking()}
			req := request("run_channel", map[string]any{"state_id": loop, "query": "a secret"})
			tt.carry(&req)
			_, _ = w.Middleware(func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				_, err := w.Searcher(stub{}).Search(ctx, []string{"arxiv"}, channels.Query{Text: "a secret"}, nil)
				w.Reader(stub{}).ReadAll(ctx, []string{"https://example.org/secret"}, nil)
				return mcp.NewToolResultError("no"), err
			})(t.Context(), req)
			got := spans.GetSpans()
			if len(got) != 3 || got[0].Name != "search" || got[1].Name != "read" || got[2].Name != "tools/call run_channel" {
				t.Fatalf("spans %v", got)
			}
			call := got[2]
			id := call.SpanContext.TraceID().String()
			if tt.trace != "" && id != tt.trace || call.Status.Description != "error" || got[0].Parent.SpanID() != call.SpanContext.SpanID() || got[1].Parent.SpanID() != call.SpanContext.SpanID() {
				t.Errorf("trace %s, want %q; %+v", id, tt.trace, call)
			}
			if !strings.Contains(audit.String(), id) {
				t.Errorf("the audit line does not name the trace: %s", audit.String())
			}
			for _, s := range got {
				for _, a := range s.Attributes {
					if strings.Contains(a.Value.String(), "secret") {
						t.Errorf("a span contains a text: %v", a)
					}
				}
			}
			if err := traces.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
