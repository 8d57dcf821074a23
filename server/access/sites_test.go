package access

import (
	"crypto/tls"
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
	type row struct {
		name         string
		sites        Sites
		host, origin string
		want         int
	}
	check := func(tt row, ownPages bool, tls *tls.ConnectionState) {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Host, r.TLS = tt.host, tls
		if tt.origin != "" {
			r.Header["Origin"] = strings.Fields(tt.origin)
		}
		w := httptest.NewRecorder()
		tt.sites.Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), ownPages).ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("%s: %d %s, want %d", tt.name, w.Code, w.Body, tt.want)
		}
	}
	for _, tt := range []row{
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
		{"two origins", Sites{}, "localhost", "http://localhost https://evil.example", 403},
	} {
		check(tt, false, nil)
	}
	// Browsers send the origin of the page with every form, so the page's own origin is accepted under every name of the server.
	secure := &tls.ConnectionState{}
	for _, tt := range []row{
		{"our form", named, "citeloop.example.org", "https://citeloop.example.org", 200},
		{"with a port, in capitals", named, "Citeloop.example.org:8443", "https://citeloop.example.org:8443", 200},
		{"a site that may", named, "citeloop.example.org", "https://app.example.org", 200},
		{"no browser", named, "citeloop.example.org", "", 200},
		{"another port of the machine", named, "citeloop.example.org:8443", "https://citeloop.example.org:9443", 403},
		{"the same name without TLS", named, "citeloop.example.org", "http://citeloop.example.org", 403},
		{"another site", named, "citeloop.example.org", "https://evil.example", 403},
		{"a frame without an origin", named, "citeloop.example.org", "null", 403},
	} {
		check(tt, true, secure)
	}
	for _, tt := range []row{
		{"behind a proxy that speaks TLS", named, "citeloop.example.org", "https://citeloop.example.org", 200},
		{"plain HTTP", named, "citeloop.example.org:8080", "http://citeloop.example.org:8080", 200},
		{"this machine", named, "127.0.0.1:8080", "http://127.0.0.1:8080", 200},
		{"a name that is not ours, rebound", named, "evil.example:8080", "http://evil.example:8080", 403},
	} {
		check(tt, true, nil)
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
