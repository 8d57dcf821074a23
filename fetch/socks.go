package fetch

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"time"

	"golang.org/x/net/proxy"
)

// connectTimeout bounds a connection through the user's proxy. Chosen: two dials.
const connectTimeout = 2 * dialTimeout

// viaKey is the key of a request's SOCKS5 proxy in its context.
type viaKey struct{}

// socksRoute connects through the SOCKS5 proxy of each request. With socks5:// names are resolved here, and the proxy gets the
// checked address: as with a direct connection, nothing can change in between. A name that does not resolve here is sent to
// the proxy, because networks behind a proxy often have no public DNS. socks5h://, where the proxy resolves names, is not
// handled here.
type socksRoute struct {
	guard    guard
	resolver *net.Resolver
}

// dial connects to a host, using the first of its addresses that answers.
func (s socksRoute) dial(ctx context.Context, network, hostport string) (net.Conn, error) {
	via, _ := ctx.Value(viaKey{}).(*url.URL)
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	targets, err := s.targets(ctx, hostport)
	if err != nil {
		return nil, err
	}
	d, err := socksDialer(via, &net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second})
	if err != nil {
		return nil, err
	}
	var conn net.Conn
	for _, target := range targets {
		if conn, err = d.DialContext(ctx, network, target); err == nil || ctx.Err() != nil {
			break
		}
	}
	return conn, err
}

// socksDialer connects through a SOCKS5 proxy, to which forward connects.
func socksDialer(via *url.URL, forward proxy.Dialer) (proxy.ContextDialer, error) {
	var auth *proxy.Auth
	if via.User != nil {
		auth = &proxy.Auth{User: via.User.Username()}
		auth.Password, _ = via.User.Password()
	}
	port := via.Port()
	port = cmp.Or(port, "1080") // RFC 1928
	made, err := proxy.SOCKS5("tcp", net.JoinHostPort(via.Hostname(), port), auth, forward)
	if err != nil {
		return nil, err
	}
	d, ok := made.(proxy.ContextDialer)
	if !ok {
		return nil, errors.New("the SOCKS proxy does not support deadlines")
	}
	return d, nil
}

// targets returns the checked addresses of a host, or its name if it does not resolve here.
func (s socksRoute) targets(ctx context.Context, hostport string) ([]string, error) {
	if err := s.guard.checkHost(hostport); err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return []string{hostport}, nil
	}
	addrs, err := s.guard.lookup(ctx, s.resolver, hostport)
	if err != nil {
		return nil, err
	}
	if len(addrs) == 0 {
		return []string{hostport}, nil
	}
	out := make([]string, 0, len(addrs))
	for _, a := range addrs {
		out = append(out, net.JoinHostPort(a.String(), port))
	}
	return out, nil
}
