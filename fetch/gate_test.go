package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/citeloop/citeloop/fetch/address"
)

// No spelling of a private address is reached, by itself or by a redirect.
func TestReadForbiddenAddresses(t *testing.T) {
	inner, _ := counting(t)
	port := inner.URL[strings.LastIndexByte(inner.URL, ':')+1:]
	target := ""
	r, srv := serve(t, site{"/to": func(w http.ResponseWriter, r *http.Request) { leads(target)(w, r) }})
	for spelling := range strings.FieldsSeq(`http://127.0.0.1:%s/ http://127.0.0.2:%s/ http://localhost:%s/ http://LOCALHOST:%s/
		http://localhost.:%s/ http://foo.localhost:%s/ http://127.1:%s/ http://2130706433:%s/ http://0x7f000001:%s/ http://0x7f.0.0.1:%s/
		http://0177.0.0.1:%s/ http://017700000001:%s/ http://127.0.0.1.:%s/ http://0:%s/ http://0.0.0.0:%s/ http://[::1]:%s/
		http://[0:0:0:0:0:0:0:1]:%s/ http://[::]:%s/ http://[::ffff:127.0.0.1]:%s/ http://[::ffff:7f00:1]:%s/ http://[::127.0.0.1]:%s/
		http://[64:ff9b::7f00:1]:%s/ http://[64:ff9b:1::7f00:1]:%s/ http://[2002:7f00:1::]:%s/ http://[2001:0:7f00:1::]:%s/
		http://[::1%%25lo]:%s/ http://[fe80::1]:%s/ http://[fd00::1]:%s/ http://[fec0::1]:%s/ http://example.com@127.0.0.1:%s/
		http://127.0.0.1:%s\@example.com/ http://127%%2e0%%2e0%%2e1:%s/ http://１２７.０.０.１:%s/ http://127。0。0。1:%s/
		http://①②⑦.⓪.⓪.①:%s/ http://169.254.169.254:%s/latest/meta-data/ http://metadata.google.internal:%s/ http://10.0.0.1:%s/
		http://172.16.0.1:%s/ http://192.168.0.1:%s/ http://100.64.0.1:%s/ http://192.0.0.1:%s/ http://198.18.0.1:%s/
		http://224.0.0.1:%s/ http://240.0.0.1:%s/ http://255.255.255.255:%s/ http://192.0.2.1:%s/ http://intranet:%s/
		http://printer.local:%s/ gopher://127.0.0.1:%s/ ftp://127.0.0.1:%s/ HTTP://127.0.0.1:%s/ file://127.0.0.1:%s/etc/passwd
		http://user:pw@[::1]:%s/`) {
		target = fmt.Sprintf(spelling, port)
		if p := r.Read(t.Context(), target); p.Status != StatusBlocked || p.Reason == "" || strings.Contains(p.URL, "pw") {
			t.Errorf("asked for %s: %s, %q, %s", target, p.Status, p.Reason, p.URL)
		}
		if p := r.Read(t.Context(), srv.URL+"/to"); p.Status != StatusBlocked && p.Status != StatusError {
			t.Errorf("redirected to %s: %s, %q", target, p.Status, p.Reason)
		}
	}
	// An allowed pair allows one host and port, but not its redirects or another name for it.
	target = inner.URL
	p := r.Read(t.Context(), srv.URL+"/to")
	if p.Status != StatusBlocked || !strings.Contains(p.Reason, "add "+hostOf(inner)+" to CITELOOP_ALLOW_PRIVATE") {
		t.Errorf("%s, %q", p.Status, p.Reason)
	}
	if p := r.Read(t.Context(), strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)); p.Status != StatusBlocked {
		t.Errorf("by another name: %s, %q", p.Status, p.Reason)
	}
}

