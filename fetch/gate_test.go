package fetch

import (
	"bufio"
	"errors"
	"io"
	"net"
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
		{"a number", "2130706433:" + port, true},
		{"IPv6 loopback", "[::1]:" + port, true},
		{"IPv4-mapped", "[::ffff:127.0.0.1]:" + port, true},
		{"the metadata service", "169.254.169.254:80", true},
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

// The user's proxy is used, and private addresses are refused before it gets a request.
func TestGateConnectThroughAProxy(t *testing.T) {
	server := speaks(t)
	plain, _ := httpProxy(t, server, "me", "secret")
	tests := []struct {
		name, via, to, want string
	}{
		{"HTTP", "http://me:secret@" + plain.Host, "only-there.example:443", ""},
		{"a wrong password", "http://me:wrong@" + plain.Host, "only-there.example:443", "HTTP 407"},
		{"a private address", "http://me:secret@" + plain.Host, "10.0.0.5:443", "private"},
		{"an unknown kind", "gopher://" + plain.Host, "only-there.example:443", `unsupported proxy scheme "gopher"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, err := NewGate(ClientConfig{Proxy: func(*url.URL) (*url.URL, error) { return url.Parse(tt.via) }})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(g.Close)
			conn, err := g.Connect(t.Context(), tt.to)
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("Connect = %v, want %q", err, tt.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if line, _ := bufio.NewReader(conn).ReadString('\n'); line != "lamp\n" {
				t.Errorf("the connection says %q", line)
			}
		})
	}
}
