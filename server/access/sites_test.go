package access

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestSites(t *testing.T) {
	t.Parallel()
	named, err := NewSites([]string{"Citeloop.example.org", "192.0.2.7", "[2001:db8::1]", "https://App.example.org",
		"http://lab.example.org:3000/"})
	if err != nil {
		t.Fatal(err)
	}
	local := new(Sites)
	for _, tt := range []struct {
		name         string
		sites        *Sites
		host, origin string
		want         int
	}{
		{"a program of this machine", local, "127.0.0.1:8080", "", 200},
		{"by name", local, "localhost", "", 200},
		{"IPv6", local, "[::1]:8080", "", 200},
		{"our form", local, "localhost:8080", "http://localhost:8080", 200},
		{"rebinding", local, "evil.example:8080", "http://evil.example:8080", 403},
		{"a page of another site", local, "localhost:8080", "https://evil.example", 403},
		{"no host", local, "", "", 403},
		{"a host that begins like ours", local, "localhost.evil.example", "", 403},
		{"its name with a port and a dot", named, "CITELOOP.example.org.:443", "", 200},
		{"its address", named, "192.0.2.7:8080", "", 200},
		{"its IPv6 address", named, "[2001:db8::1]:8080", "", 200},
		{"loopback beside it", named, "127.0.0.1", "", 200},
		{"another name", named, "www.citeloop.example.org", "", 403},
		{"our form, behind a proxy that speaks TLS", named, "citeloop.example.org", "https://citeloop.example.org", 200},
		{"a site that may", named, "citeloop.example.org", "https://app.example.org", 200},
		{"with its port", named, "citeloop.example.org", "http://lab.example.org:3000", 200},
		{"with another port", named, "citeloop.example.org", "http://lab.example.org:3001", 403},
		{"without https", named, "citeloop.example.org", "http://app.example.org", 403},
		{"another port of the machine", named, "citeloop.example.org:8443", "https://citeloop.example.org:9443", 403},
		{"a file, or a frame without an origin", named, "citeloop.example.org", "null", 403},
		{"an extension", named, "citeloop.example.org", "chrome-extension://abc", 403},
	} {
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			r := httptest.NewRequest(method, "/", nil)
			r.Host = tt.host
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			w := httptest.NewRecorder()
			tt.sites.Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
			if w.Code != tt.want {
				t.Errorf("%s by %s: %d %s, want %d", tt.name, method, w.Code, w.Body, tt.want)
			}
		}
	}
	for _, host := range []string{"", "a.example:80", "a.example/x", "*", "a b", "https://", "ftp://a.example", "https://a.example/x",
		"https://a.example?x"} {
		if _, err := NewSites([]string{host}); err == nil || !strings.Contains(err.Error(), "--allow-host") {
			t.Errorf("%q: %v", host, err)
		}
	}
}
