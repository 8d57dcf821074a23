package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/citeloop/citeloop/fetch/address"
)

const (
	// A call ends after 25 s; its pages must end earlier.
	defaultTimeout = 20 * time.Second
	maxRedirects   = 10 // browsers stop at 20
	// dialTimeout bounds one connection without its TLS handshake. Chosen.
	dialTimeout = 10 * time.Second
)

// ClientConfig configures a guarded client.
type ClientConfig struct {
	UserAgent    string                           // for requests without one
	AllowPrivate []string                         // host:port pairs that may be private; a malformed pair allows nothing
	Timeout      time.Duration                    // of a request with its redirects and body; 0 = 20 s
	Proxy        func(*url.URL) (*url.URL, error) // nil = HTTP_PROXY, HTTPS_PROXY and NO_PROXY as they are now
	Resolver     *net.Resolver                    // nil = the system's
}

// NewClient returns an HTTP client that applies the address rules of this package to every connection and redirect. It is
// for requests to web services, such as those of channels; a [Reader] reads pages.
//
// A refusal is an error that wraps [address.ErrForbidden]. Bodies are read with [ReadBody]. It keeps no cookies.
func NewClient(cfg ClientConfig) *http.Client {
	g, _ := NewGate(cfg) // an invalid pair allows nothing
	return &http.Client{Timeout: cmp.Or(max(cfg.Timeout, 0), defaultTimeout), Transport: g,
		CheckRedirect: redirectPolicy(maxRedirects, nil)}
}

// Gate sends requests and opens connections under the address rules of this package, for clients of this program and for a
// browser: directly, over connections that the guard dials, or through a proxy of the user. The two never share a connection,
// because the address of the proxy, which the user configured, is dialled without the rules. A refusal is an error that wraps
// [address.ErrForbidden]. It is safe for concurrent use.
type Gate struct {
	guard   guard
	cfg     ClientConfig
	direct  *http.Transport
	proxied *http.Transport
}

// NewGate returns a gate. The error names malformed pairs of AllowPrivate, which allow nothing.
func NewGate(cfg ClientConfig) (*Gate, error) {
	if cfg.Proxy == nil {
		cfg.Proxy = httpproxy.FromEnvironment().ProxyFunc()
	}
	allowed, err := newGuard(cfg.AllowPrivate)
	g := &Gate{guard: allowed, cfg: cfg}
	over := func(dial func(ctx context.Context, network, hostport string) (net.Conn, error)) *http.Transport {
		return &http.Transport{
			DialContext:            dial,
			ForceAttemptHTTP2:      true,
			DisableCompression:     true,
			MaxIdleConns:           64,
			MaxIdleConnsPerHost:    4,
			IdleConnTimeout:        60 * time.Second,
			TLSHandshakeTimeout:    10 * time.Second,
			ResponseHeaderTimeout:  15 * time.Second,
			ExpectContinueTimeout:  time.Second,
			MaxResponseHeaderBytes: 256 << 10, // the largest seen on real sites is under 64 KiB; Go's default is 1 MiB
		}
	}
	plain := net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}
	g.direct, g.proxied = over(allowed.dial(cfg.Resolver)), over(plain.DialContext)
	g.proxied.Proxy = func(req *http.Request) (*url.URL, error) { return cfg.Proxy(req.URL) }
	return g, err
}

// RoundTrip sends one request. It does not decompress the body of the response.
func (g *Gate) RoundTrip(req *http.Request) (*http.Response, error) {
	target, err := address.Check(req.URL)
	if err != nil {
		return nil, refuse(req, err)
	}
	through, _, err := g.route(req.Context(), target)
	if err != nil {
		return nil, refuse(req, err)
	}
	hop := req.Clone(req.Context())
	hop.URL = target
	if hop.Header.Get("User-Agent") == "" && g.cfg.UserAgent != "" {
		hop.Header.Set("User-Agent", g.cfg.UserAgent)
	}
	return through.RoundTrip(hop)
}

// Connect opens a connection to a host:port. It does not go through a proxy of the user: a browser has to reach the network directly.
func (g *Gate) Connect(ctx context.Context, hostport string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, address.Forbid(hostport, "it is not host:port")
	}
	target, err := address.Check(&url.URL{Scheme: "https", Host: net.JoinHostPort(host, port)})
	if err != nil {
		return nil, err
	}
	through, via, err := g.route(ctx, target)
	switch {
	case err != nil:
		return nil, err
	case via != nil:
		return nil, errors.New("the browser does not read pages through a proxy: list the host in NO_PROXY")
	}
	return through.DialContext(ctx, "tcp", address.HostPort(target))
}

