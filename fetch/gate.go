package fetch

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
)

// Gate sends requests and opens connections for another program, such as a browser, under the address rules of this
// package. It is safe for concurrent use.
type Gate struct{ transport *transport }

// gateIdle is how long a connection may be idle: pages keep connections open for later data, and the visit has a deadline.
const gateIdle = time.Hour

// NewGate returns a gate that uses AllowPrivate, Proxy and Resolver of cfg. The error names a malformed allowed address.
func NewGate(cfg ClientConfig) (*Gate, error) {
	g, err := newGuard(cfg.AllowPrivate)
	if err != nil {
		return nil, err
	}
	return &Gate{newTransport(g, ClientConfig{Idle: gateIdle, Proxy: cfg.Proxy, Resolver: cfg.Resolver})}, nil
}

// RoundTrip sends one request. It does not decompress the body of the response. A refusal is an error that wraps
// [address.ErrForbidden].
func (g *Gate) RoundTrip(req *http.Request) (*http.Response, error) {
	return g.transport.RoundTrip(req)
}

// Connect opens a connection to a host:port, through the user's proxy for https addresses if there is one. A refusal is an
// error that wraps [address.ErrForbidden].
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
	if via == nil {
		return through.DialContext(ctx, "tcp", address.HostPort(target))
	}
	return tunnel(ctx, via, address.HostPort(target))
}

// Close closes idle connections.
func (g *Gate) Close() { g.transport.CloseIdleConnections() }

// tunnel opens a connection to hostport through an HTTP proxy, by CONNECT.
func tunnel(ctx context.Context, via *url.URL, hostport string) (conn net.Conn, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*dialTimeout)
	defer cancel()
	at := func(port string) string { return net.JoinHostPort(via.Hostname(), cmp.Or(via.Port(), port)) }
	if via.Scheme == "https" {
		conn, err = (&tls.Dialer{NetDialer: plainDialer()}).DialContext(ctx, "tcp", at("443"))
	} else {
		conn, err = plainDialer().DialContext(ctx, "tcp", at("80"))
	}
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	r := bufio.NewReaderSize(conn, 4<<10)
	err = askTunnel(conn, r, via, hostport)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return readAhead{conn, r}, nil
}

func askTunnel(conn io.Writer, r *bufio.Reader, via *url.URL, hostport string) error {
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: hostport}, Host: hostport, Header: http.Header{}}
	if via.User != nil {
		password, _ := via.User.Password()
		req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(via.User.Username()+":"+password)))
	}
	if err := req.Write(conn); err != nil {
		return err
	}
	resp, err := http.ReadResponse(r, req)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the proxy refuses the connection (HTTP %d)", resp.StatusCode)
	}
	return err
}

// readAhead is a connection with data that may have been read already.
type readAhead struct {
	net.Conn
	r *bufio.Reader
}

func (c readAhead) Read(b []byte) (int, error) { return c.r.Read(b) }