// A name resolves to a public address first and to a private one later: the dialled address is the checked one. What the name
// server answers is not for the caller.
func TestReadNames(t *testing.T) {
	inner, _ := counting(t)
	_, port, _ := net.SplitHostPort(hostOf(inner))
	rebound := "rebind.example is not dialled: its name resolves to an address that is not public; to allow it, add rebind.example:" +
		port + " to CITELOOP_ALLOW_PRIVATE"
	noServer := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "udp", Err: syscall.ENETUNREACH}
	}}
	known := func(host string, addresses ...string) *net.Resolver {
		return resolver(t, map[string][]string{host + ".": addresses})
	}
	for _, tt := range []struct {
		name             string
		dns              *net.Resolver
		status           Status
		reason           string
		missing, offline bool
	}{
		{"rebound at once", known("rebind.example", "127.0.0.1"), StatusBlocked, rebound, false, false},
		{"rebound among others", known("rebind.example", "127.0.0.1", "::1", "10.0.0.1"), StatusBlocked, rebound, false, false},
		{"rebound, mapped", known("rebind.example", "::ffff:127.0.0.1"), StatusBlocked, rebound, false, false},
		{"an unknown host", known("archive.org", "192.0.2.7"), StatusError, "the host rebind.example does not exist", true, false},
		// A name server that knows no host at all says nothing about an address.
		{"every name is unknown", resolver(t, nil), StatusError, "no network connection: no public host name can be", false, true},
		{"no name server answers", noServer, StatusError, "no network connection", false, true},
	} {
		r := reader(t, func(c *Config) { c.Resolver, c.Copies = tt.dns, PublicCopies("") })
		p := r.Read(t.Context(), "http://rebind.example:"+port+"/")
		if p.Status != tt.status || !strings.HasPrefix(p.Reason, tt.reason) || p.Missing() != tt.missing || p.Offline != tt.offline {
			t.Errorf("%s: %s, %q, missing %v, offline %v", tt.name, p.Status, p.Reason, p.Missing(), p.Offline)
		}
	}
}

// The client for services follows the rules for addresses. Credentials for a service are not sent to the host that it redirects to.
func TestClient(t *testing.T) {
	forbidden, _ := counting(t)
	var seen []string
	note := func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.RequestURI()+" "+r.Header.Get("X-Api-Key")+r.Header.Get("Authorization")+r.Header.Get("Cookie")+
			r.Header.Get("Referer")+" "+r.Header.Get("User-Agent"))
	}
	other := httptest.NewServer(http.HandlerFunc(note))
	defer other.Close()
	moved := func(to string, status int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to+"?"+r.URL.RawQuery, status) }
	}
	home := httptest.NewServer(site{"/away": moved(other.URL+"/there", 302), "/away-307": moved(other.URL+"/there", 307),
		"/near": moved("/here", 302), "/here": note, "/loop": moved("/loop", 302), "/forbidden": moved(forbidden.URL, 302)})
	defer home.Close()
	client := NewClient(ClientConfig{UserAgent: "citeloop/0.1", AllowPrivate: []string{"not a pair", hostOf(home), hostOf(other)},
		Proxy: noProxy})
	defer client.CloseIdleConnections()
	for _, tt := range []struct {
		name, at, body, want string
		err                  error
	}{
		{"another host gets no credentials", home.URL + "/away?q=tides&key=hidden", "", "/there?q=tides  citeloop/0.1", nil},
		{"a parameter that is no secret stays", home.URL + "/away?q=hidden", "", "/there?q=hidden  citeloop/0.1", nil},
		{"the same host gets them, without the address before", home.URL + "/near?key=hidden", "",
			"/here?key=hidden hiddenBearer hiddens=hidden citeloop/0.1", nil},
		{"a body with a key", home.URL + "/away-307", `{"api_key": "hidden"}`, "", ErrRedirectedBody},
		{"a loop", home.URL + "/loop", "", "", ErrTooManyRedirects},
		{"a private address", forbidden.URL, "", "", address.ErrForbidden},
		{"a redirect to one", home.URL + "/forbidden", "", "", address.ErrForbidden},
		{"another spelling", "http://2130706433/", "", "", address.ErrForbidden},
		{"another scheme", "ftp://127.0.0.1/", "", "", address.ErrForbidden},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seen = nil
			var body io.Reader
			if tt.body != "" {
				body = strings.NewReader(tt.body)
			}
			req, err := http.NewRequestWithContext(t.Context(), "POST", tt.at, body)
			if err != nil {
				t.Fatal(err)
			}
			req.Header = http.Header{"X-Api-Key": {"hidden"}, "Authorization": {"Bearer hidden"}, "Cookie": {"s=hidden"}}
			resp, err := client.Do(req)
			if err == nil {
				resp.Body.Close()
			}
			if !errors.Is(err, tt.err) || strings.Join(seen, "\n") != tt.want {
				t.Errorf("%v, %q, want %v, %q", err, seen, tt.err, tt.want)
			}
		})
	}
}

