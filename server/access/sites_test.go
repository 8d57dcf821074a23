package access

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// guarded sends a request through a guard and checks the status of the answer.
func guarded(t *testing.T, sites Sites, ownPages, secure bool, host, origin string, want int) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Host = host
	if secure {
		r.TLS = &tls.ConnectionState{}
	}
	if origin != "" {
		r.Header.Set("Origin", origin)
	}
	w := httptest.NewRecorder()
	sites.Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), ownPages).ServeHTTP(w, r)
	if w.Code != want {
		t.Errorf("%d %s, want %d", w.Code, w.Body, want)
	}
}

func TestSites(t *testing.T) {
	t.Parallel()
	named, err := NewSites([]string{"Citeloop.example.org", "192.0.2.7", "[2001:db8::1]", "https://App.example.org",
		"http://lab.example.org:3000/"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name         string
		sites        Sites
		host, origin string
		want         int
	}{
		{"a program of this machine", Sites{}, "127.0.0.1:8080", "", 200},
		{"by name", Sites{}, "localhost", "", 200},
		{"IPv6", Sites{}, "[::1]:8080", "", 200},
		{"a page of this machine", Sites{}, "localhost:8080", "http://localhost:3000", 200},
		{"rebinding", Sites{}, "evil.example:8080", "", 403},
		{"a page of another site", Sites{}, "localhost:8080", "https://evil.example", 403},
		{"no host", Sites{}, "", "", 403},
		{"a host that begins like ours", Sites{}, "localhost.evil.example", "", 403},
		{"its name", named, "citeloop.example.org", "", 200},
		{"its name with a port and a dot", named, "CITELOOP.example.org.:443", "", 200},
		{"its address", named, "192.0.2.7:8080", "", 200},
		{"its IPv6 address", named, "[2001:db8::1]:8080", "", 200},
		{"loopback beside it", named, "127.0.0.1", "", 200},
		{"another name", named, "www.citeloop.example.org", "", 403},
		{"a site that may", named, "citeloop.example.org", "https://app.example.org", 200},
		{"with its port", named, "citeloop.example.org", "http://lab.example.org:3000", 200},
		{"with another port", named, "citeloop.example.org", "http://lab.example.org:3001", 403},
		{"without https", named, "citeloop.example.org", "http://app.example.org", 403},
		{"its own pages", named, "citeloop.example.org", "https://citeloop.example.org", 403},
		{"a file", named, "citeloop.example.org", "null", 403},
		{"an extension", named, "citeloop.example.org", "chrome-extension://abc", 403},
	} {
		t.Run(tt.name, func(t *testing.T) { guarded(t, tt.sites, false, false, tt.host, tt.origin, tt.want) })
	}
	two := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	two.Host = "localhost"
	two.Header["Origin"] = []string{"http://localhost", "https://evil.example"}
	w := httptest.NewRecorder()
	Sites{}.Guard(http.NotFoundHandler(), false).ServeHTTP(w, two)
	if w.Code != http.StatusForbidden {
		t.Errorf("two origins: %d", w.Code)
	}
}

// Browsers send the origin of the page with every form, so the page's own origin is accepted under every name of the
// server.
func TestOwnOrigin(t *testing.T) {
	t.Parallel()
	named, err := NewSites([]string{"citeloop.example.org", "https://app.example.org"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name         string
		tls          bool
		host, origin string
		want         int
	}{
		{"our form", true, "citeloop.example.org", "https://citeloop.example.org", 200},
		{"with a port, in capitals", true, "Citeloop.example.org:8443", "https://citeloop.example.org:8443", 200},
		{"behind a proxy that speaks TLS", false, "citeloop.example.org", "https://citeloop.example.org", 200},
		{"plain HTTP", false, "citeloop.example.org:8080", "http://citeloop.example.org:8080", 200},
		{"this machine", false, "127.0.0.1:8080", "http://127.0.0.1:8080", 200},
		{"a site that may", true, "citeloop.example.org", "https://app.example.org", 200},
		{"no browser", true, "citeloop.example.org", "", 200},
		{"another port of the machine", true, "citeloop.example.org:8443", "https://citeloop.example.org:9443", 403},
		{"the same name without TLS", true, "citeloop.example.org", "http://citeloop.example.org", 403},
		{"another site", true, "citeloop.example.org", "https://evil.example", 403},
		{"a name that is not ours, rebound", false, "evil.example:8080", "http://evil.example:8080", 403},
		{"a frame without an origin", true, "citeloop.example.org", "null", 403},
	} {
		t.Run(tt.name, func(t *testing.T) { guarded(t, named, true, tt.tls, tt.host, tt.origin, tt.want) })
	}
}

func TestInvalidSites(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"", "a.example:80", "a.example/x", "*", "a b", "https://", "ftp://a.example", "https://a.example/x",
		"https://a.example?x", "https://me@a.example"} {
		if _, err := NewSites([]string{host}); err == nil || !strings.Contains(err.Error(), "--allow-host") {
			t.Errorf("%q: %v", host, err)
		}
	}
}
