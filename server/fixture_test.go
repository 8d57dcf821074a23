package server

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/server/access"
)

// fixture is a whole server with its own store.
type fixture struct {
	svc *loops.Service
	srv *Server
	mcp *mcpserver.MCPServer
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
	h.mcp = h.srv.MCP
	return h
}

// serve serves the fixture over HTTP, without authentication if tokens are nil.
func (h fixture) serve(t *testing.T, tokens *access.Tokens) *httptest.Server {
	t.Helper()
	var auth access.Authenticator
	if tokens != nil {
		auth = tokens
	}
	ts := httptest.NewServer(h.srv.Handler(HTTP{Auth: auth}))
	t.Cleanup(ts.Close)
	return ts
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

// state folds the log of a loop.
func (h fixture) state(t *testing.T, loop string) (st *loopstate.State) {
	t.Helper()
	for e, err := range h.svc.Store.Load(context.WithoutCancel(t.Context()), loop, 0) {
		if err == nil {
			st, err = loopstate.Apply(st, e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return st
}
