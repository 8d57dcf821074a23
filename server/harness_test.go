package server

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/server/access"
)

// object is JSON.
type object = map[string]any

// fixture is a whole server with its own store.
type fixture struct {
	svc *loops.Service
	srv *Server
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "citeloop.db"), sqlite.Options{Unsynced: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	reader, err := fetch.New(fetch.Config{UserAgent: "citeloop-test", Now: time.Now, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	registry, err := channels.New(channels.Config{Logger: quiet}, source.All(nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { registry.Close() })
	h := fixture{svc: loops.New(loops.Config{Store: store, Owner: loops.LocalOwner, Searcher: registry, Reader: reader, Now: time.Now,
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Generator: "citeloop test", Logger: quiet})}
	if h.srv, err = New(h.svc, Config{Version: "test", Logger: quiet}); err != nil {
		t.Fatal(err)
	}
	return h
}

// loopAfter starts a loop of at most 15 rounds and closes some of them.
func (h fixture) loopAfter(t *testing.T, ctx context.Context, rounds int) string {
	t.Helper()
	started, err := h.svc.Start(ctx, loopstate.StartInput{Query: "Does a four-day\n week raise output?", Complexity: "breaking"})
	if err != nil {
		t.Fatal(err)
	}
	for range rounds {
		if _, err := h.svc.Reflect(ctx, started.StateID, "", loopstate.CloseInput{}); err != nil {
			t.Fatal(err)
		}
	}
	return started.StateID
}

// newTokens creates a file with a token for each owner, which is read again for each request.
func newTokens(t *testing.T, owners ...string) (tokens *access.Tokens, path string, tokenOf map[string]string) {
	t.Helper()
	path, tokenOf = filepath.Join(t.TempDir(), "tokens"), map[string]string{}
	for _, owner := range owners {
		token, err := access.AddToken(path, owner, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		tokenOf[owner] = token
	}
	begun, looks := time.Now(), new(atomic.Int64)
	tokens, err := access.OpenTokens(path, func() time.Time { return begun.Add(time.Duration(looks.Add(1)) * time.Second) })
	if err != nil {
		t.Fatal(err)
	}
	return tokens, path, tokenOf
}

// caller is a client of a server over HTTP.
type caller struct {
	url, token string // no token if it is empty
}

// serve serves the fixture over HTTP, without authentication if tokens are nil.
func (h fixture) serve(t *testing.T, tokens *access.Tokens) caller {
	t.Helper()
	var auth access.Authenticator
	if tokens != nil {
		auth = tokens
	}
	ts := httptest.NewServer(h.srv.Handler(HTTP{Auth: auth}))
	t.Cleanup(ts.Close)
	return caller{url: ts.URL}
}

func (c caller) as(token string) caller { return caller{c.url, token} }

// answered is a response without its date.
type answered struct {
	Status int
	Header http.Header
	Body   string
}

func (c caller) request(t *testing.T, ctx context.Context, method, path, body string, header map[string]string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	if c.token != "" {
		all["Authorization"] = "Bearer " + c.token
	}
	maps.Copy(all, header)
	for k, v := range all {
		req.Header.Set(k, v)
	}
	req.Host = header["Host"]
	return req
}

// send sends a request to the endpoint.
func (c caller) send(t *testing.T, method, body string, header map[string]string) answered {
	t.Helper()
	resp, err := http.DefaultClient.Do(c.request(t, t.Context(), method, Endpoint, body, header))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	resp.Header.Del("Date")
	return answered{resp.StatusCode, resp.Header, string(text)}
}

func (c caller) post(t *testing.T, body string, header map[string]string) (int, string) {
	t.Helper()
	got := c.send(t, http.MethodPost, body, header)
	return got.Status, got.Body
}

// call makes a request of 2026-07-28. A name is that of a tool, prompt or resource. The text is that of an event, if it is one.
func (c caller) call(t *testing.T, method, name string, params object) (status int, text string) {
	t.Helper()
	all := object{"_meta": object{"io.modelcontextprotocol/protocolVersion": "2026-07-28",
		"io.modelcontextprotocol/clientCapabilities": object{"elicitation": object{}}}}
	maps.Copy(all, params)
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": 5, "method": method, "params": all})
	if err != nil {
		t.Fatal(err)
	}
	status, text = c.post(t, string(body), modernHeader(method, name))
	return status, text[max(0, strings.Index(text, "{")):]
}

// tool calls a tool.
func (c caller) tool(t *testing.T, tool string, arguments object) (status int, text string) {
	t.Helper()
	return c.call(t, "tools/call", tool, object{"name": tool, "arguments": arguments})
}

// ask makes a request, and returns its result or the message of its error.
func (c caller) ask(t *testing.T, method, name string, params object) (result gjson.Result, fault string) {
	t.Helper()
	_, text := c.call(t, method, name, params)
	return gjson.Get(text, "result"), gjson.Get(text, "error.message").Str
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
	`"clientInfo":{"name":"t","version":"1"}}}`

// modernMeta is the member of a request of 2026-07-28 whose client has no capabilities.
const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
	`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`

func withMeta(params string) string {
	return strings.Replace(strings.TrimSuffix(params, "}")+","+modernMeta+"}", "{,", "{", 1)
}

func modernHeader(method, name string) map[string]string {
	header := map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
	if name != "" {
		header["Mcp-Name"] = name
	}
	return header
}
