package browser

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/fetch"
)

// chromiumPath returns the Chromium for tests. It skips the test if the variable is not set.
func chromiumPath(t *testing.T) string {
	t.Helper()
	const variable = "CITELOOP_TEST_CHROMIUM"
	path := os.Getenv(variable)
	if path == "" {
		t.Skipf("skipped: %s does not name a Chromium", variable)
	}
	return path
}

// chromium returns a browser on a real Chromium. Its pages may reach the given servers, and no other private address.
func chromium(t *testing.T, change func(*Config, *fetch.ClientConfig), servers ...*httptest.Server) *Browser {
	t.Helper()
	path := chromiumPath(t)
	client := fetch.ClientConfig{Proxy: func(*url.URL) (*url.URL, error) { return nil, nil }}
	for _, srv := range servers {
		client.AllowPrivate = append(client.AllowPrivate, hostOf(srv))
	}
	cfg := Config{Path: path, UserAgent: "citeloop/0.1 (+https://example.org)", NoSandbox: os.Geteuid() == 0, Env: environment(),
		Timeout: time.Hour, Logger: testLog(t)} // the machine may be busy
	if change != nil {
		change(&cfg, &client)
	}
	gate, err := fetch.NewGate(client)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Gate = gate
	b, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close(); gate.Close() })
	return b
}

func environment() []string {
	var env []string
	for _, name := range Variables() {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

func testLog(t *testing.T) *slog.Logger {
	if !testing.Verbose() {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func hostOf(srv *httptest.Server) string {
	u, _ := url.Parse(srv.URL)
	return u.Host
}

func anywhere(context.Context, *url.URL) error { return nil }

func parse(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// serve answers the given paths with HTML.
func serve(t *testing.T, pages map[string]string) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	}))
	t.Cleanup(srv.Close)
	return srv
}

func render(t *testing.T, b *Browser, raw string) (fetch.Rendered, error) {
	t.Helper()
	return b.Render(t.Context(), parse(t, raw), anywhere)
}

// find returns the path of a file below a folder whose name contains a word, or "".
func find(t *testing.T, folder, word string) string {
	t.Helper()
	found := ""
	_ = filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.Contains(filepath.Base(path), word) {
			found = path
		}
		return nil
	})
	return found
}
