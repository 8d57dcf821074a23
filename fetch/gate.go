package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"

	"github.com/citeloop/citeloop/fetch/address"
)

// Gate sends requests and opens connections for another program, such as a browser, under the address rules of this
// package. It is safe for concurrent use.
type Gate struct{ transport *transport }

// NewGate returns a gate that uses AllowPrivate, Proxy and Resolver of cfg. The error names a malformed allowed address.
func NewGate(cfg ClientConfig) (*Gate, error) {
	g, err := newGuard(cfg.AllowPrivate)
	if err != nil {
		return nil, err
	}
	return &Gate{newTransport(g, ClientConfig{Proxy: cfg.Proxy, Resolver: cfg.Resolver})}, nil
}

// RoundTrip sends one request. It does not decompress the body of the response. A refusal is an error that wraps
// [address.ErrForbidden].
func (g *Gate) RoundTrip(req *http.Request) (*http.Response, error) {
	return g.transport.RoundTrip(req)
}

// Connect opens a connection to a host:port. A refusal is an error that wraps [address.ErrForbidden]. It does not go through a
// proxy of the user: https pages need a browser that reaches the network directly.
func (g *Gate) Connect(ctx context.Context, hostport string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, address.Forbid(hostport, "it is not host:port")
	}
	target, err := address.Check(&url.URL{Scheme: "https", Host: net.JoinHostPort(host, port)})
	if err != nil {
		return nil, err
	}
	through, via, err := g.transport.route(ctx, target)
	if err != nil {
		return nil, err
	}
	if via != nil {
		return nil, errors.New("the browser does not read https pages through a proxy: list the host in NO_PROXY")
	}
	return through.DialContext(ctx, "tcp", address.HostPort(target))
}

// Close closes idle connections.
func (g *Gate) Close() { g.transport.CloseIdleConnections() }
