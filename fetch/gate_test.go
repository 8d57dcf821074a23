package fetch

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch/address"
)

// speaks is a server that sends one line to each client.
func speaks(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, "lamp\n")
			_ = conn.Close()
		}
	}()
	return l.Addr().String()
}

func TestGateConnect(t *testing.T) {
	server := speaks(t)
	g, err := NewGate(ClientConfig{AllowPrivate: []string{server}, Proxy: noProxy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	_, port, _ := net.SplitHostPort(server)
	tests := []struct {
		name, hostport string
		forbidden      bool
	}{
		{"an allowed address", server, false},
		{"the same by another name", "localhost:" + port, true},
		{"an odd spelling", "127.1:" + port, true},
		{"a zone", "[fe80::1%25lo]:80", true},
		{"no port", "example.org", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			conn, err := g.Connect(t.Context(), tt.hostport)
			if errors.Is(err, address.ErrForbidden) != tt.forbidden || tt.forbidden == (err == nil) {
				t.Fatalf("Connect = %v, want it forbidden: %v", err, tt.forbidden)
			}
			if conn != nil {
				line, _ := bufio.NewReader(conn).ReadString('\n')
				_ = conn.Close()
				if line != "lamp\n" {
					t.Errorf("the connection says %q", line)
				}
			}
		})
	}
	if _, err := NewGate(ClientConfig{AllowPrivate: []string{"nonsense"}}); err == nil || !strings.Contains(err.Error(), "nonsense") {
		t.Errorf("NewGate = %v, want an error that names the bad pair", err)
	}
}

// Private addresses are refused before a proxy is looked at, and no proxy gets a request.
func TestGateConnectThroughAProxy(t *testing.T) {
	w := &web{}
	via := httptest.NewServer(w)
	defer via.Close()
	for _, tt := range []struct{ scheme, to, want string }{
		{"http", "only-there.example:443", "NO_PROXY"},
		{"http", "10.0.0.5:443", "private"},
		{"gopher", "only-there.example:443", `unsupported proxy scheme "gopher"`},
	} {
		g, err := NewGate(ClientConfig{Proxy: func(*url.URL) (*url.URL, error) { return url.Parse(tt.scheme + "://" + hostOf(via)) }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(g.Close)
		if _, err := g.Connect(t.Context(), tt.to); err == nil || !strings.Contains(err.Error(), tt.want) || len(w.asked) > 0 {
			t.Errorf("Connect to %s by %s = %v, want %q; the proxy was asked %v", tt.to, tt.scheme, err, tt.want, w.asked)
		}
	}
}
