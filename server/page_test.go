package server

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/citeloop/citeloop/server/access"
)

// Browsers send an origin with a form. The page accepts forms from its own origin, under the server's public name. The
// MCP endpoint accepts requests of web pages only from configured origins.
func TestPageAcceptsItsOwnForms(t *testing.T) {
	sites, err := access.NewSites([]string{"citeloop.example.org"})
	if err != nil {
		t.Fatal(err)
	}
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	ts := httptest.NewServer(newFixture(t).srv.Handler(HTTP{Sites: sites, Page: page}))
	t.Cleanup(ts.Close)
	for _, tt := range []struct {
		name, path, host, origin string
		want                     int
	}{
		{"our form, behind a proxy", "/ui/login", "citeloop.example.org", "https://citeloop.example.org", http.StatusTeapot},
		{"a form of another site", "/ui/login", "citeloop.example.org", "https://evil.example", http.StatusForbidden},
		{"a name that is not ours", "/ui/login", "evil.example", "https://evil.example", http.StatusForbidden},
		{"the endpoint", Endpoint, "citeloop.example.org", "https://citeloop.example.org", http.StatusForbidden},
		{"nothing there", "/else", "citeloop.example.org", "", http.StatusNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			header := map[string]string{"Host": tt.host}
			if tt.origin != "" {
				header["Origin"] = tt.origin
			}
			if status, body := post(t, ts.URL+tt.path, initialize, header); status != tt.want {
				t.Errorf("%d %s, want %d", status, body, tt.want)
			}
		})
	}
	noRedirects := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := noRedirects.Get(ts.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != PagePath {
		t.Errorf("the address alone: %s to %q, want the page", resp.Status, resp.Header.Get("Location"))
	}
}