// A gate applies the rules to the connections of a browser, before it looks at a proxy, and gives them to none.
func TestGateConnect(t *testing.T) {
	server := httptest.NewServer(page(article))
	defer server.Close()
	_, port, _ := strings.Cut(hostOf(server), ":")
	for _, tt := range []struct{ proxy, to, want string }{
		{"", hostOf(server), ""},
		{"", "localhost:" + port, "not dialled"},
		{"", "127.1:" + port, "not dialled"},
		{"", "[fe80::1%25lo]:80", "not dialled"},
		{"", "example.org", "not host:port"},
		{"http://127.0.0.1:1", "only-there.example:443", "NO_PROXY"},
		{"http://127.0.0.1:1", "10.0.0.5:443", "private"},
		{"gopher://127.0.0.1:1", "only-there.example:443", `unsupported proxy scheme "gopher"`},
	} {
		g, err := NewGate(ClientConfig{AllowPrivate: []string{hostOf(server)}, Proxy: func(*url.URL) (*url.URL, error) {
			if tt.proxy == "" {
				return nil, nil
			}
			return url.Parse(tt.proxy)
		}})
		if err != nil {
			t.Fatal(err)
		}
		conn, err := g.Connect(t.Context(), tt.to)
		if err == nil {
			_ = conn.Close()
		}
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Connect to %s by %q = %v, want %q", tt.to, tt.proxy, err, tt.want)
		}
		g.CloseIdleConnections()
	}
}

// With a proxy, the same addresses are refused as far as they are known here.
func TestReadThroughProxies(t *testing.T) {
	w := &web{sites: map[string]http.HandlerFunc{"example.com/x": page(article), "unknown.example/x": page(article)}}
	via := w.proxy(t)
	proxy, _ := via(nil)
	r := reader(t, func(c *Config) {
		c.Proxy = via
		c.Resolver = resolver(t, map[string][]string{"example.com.": {"93.184.216.34"}, "inside.example.": {"10.0.0.7"},
			"mixed.example.": {"93.184.216.34", "127.0.0.1"}, "six.example.": {"64:ff9b::7f00:1"}})
	})
	for at, want := range map[string]Status{"http://example.com/x": StatusRead, "http://unknown.example/x": StatusRead,
		"http://inside.example/x": StatusBlocked, "http://mixed.example/x": StatusBlocked, "http://six.example/x": StatusBlocked,
		"http://printer.local/x": StatusBlocked, proxy.String() + "/x": StatusBlocked} {
		w.asked = nil
		if p := r.Read(t.Context(), at); p.Status != want || (len(w.asked) > 0) != (want == StatusRead) {
			t.Errorf("%s: %s, %q; want %s; the proxy was asked %v", at, p.Status, p.Reason, want, w.asked)
		}
	}
}

// Pages and the client for services use the proxies of the environment, and NO_PROXY is respected.
func TestProxiesOfTheEnvironment(t *testing.T) {
	w := &web{sites: map[string]http.HandlerFunc{"example.com/x": page(article)}}
	via, _ := w.proxy(t)(nil)
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
	if _, err := client.Get("http://direct.example/x"); !errors.Is(err, address.ErrForbidden) {
		t.Errorf("past the proxy: %v", err)
	}
	if want := []string{"example.com/x", "example.com/robots.txt", "example.com/x"}; !slices.Equal(w.asked, want) {
		t.Errorf("the proxy was asked %v", w.asked)
	}
}

// HTTP/2 is used if the server supports it, with the same limits. An unknown certificate is an error.
func TestReadHTTP2(t *testing.T) {
	var protocol string
	srv := httptest.NewUnstartedServer(site{
		"/page": func(w http.ResponseWriter, r *http.Request) { protocol = r.Proto; page(article)(w, r) },
		"/gzip": answers(200, "text/html", bomb(t, "gzip"), "Content-Encoding", "gzip"),
	})
	srv.EnableHTTP2 = true
	srv.StartTLS()
	defer srv.Close()
	pool := x509.NewCertPool()
	for _, tt := range []struct {
		path   string
		status Status
		reason string
	}{{"/page", StatusError, "certificate"}, {"/page", StatusRead, ""}, {"/gzip", StatusError, "after decompression"}} {
		r := reader(t, func(c *Config) { c.AllowPrivate = []string{strings.TrimPrefix(srv.URL, "https://")} })
		r.gate.direct.TLSClientConfig = &tls.Config{RootCAs: pool.Clone()}
		if p := r.Read(t.Context(), srv.URL+tt.path); p.Status != tt.status || !strings.Contains(p.Reason, tt.reason) {
			t.Errorf("%s: %s, %q", tt.path, p.Status, p.Reason)
		}
		pool.AddCert(srv.Certificate()) // for the next ones
	}
	if protocol != "HTTP/2.0" {
		t.Errorf("read by %s", protocol)
	}
}