// route returns the transport for a target, and the proxy that it uses, if any. Targets that a proxy resolves are checked as far
// as names resolve here.
func (g *Gate) route(ctx context.Context, target *url.URL) (through *http.Transport, via *url.URL, err error) {
	via, err = g.cfg.Proxy(target)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("invalid proxy settings: %w", err)
	case via == nil:
		return g.direct, nil, nil
	case via.Scheme != "http" && via.Scheme != "https":
		return nil, nil, fmt.Errorf("unsupported proxy scheme %q: use http or https", via.Scheme)
	}
	if err = g.guard.checkHost(address.HostPort(target)); err == nil {
		err = g.guard.checkNames(ctx, g.cfg.Resolver, address.HostPort(target))
	}
	return g.proxied, via, err
}

// CloseIdleConnections closes the connections that no request uses.
func (g *Gate) CloseIdleConnections() {
	g.direct.CloseIdleConnections()
	g.proxied.CloseIdleConnections()
}

// refuse closes the body of a request that is not sent, as http.RoundTripper requires.
func refuse(req *http.Request, err error) error {
	if req.Body != nil {
		_ = req.Body.Close()
	}
	return err
}

// ErrTooManyRedirects ends a chain of redirects that is longer than the limit.
var ErrTooManyRedirects = errors.New("too many redirects")

// ErrRedirectedBody means that a server redirects a request with a body to another origin. The body may contain a key,
// so it is not sent there.
var ErrRedirectedBody = errors.New("the server redirects a request with a body to another host")

// redirectPolicy bounds a chain of redirects, removes user info from each hop, keeps secrets from other origins, and
// calls next to check the hop. The transport checks the address itself, as for every request.
func redirectPolicy(limit int, next func(*http.Request) error) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		if len(via) > limit {
			return fmt.Errorf("%w: more than %d", ErrTooManyRedirects, limit)
		}
		clean, err := address.Check(req.URL)
		if err != nil {
			return err
		}
		req.URL = clean
		req.Header.Del("Referer") // the previous address may contain a key or a search query
		if first := via[0].URL; !sameOrigin(first, clean) {
			if req.Body != nil && req.Body != http.NoBody {
				return fmt.Errorf("%w: %s", ErrRedirectedBody, clean.Host)
			}
			for name := range req.Header {
				if !slices.Contains(harmlessHeaders, name) {
					delete(req.Header, name)
				}
			}
			req.URL = withoutSecrets(first, clean)
		}
		if next != nil {
			return next(req)
		}
		return nil
	}
}

// harmlessHeaders are the request headers that another origin may see. All others may be credentials, because services
// take keys in various headers.
var harmlessHeaders = []string{"Accept", "Accept-Encoding", "Accept-Language", "User-Agent"}

// sameOrigin reports whether b may receive the data sent to a: the same host and port, or the same host after an
// upgrade from http to https.
func sameOrigin(a, b *url.URL) bool {
	if !strings.EqualFold(a.Hostname(), b.Hostname()) {
		return false
	}
	if a.Scheme == b.Scheme {
		return address.HostPort(a) == address.HostPort(b)
	}
	return a.Scheme == "http" && b.Scheme == "https" && a.Port() == "" && b.Port() == ""
}

// secretParameters are the names that services use for a key in the query.
var secretParameters = []string{"access_token", "api-key", "api_key", "apikey", "auth", "key", "password", "secret", "token"}

// withoutSecrets returns to without the query parameters that repeat a secret of from.
func withoutSecrets(from, to *url.URL) *url.URL {
	query := to.Query()
	given := len(query)
	for name, secrets := range from.Query() {
		if slices.Contains(secretParameters, strings.ToLower(name)) {
			maps.DeleteFunc(query, func(_ string, values []string) bool {
				return slices.ContainsFunc(values, func(v string) bool { return v != "" && slices.Contains(secrets, v) })
			})
		}
	}
	if len(query) == given {
		return to
	}
	out := *to
	out.RawQuery = query.Encode()
	return &out
}
