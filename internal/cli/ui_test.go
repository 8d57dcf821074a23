package cli

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/console"
)

// The link works once and shows the loops of this machine; there is no MCP endpoint.
func TestUI(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	opened, done := make(chan string, 1), make(chan int, 1)
	go func() {
		done <- Main(ctx, console.Process{Args: []string{"ui", "--data", t.TempDir()}, Stdin: strings.NewReader(""), Stdout: io.Discard,
			Stderr:    io.Discard,
			LookupEnv: lookupIn(nil),
			Open:      func(_ context.Context, address string) error { opened <- address; return nil }})
	}()
	var link string
	select {
	case link = <-opened:
	case code := <-done:
		t.Fatalf("ui ended with %d before it opened anything", code)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	visitor := &http.Client{Jar: jar}
	if resp, body := ask(t, visitor, http.MethodGet, link, "", nil); resp.StatusCode != http.StatusOK ||
		!strings.Contains(body, "Your loops") {
		t.Errorf("the link: %d", resp.StatusCode)
	}
	if resp, _ := ask(t, http.DefaultClient, http.MethodGet, link, "", nil); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("the link once more: %d", resp.StatusCode)
	}
	base, _, _ := strings.Cut(link, "/ui/")
	if resp, _ := ask(t, visitor, http.MethodPost, base+"/mcp", "{}", nil); resp.StatusCode != http.StatusNotFound {
		t.Errorf("/mcp: %d", resp.StatusCode)
	}
	stop()
	if code := <-done; code != console.ExitOK {
		t.Errorf("ui ended with %d", code)
	}
}
