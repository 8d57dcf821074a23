package server

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
)

// For the token of another owner a session does not exist.
func TestSessionsCannotBeStolen(t *testing.T) {
	h := newFixture(t)
	tokens, _, tokenOf := newTokens(t, "anna", "ben")
	url := h.serve(t, tokens).URL
	hello, session := initialized(t, url, tokenOf["anna"])
	if hello.Status != 200 || session == "" {
		t.Fatalf("initialize: %+v", hello)
	}
	const unknown = "mcp-session-5f0c9d1e-1111-4222-8333-444455556666"
	for _, tt := range []struct{ name, method, body string }{
		{"a call", http.MethodPost, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"loop_list","arguments":{}}}`},
		{"a list", http.MethodPost, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`},
		{"a notification", http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`},
		{"an answer for the user", http.MethodPost, `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"rounds":15}}}`},
		{"an error for the user", http.MethodPost, `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`},
		{"the event stream", http.MethodGet, ""},
		{"the end", http.MethodDelete, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			try := func(id string) answered {
				return request(t, tt.method, url, tt.body, with(tokenOf["ben"], map[string]string{mcpserver.HeaderKeySessionID: id}))
			}
			want := try(unknown)
			if want.Status != http.StatusNotFound {
				t.Errorf("an unknown session: %+v", want)
			}
			if diff := cmp.Diff(want, try(session)); diff != "" {
				t.Errorf("another's session (-unknown +another's):\n%s", diff)
			}
		})
	}
	own := with(tokenOf["anna"], map[string]string{mcpserver.HeaderKeySessionID: session})
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	if got := request(t, http.MethodPost, url, list, own); got.Status != 200 {
		t.Errorf("anna's session afterwards: %+v", got)
	}
	if got := request(t, http.MethodDelete, url, "", own); got.Status != 200 {
		t.Errorf("anna ends her session: %+v", got)
	}
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		if got := request(t, method, url, list, own); got.Status != http.StatusNotFound {
			t.Errorf("%s with a session that has ended: %+v", method, got)
		}
	}
}

// Clients of 2026-07-28 have no session, and a session id in a header is ignored.
func TestModernRequestsHaveNoSession(t *testing.T) {
	url := newFixture(t).serve(t, nil).URL
	header := map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list", mcpserver.HeaderKeySessionID: "mcp-session-none"}
	body := `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	if got := request(t, http.MethodPost, url, body, header); got.Status != 200 || got.Header.Get(mcpserver.HeaderKeySessionID) != "" {
		t.Errorf("tools/list: %d %v", got.Status, got.Header)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		if got := request(t, method, url, "", header); got.Status != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d %s", method, got.Status, got.Body)
		}
	}
}

// A session is valid for its owner alone, on every replica with the same key. It survives idling, but not its end.
func TestSessionsAreSigned(t *testing.T) {
	key := bytes.Repeat([]byte("k"), MinKeyBytes)
	begun, replica, foreign := newSessions(key), newSessions(key), newSessions(bytes.Repeat([]byte("x"), MinKeyBytes))
	id := begun.ResolveSessionIdManager((&http.Request{}).WithContext(loops.WithOwner(t.Context(), "anna"))).Generate()
	for _, tt := range []struct {
		name      string
		at        *sessions
		id, owner string
		want      bool
	}{
		{"where it began", begun, id, "anna", true},
		{"on a replica", replica, id, "anna", true},
		{"another owner", begun, id, "ben", false},
		{"the local owner", begun, id, loops.LocalOwner, false},
		{"another key", foreign, id, "anna", false},
		{"another id", begun, strings.Replace(id, sessionPrefix, sessionPrefix+"0", 1), "anna", false},
		{"no signature", begun, id[:strings.Index(id, ".")+1], "anna", false},
		{"the random part alone", begun, id[:strings.Index(id, ".")], "anna", false},
		{"nothing", begun, "", "anna", false},
		{"a megabyte", begun, id + strings.Repeat("A", 1<<20), "anna", false},
	} {
		if got := tt.at.isOf(tt.id, tt.owner); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	if _, err := begun.ResolveSessionIdManager(nil).Terminate(id); err != nil || !begun.isOf(id, "anna") {
		t.Errorf("after it went idle: %v", err)
	}
	begun.end(id)
	if begun.isOf(id, "anna") || !replica.isOf(id, "anna") {
		t.Error("the session did not end, or it ended on the other replica too")
	}
	for range maxEnded + 5 {
		begun.end(begun.begin("anna"))
	}
	if begun.ended.Len() != maxEnded {
		t.Errorf("%d ended sessions are remembered", begun.ended.Len())
	}
}

// A client can cancel only its own call, even if another client uses the same request id.
func TestCancelOnlyOwnCalls(t *testing.T) {
	h := newFixture(t)
	tokens, _, tokenOf := newTokens(t, "anna", "ben")
	started, finish := make(chan struct{}), make(chan struct{})
	h.mcp.AddTool(mcp.NewTool("wait"), func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(started)
		select {
		case <-ctx.Done():
			return mcp.NewToolResultText("cancelled"), nil
		case <-finish:
			return mcp.NewToolResultText("finished"), nil
		}
	})
	url := h.serve(t, tokens).URL
	text := make(chan string, 1)
	go func() {
		_, body := modernTool(t, url, tokenOf["anna"], "wait", nil)
		text <- body
	}()
	<-started
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	for _, owner := range []string{"ben", "anna"} { // anna's other clients cannot cancel this call either
		got := request(t, http.MethodPost, url, cancel, with(tokenOf[owner], map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "notifications/cancelled"}))
		if got.Status != http.StatusAccepted {
			t.Errorf("%s's notification: %+v", owner, got)
		}
	}
	close(finish)
	if got := <-text; !strings.Contains(got, "finished") {
		t.Errorf("anna's call: %s", got)
	}
}
