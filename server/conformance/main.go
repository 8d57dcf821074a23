// Command conformance serves the fixtures of the official MCP conformance suite together with the product's tools, on
// the same server. Only .ci/conformance uses it; citeloop does not contain it.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/google/uuid"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/server"
)

func main() {
	address := flag.String("http", "127.0.0.1:0", "address to listen on")
	data := flag.String("data", "", "folder for the loops")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *address, *data); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, address, data string) error {
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	store, err := sqlite.Open(ctx, filepath.Join(data, "citeloop.db"), sqlite.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	reader, err := fetch.New(fetch.Config{UserAgent: "citeloop-conformance", Now: time.Now, Logger: logger})
	if err != nil {
		return err
	}
	defer reader.Close()
	registry, err := channels.New(channels.Config{Logger: logger})
	if err != nil {
		return err
	}
	defer registry.Close()
	svc := loops.New(loops.Config{Store: store, Searcher: registry, Reader: reader, Now: time.Now, NewID: uuid.NewString, Generator: "citeloop conformance", Logger: logger})
	srv, err := server.New(svc, "conformance", logger, server.WithExtras(server.Extras{
		Tools:   append(contentTools(), askingTools()...),
		Prompts: promptFixtures(),
		Library: []mcpserver.ServerOption{mcpserver.WithLogging()},
	}))
	if err != nil {
		return err
	}
	srv.MCP.EnableSampling()
	srv.MCP.AddTools(roundTripTools()...) // they have their own states
	addResources(srv.MCP)
	l, err := server.Listen(ctx, address, nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "serving fixtures at http://%s%s\n", l.Addr(), server.Endpoint)
	return srv.ServeHTTP(ctx, l, server.HTTP{})
}
