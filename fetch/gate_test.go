package fetch

import (
	"errors"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch/address"
)

// A gate applies the rules of the guard to connections.
func TestGateConnect(t *testing.T) {
	server, _ := counting(t)
	g, err := NewGate(ClientConfig{AllowPrivate: []string{hostOf(server)}, Proxy: noProxy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	_, port, _ := strings.Cut(hostOf(server), ":")
	for to, forbidden := range map[string]bool{hostOf(server): false, "localhost:" + port: true, "127.1:" + port: true,
		"[fe80::1%25lo]:80": true, "example.org": true} {
		conn, err := g.Connect(t.Context(), to)
		if errors.Is(err, address.ErrForbidden) != forbidden || forbidden == (err == nil) {
			t.Errorf("Connect to %s = %v, want it forbidden: %v", to, err, forbidden)
		}
		if conn != nil {
			_ = conn.Close()
		}
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
