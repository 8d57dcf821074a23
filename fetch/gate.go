package fetch

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
)

// Gate sends requests and opens connections for another program, such as a browser, under the address rules of this
// package. It is safe for concurrent use.
type Gate struct {
	transport *transport
}

// NewGate returns a gate that uses AllowPrivate, Proxy and Resolver of cfg. The error names a malformed allowed address.
func NewGate(cfg ClientConfig) (*Gate, error) {
	g, err := newGuard(cfg.AllowPrivate)
	if err != nil {
		return nil, err
	}
	return &Gate{transport: newTransport(g, "", gateIdle, cfg.Proxy, cfg.Resolver, true)}, nil
}

// RoundTrip sends one request. It does not decompress the body of the response. A refusal is an error that wraps
// [address.ErrForbidden].
func (g *Gate) RoundTrip(req *http.Request) (*http.Response, error) {
	return g.transport.RoundTrip(req)
}

// gateIdle is how long a connection may be idle: pages keep connections open for later data, and the whole visit has a
// deadline.
const gateIdle = time.Hour

// Connect opens a connection to a host:port, through the user's proxy for https addresses if there is one. A refusal is an
// error that wraps [address.ErrForbidden].
func (g *Gate) Connect(ctx context.Context, hostport string) (net.Conn, error) {
	t := g.transport
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, address.Forbid(hostport, "it is not host:port")
	}
	target, err := address.Check(&url.URL{Scheme: "https", Host: net.JoinHostPort(host, port)})
	if err != nil {
		return nil, err
	}
	via, err := t.proxy(target)
	if err != nil {
		return nil, fmt.Errorf("invalid proxy settings: %w", err)
	}
	switch {
	case via == nil:
		return t.direct.DialContext(ctx, "tcp", address.HostPort(target))
	case via.Scheme == "socks5":
		return t.viaSOCKS.DialContext(context.WithValue(ctx, viaKey{}, via), "tcp", address.HostPort(target))
	}
	if err := t.checkProxied(ctx, via, target); err != nil {
		return nil, err
	}
	return connectThrough(ctx, via, address.HostPort(target), t.proxied.DialContext)
}

// Close closes idle connections.
func (g *Gate) Close() { g.transport.CloseIdleConnections() }

type dialFunc func(ctx context.Context, network, hostport string) (net.Conn, error)

// DialContext makes dialFunc a proxy.ContextDialer.
func (d dialFunc) DialContext(ctx context.Context, network, hostport string) (net.Conn, error) {
	return d(ctx, network, hostport)
}

// Dial completes proxy.Dialer. It is not called.
func (d dialFunc) Dial(network, hostport string) (net.Conn, error) {
	return d(context.Background(), network, hostport)
}

// connectThrough opens a connection to hostport through the user's proxy, by CONNECT or SOCKS5.
func connectThrough(ctx context.Context, via *url.URL, hostport string, dial dialFunc) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	port := via.Port()
	switch via.Scheme {
	case "socks5", "socks5h":
		socks, err := socksDialer(via, dial)
		if err != nil {
			return nil, err
		}
		return socks.DialContext(ctx, "tcp", hostport)
	case "http", "https", "":
	default:
		return nil, fmt.Errorf("unknown proxy scheme %q: use http, https or socks5", via.Scheme)
	}
	port = cmp.Or(port, map[bool]string{true: "443", false: "80"}[via.Scheme == "https"])
	conn, err := dial(ctx, "tcp", net.JoinHostPort(via.Hostname(), port))
	if err != nil {
		return nil, err
	}
	if via.Scheme == "https" {
		secure := tls.Client(conn, &tls.Config{ServerName: via.Hostname()})
		if err := secure.HandshakeContext(ctx); err != nil {
			_ = conn.Close()
			return nil, err
		}
		conn = secure
	}
	tunnel, err := askConnect(ctx, conn, via.User, hostport)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return tunnel, nil
}

// askConnect requests a tunnel on a connection to a proxy.
func askConnect(ctx context.Context, conn net.Conn, user *url.Userinfo, hostport string) (net.Conn, error) {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: hostport}, Host: hostport, Header: http.Header{}}
	if user != nil {
		password, _ := user.Password()
		req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)))
	}
	if err := req.Write(conn); err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(conn, 4<<10)
	resp, err := http.ReadResponse(r, req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the proxy refuses the connection (HTTP %d)", resp.StatusCode)
	}
	if !stop() {
		return nil, ctx.Err()
	}
	if r.Buffered() > 0 { // the target has already sent data
		return readAhead{conn, r}, nil
	}
	return conn, nil
}

// readAhead is a connection with data that was read already.
type readAhead struct {
	net.Conn
	r *bufio.Reader
}

func (c readAhead) Read(b []byte) (int, error) { return c.r.Read(b) }
