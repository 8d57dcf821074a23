package fetch

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/dns/dnsmessage"

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

// httpProxy is a proxy for http and, by CONNECT, for https. It connects all names to site. With a user it requires that name and
// password.
func httpProxy(t *testing.T, site, user, password string) (*url.URL, *asked) {
	t.Helper()
	var seen asked
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, secret, _ := (&http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}).BasicAuth(); name != user || secret != password {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
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

// socksProxy is a SOCKS5 proxy (RFC 1928) that connects all names to site. With a user it requires that name and password
// (RFC 1929).
func socksProxy(t *testing.T, site, user, password string) (string, *asked) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var seen asked
	var wg sync.WaitGroup
	t.Cleanup(func() { l.Close(); wg.Wait() })
	wg.Go(func() {
		for {
			here, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() {
				defer here.Close()
				target, err := socksHandshake(here, user, password)
				if err != nil {
					return
				}
				seen.add(target)
				there, err := net.Dial("tcp", site)
				if err != nil {
					return
				}
				_, _ = here.Write([]byte{5, 0, 0, 1, 127, 0, 0, 1, 0, 0})
				join(here, there)
			})
		}
	})
	return l.Addr().String(), &seen
}

func socksHandshake(c net.Conn, user, password string) (target string, err error) {
	read := func(n int) []byte {
		b := make([]byte, n)
		if err == nil {
			_, err = io.ReadFull(c, b)
		}
		return b
	}
	methods := read(int(read(2)[1]))
	if user == "" {
		_, _ = c.Write([]byte{5, 0})
	} else {
		if !strings.Contains(string(methods), "\x02") {
			return "", errors.New("no password is offered")
		}
		_, _ = c.Write([]byte{5, 2})
		name := string(read(int(read(2)[1])))
		secret := string(read(int(read(1)[0])))
		if name != user || secret != password {
			return "", errors.New("another user")
		}
		_, _ = c.Write([]byte{1, 0})
	}
	host := ""
	switch read(4)[3] {
	case 1:
		host = net.IP(read(4)).String()
	case 3:
		host = string(read(int(read(1)[0])))
	case 4:
		host = net.IP(read(16)).String()
	}
	port := binary.BigEndian.Uint16(read(2))
	return net.JoinHostPort(host, strconv.Itoa(int(port))), err
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
		"example.com.": {"93.184.216.34"}, "inside.example.": {"10.0.0.7"}, "mixed.example.": {"93.184.216.34", "127.0.0.1"}, "six.example.": {"64:ff9b::7f00:1"},
	})
	forward, forwarded := httpProxy(t, strings.TrimPrefix(plain.URL, "http://"), "", "")
	connect, connected := httpProxy(t, strings.TrimPrefix(secure.URL, "https://"), "", "")
	socks, socksAsked := socksProxy(t, strings.TrimPrefix(secure.URL, "https://"), "", "")
	closed, closedAsked := socksProxy(t, strings.TrimPrefix(secure.URL, "https://"), "ada", "lovelace")
	tests := []struct {
		name  string
		proxy string
		url   string
		want  Status
		seen  *asked
		asks  []string // requests to the proxy, without that for robots.txt
	}{
		{"http", forward.String(), "http://example.com/x", StatusRead, forwarded, []string{"GET example.com", "GET example.com"}},
		{"http, a name that only the proxy knows", forward.String(), "http://unknown.example/x", StatusRead, forwarded, []string{"GET unknown.example", "GET unknown.example"}},
		{"https by CONNECT", connect.String(), "https://example.com/x", StatusRead, connected, []string{"CONNECT example.com:443"}},
		{"SOCKS5 is told the address that was checked", "socks5://" + socks, "https://example.com/x", StatusRead, socksAsked, []string{"93.184.216.34:443"}},
		{"SOCKS5, a name that only the proxy knows", "socks5://" + socks, "https://www.example.com/x", StatusRead, socksAsked, []string{"www.example.com:443"}},
		{"SOCKS5 that looks names up", "socks5h://" + socks, "https://example.com/x", StatusRead, socksAsked, []string{"example.com:443"}},
		{"SOCKS5 with a password", "socks5://ada:lovelace@" + closed, "https://example.com/x", StatusRead, closedAsked, []string{"93.184.216.34:443"}},
		{"SOCKS5 with another password", "socks5://ada:byron@" + closed, "https://example.com/x", StatusError, closedAsked, nil},
		{"a private name", forward.String(), "http://inside.example/x", StatusBlocked, forwarded, nil},
		{"a name with one private address", connect.String(), "https://mixed.example/x", StatusBlocked, connected, nil},
		{"a private name by SOCKS5", "socks5://" + socks, "https://inside.example/x", StatusBlocked, socksAsked, nil},
		{"a name with one private address by SOCKS5", "socks5://" + socks, "https://mixed.example/x", StatusBlocked, socksAsked, nil},
		{"NAT64 by SOCKS5", "socks5://" + socks, "https://six.example/x", StatusBlocked, socksAsked, nil},
		{"loopback", forward.String(), "http://127.0.0.1/x", StatusBlocked, forwarded, nil},
		{"loopback by SOCKS5", "socks5://" + socks, "http://[::1]/x", StatusBlocked, socksAsked, nil},
		{"loopback by a SOCKS5 that looks names up", "socks5h://" + socks, "http://127.0.0.1/x", StatusBlocked, socksAsked, nil},
		{"a local name by a SOCKS5 that looks names up", "socks5h://" + socks, "http://printer.local/x", StatusBlocked, socksAsked, nil},
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
	for _, t := range []*http.Transport{r.transport.direct, r.transport.proxied, r.transport.socks} {
		t.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
}

// Pages and the client for services use the proxies of the environment, and NO_PROXY is respected.
func TestProxiesOfTheEnvironment(t *testing.T) {
	plain := httptest.NewServer(site{"/x": page(article)})
	defer plain.Close()
	via, seen := httpProxy(t, strings.TrimPrefix(plain.URL, "http://"), "", "")
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

// A name resolves to a public address first and to a private one later. The checked address is the dialled one, so the
// second answer is not used for that connection. The next connection is checked again.
func TestReadThroughSOCKSWhenDNSChanges(t *testing.T) {
	secure := httptest.NewTLSServer(site{"/x": page(article)})
	defer secure.Close()
	var asks atomic.Int32
	dns := resolverBy(t, func(name string, kind dnsmessage.Type) ([]string, bool) {
		if name != "example.com." {
			return nil, false
		}
		if kind == dnsmessage.TypeA && asks.Add(1) > 1 {
			return []string{"127.0.0.1"}, true
		}
		return []string{"93.184.216.34"}, true
	})
	at, seen := socksProxy(t, strings.TrimPrefix(secure.URL, "https://"), "", "")
	via := &url.URL{Scheme: "socks5", Host: at}
	r := reader(t, func(c *Config) { c.Proxy, c.Resolver = func(*url.URL) (*url.URL, error) { return via, nil }, dns })
	trust(r, secure)
	if p := r.Read(t.Context(), "https://example.com/x"); p.Status != StatusRead {
		t.Fatalf("%s, %q", p.Status, p.Reason)
	}
	if d := cmp.Diff([]string{"93.184.216.34:443"}, seen.take()); d != "" {
		t.Errorf("the proxy was asked (-want +got):\n%s", d)
	}
	r.transport.CloseIdleConnections()
	if p := r.Read(t.Context(), "https://example.com/x?again"); p.Status != StatusBlocked || !strings.Contains(p.Reason, "example.com is not dialled") || strings.Contains(p.Reason, "127.0.0.1") {
		t.Errorf("%s, %q", p.Status, p.Reason)
	}
	if got := seen.take(); len(got) != 0 {
		t.Errorf("the proxy was asked %q", got)
	}
}
