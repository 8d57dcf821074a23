package conformance

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/server"
)

var (
	address = flag.String("http", "127.0.0.1:0", "with -data: address to listen on")
	data    = flag.String("data", "", "folder for the loops: serve the fixtures instead of testing them, as .ci/clients does")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *data == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *address, *data, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

// The server accepts the fixtures, and ends with its context.
func TestFixturesAreServed(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out strings.Builder
	if err := serve(ctx, "127.0.0.1:0", t.TempDir(), stopping{&out, stop}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "serving fixtures at http://127.0.0.1:") {
		t.Errorf("no address: %s", &out)
	}
}

// stopping ends the server at its first line, the address.
type stopping struct {
	io.Writer
	stop context.CancelFunc
}

func (s stopping) Write(b []byte) (int, error) {
	s.stop()
	return s.Writer.Write(b)
}

func serve(ctx context.Context, address, data string, out io.Writer) error {
	logger := slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelWarn}))
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
	registry, err := channels.New(channels.Config{Logger: logger}, source.All(nil))
	if err != nil {
		return err
	}
	defer registry.Close()
	svc := loops.New(loops.Config{Store: store, Searcher: registry, Reader: reader, Now: time.Now, NewID: uuid.NewString,
		Generator: "citeloop conformance", Logger: logger})
	srv, err := server.New(svc, server.Config{Version: "conformance", Logger: logger})
	if err != nil {
		return err
	}
	mcpserver.WithLogging()(srv.MCP)
	srv.MCP.AddTools(contentTools()...)
	srv.MCP.AddPrompts(promptFixtures()...)
	addResources(srv.MCP)
	l, err := server.Listen(ctx, address, nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "serving fixtures at http://%s%s\n", l.Addr(), server.Endpoint)
	return srv.ServeHTTP(ctx, l, server.HTTP{})
}
