package fetch

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/address"
)

// asked records the addresses that a proxy was asked to connect to.
type asked struct {
	mu   sync.Mutex
	list []string
}

func (a *asked) add(s string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.list = append(a.list, s)
}

// take returns the recorded addresses and clears them.
func (a *asked) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := a.list
	a.list = nil
	return out
}

// join copies bytes both ways until both ends have closed.
func join(a, b net.Conn) {
	var wg sync.WaitGroup
	for _, way := range [][2]net.Conn{{a, b}, {b, a}} {
		wg.Go(func() {
			_, _ = io.Copy(way[0], way[1])
			_ = way[0].Close()
		})
	}
	wg.Wait()
}

// httpProxy is a proxy for http and, by CONNECT, for https. It connects all names to site.
func httpProxy(t *testing.T, site string) (*url.URL, *asked) {
	t.Helper()
	var seen asked
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.add(r.Method + " " + r.Host)
		there, err := net.Dial("tcp", site)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		if r.Method != http.MethodConnect {
			defer there.Close()
			r.Header.Set("Connection", "close")
			if err := r.Write(there); err != nil {
				return
			}
			resp, err := http.ReadResponse(bufio.NewReader(there), r)
			if err != nil {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			defer resp.Body.Close()
			for k, v := range resp.Header {
				w.Header()[k] = v
			}
			w.WriteHeader(resp.StatusCode)
			_, _ = io.Copy(w, resp.Body)
			return
		}
		here, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		join(here, there)
	}))
	t.Cleanup(srv.Close)
	u, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u, &seen
}

// With a proxy, the same addresses are refused as far as they are known here. The proxy itself may be private, because
// the user configured it.
func TestReadThroughProxies(t *testing.T) {
	plain := httptest.NewServer(site{"/x": page(article)})
	defer plain.Close()
	secure := httptest.NewUnstartedServer(site{"/x": page(article)})
	secure.EnableHTTP2 = true
	secure.StartTLS()
	defer secure.Close()
	known := resolver(t, map[string][]string{
		"example.com.": {"93.184.216.34"}, "inside.example.": {"10.0.0.7"}, "mixed.example.": {"93.184.216.34", "127.0.0.1"},
		"six.example.": {"64:ff9b::7f00:1"},
	})
	forward, forwarded := httpProxy(t, strings.TrimPrefix(plain.URL, "http://"))
	connect, connected := httpProxy(t, strings.TrimPrefix(secure.URL, "https://"))
	tests := []struct {
		name  string
		proxy string
		url   string
		want  Status
		seen  *asked
		asks  []string // requests to the proxy, without that for robots.txt
	}{
		{"http", forward.String(), "http://example.com/x", StatusRead, forwarded, []string{"GET example.com", "GET example.com"}},
		{"http, a name that only the proxy knows", forward.String(), "http://unknown.example/x", StatusRead, forwarded,
			[]string{"GET unknown.example", "GET unknown.example"}},
		{"https by CONNECT", connect.String(), "https://example.com/x", StatusRead, connected, []string{"CONNECT example.com:443"}},
		{"a private name", forward.String(), "http://inside.example/x", StatusBlocked, forwarded, nil},
		{"a name with one private address", connect.String(), "https://mixed.example/x", StatusBlocked, connected, nil},
		{"loopback", forward.String(), "http://127.0.0.1/x", StatusBlocked, forwarded, nil},
		{"NAT64", connect.String(), "https://six.example/x", StatusBlocked, connected, nil},
		{"IPv6 loopback", forward.String(), "http://[::1]/x", StatusBlocked, forwarded, nil},
		{"a local name", forward.String(), "http://printer.local/x", StatusBlocked, forwarded, nil},
		{"SOCKS", "socks5://" + forward.Host, "https://example.com/x", StatusError, forwarded, nil},
		{"an odd spelling", connect.String(), "https://2130706433/x", StatusBlocked, connected, nil},
		{"metadata", forward.String(), "http://metadata.google.internal/x", StatusBlocked, forwarded, nil},
		{"the proxy itself", forward.String(), forward.String() + "/x", StatusBlocked, forwarded, nil},
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
			trust(r, secure)
			p := r.Read(t.Context(), tt.url)
			if p.Status != tt.want {
				t.Errorf("%s, %q; want %s", p.Status, p.Reason, tt.want)
			}
			if d := cmp.Diff(tt.asks, tt.seen.take()); d != "" {
				t.Errorf("the proxy was asked (-want +got):\n%s", d)
			}
		})
	}
}

// trust makes a reader accept a test server's certificate.
func trust(r *Reader, srv *httptest.Server) {
	pool := x509.NewCertPool()
	pool.AddCert(srv.Certificate())
	for _, t := range []*http.Transport{r.transport.direct, r.transport.proxied} {
		t.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
}

// Pages and the client for services use the proxies of the environment, and NO_PROXY is respected.
func TestProxiesOfTheEnvironment(t *testing.T) {
	plain := httptest.NewServer(site{"/x": page(article)})
	defer plain.Close()
	via, seen := httpProxy(t, strings.TrimPrefix(plain.URL, "http://"))
	t.Setenv("HTTP_PROXY", via.String())
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
	if got := seen.take(); len(got) != 3 { // one of the client, robots.txt and the page
		t.Errorf("the proxy was asked %q", got)
	}
	if _, err := client.Get("http://direct.example/x"); !errors.Is(err, address.ErrForbidden) {
		t.Errorf("past the proxy: %v", err)
	}
	if got := seen.take(); len(got) != 0 {
		t.Errorf("the proxy was asked %q", got)
	}
}
