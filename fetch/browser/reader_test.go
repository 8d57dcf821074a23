package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch"
)

// A reader detects that a page needs its scripts, and reads the rendered page.
func TestReaderUsesBrowser(t *testing.T) {
	prose := strings.Repeat("The lamp of the harbour light was lit every evening until 1931. ", 8)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/robots.txt":
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, "User-agent: *\nDisallow: /forbidden")
		case "/app":
			fmt.Fprint(w, `<!doctype html><title>App</title><div id=root></div><script>
				fetch('/data').then(r => r.text()).then(t => { document.title = 'The harbour light'; root.innerHTML = '<article><h1>The `+
				`harbour light</h1><p>' + t + '</p></article>' })</script>`)
		case "/data":
			fmt.Fprint(w, prose)
		case "/leads":
			fmt.Fprint(w, `<!doctype html><div id=root></div><script>location.href = '/forbidden'</script>`)
		case "/wall":
			fmt.Fprint(w, `<!doctype html><div id=root></div><script>document.title = 'Just a moment...'; root.innerHTML = `+
				`'<p>Checking your browser before you go on.</p>'</script>`)
		default:
			t.Errorf("%s was asked for", r.URL.Path)
		}
	}))
	t.Cleanup(srv.Close)
	b := chromium(t, nil, srv)
	r, err := fetch.New(fetch.Config{
		UserAgent: "citeloop/0.1 (+https://example.org)", AllowPrivate: []string{hostOf(srv)}, Renderer: b, Pause: -1,
		Proxy: func(*url.URL) (*url.URL, error) { return nil, nil }, CacheDir: t.TempDir(), Logger: testLog(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	tests := []struct {
		path   string
		status fetch.Status
		via    string
		want   string // part of the text or of the reason
	}{
		{"/app", fetch.StatusRead, fetch.ViaBrowser, strings.TrimSpace(prose)},
		{"/leads", fetch.StatusRobots, "", "forbids"},
		{"/wall", fetch.StatusBlocked, fetch.ViaBrowser, "bot check"},
	}
	for _, tt := range tests {
		got := r.Read(t.Context(), srv.URL+tt.path)
		if got.Status != tt.status || got.Via != tt.via || !strings.Contains(got.Text+got.Reason, tt.want) {
			t.Errorf("%s: %s via %q, %q, want %s via %q", tt.path, got.Status, got.Via, got.Reason, tt.status, tt.via)
		}
		if tt.status == fetch.StatusRead && (got.Title != "The harbour light" || !strings.Contains(got.Text, tt.want)) {
			t.Errorf("%s: title %q, text %q", tt.path, got.Title, got.Text)
		}
	}
}
