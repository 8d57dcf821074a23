package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"

	"github.com/citeloop/citeloop/fetch/address"
)

// With a proxy, the same addresses are refused as far as they are known here.
func TestReadThroughProxies(t *testing.T) {
	w := &web{sites: map[string]http.HandlerFunc{}}
	for _, host := range []string{"example.com", "unknown.example", "inside.example", "mixed.example", "printer.local"} {
		w.sites[host+"/x"] = page(article)
	}
	known := resolver(t, map[string][]string{
		"example.com.": {"93.184.216.34"}, "inside.example.": {"10.0.0.7"}, "mixed.example.": {"93.184.216.34", "127.0.0.1"},
		"six.example.": {"64:ff9b::7f00:1"},
	})
	forward := httptest.NewServer(w)
	defer forward.Close()
	tests := []struct {
		name, proxy, url string
		want             Status
	}{
		{"a public name", forward.URL, "http://example.com/x", StatusRead},
		{"a name that only the proxy knows", forward.URL, "http://unknown.example/x", StatusRead},
		{"a private name", forward.URL, "http://inside.example/x", StatusBlocked},
		{"a name with one private address", forward.URL, "http://mixed.example/x", StatusBlocked},
		{"NAT64", forward.URL, "http://six.example/x", StatusBlocked},
		{"a local name", forward.URL, "http://printer.local/x", StatusBlocked},
		{"SOCKS", "socks5://" + hostOf(forward), "http://example.com/x", StatusError},
		{"the proxy itself", forward.URL, forward.URL + "/x", StatusBlocked},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			via, err := url.Parse(tt.proxy)
			if err != nil {
				t.Fatal(err)
			}
			r := reader(t, func(c *Config) {
				c.Proxy, c.Resolver = func(*url.URL) (*url.URL, error) { return via, nil }, known
			})
			w.asked = nil
			if p := r.Read(t.Context(), tt.url); p.Status != tt.want || (len(w.asked) > 0) != (tt.want == StatusRead) {
				t.Errorf("%s, %q; want %s; the proxy was asked %v", p.Status, p.Reason, tt.want, w.asked)
			}
		})
	}
}

// trust makes a reader accept a test server's certificate.
func trust(r *Reader, srv *httptest.Server) {
	pool := x509.NewCertPool()
	pool.AddCert(srv.Certificate())
	r.transport.direct.TLSClientConfig = &tls.Config{RootCAs: pool}
}

// Pages and the client for services use the proxies of the environment, and NO_PROXY is respected.
func TestProxiesOfTheEnvironment(t *testing.T) {
	w := &web{sites: map[string]http.HandlerFunc{"example.com/x": page(article)}}
	via := httptest.NewServer(w)
	defer via.Close()
	t.Setenv("HTTP_PROXY", via.URL)
	t.Setenv("NO_PROXY", "direct.example")
	dns := resolver(t, map[string][]string{"example.com.": {"93.184.216.34"}, "direct.example.": {"10.0.0.7"}})
	client := NewClient(ClientConfig{Resolver: dns})
	defer client.CloseIdleConnections()
	resp, err := client.Get("http://example.com/x")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	r := reader(t, func(c *Config) { c.Proxy, c.Resolver = nil, dns })
	if p := r.Read(t.Context(), "http://example.com/x"); p.Status != StatusRead {
		t.Errorf("%s, %q", p.Status, p.Reason)
	}
	if _, err := client.Get("http://direct.example/x"); !errors.Is(err, address.ErrForbidden) {
		t.Errorf("past the proxy: %v", err)
	}
	if want := []string{"example.com/x", "example.com/robots.txt", "example.com/x"}; !slices.Equal(w.asked, want) {
		t.Errorf("the proxy was asked %v", w.asked)
	}
}
