package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
)

// ClientConfig configures a guarded client.
type ClientConfig struct {
	UserAgent    string                           // for requests without one
	AllowPrivate []string                         // host:port pairs that may be private; a malformed pair allows nothing
	Timeout      time.Duration                    // of a request with its redirects and body; 0 = 20 s
	Idle         time.Duration                    // longest time between two bytes of the body; 0 = 10 s
	Proxy        func(*url.URL) (*url.URL, error) // nil = HTTP_PROXY, HTTPS_PROXY and NO_PROXY as they are now
	Resolver     *net.Resolver                    // nil = the system's
}

// NewClient returns an HTTP client that applies the address rules of this package to every connection and redirect. It is
// for requests to web services, such as those of channels; a [Reader] reads pages.
//
// A refusal is an error that wraps [address.ErrForbidden]. The client decompresses gzip itself, so that a limit on the
// body applies to the decompressed bytes. It keeps no cookies.
func NewClient(cfg ClientConfig) *http.Client {
	g, _ := newGuard(cfg.AllowPrivate) // an invalid pair allows nothing
	cfg.Timeout = cmp.Or(max(cfg.Timeout, 0), defaultTimeout)
	return &http.Client{
		Timeout:       cfg.Timeout,
		Transport:     newTransport(g, cfg.UserAgent, cfg.Idle, cfg.Proxy, cfg.Resolver, false),
		CheckRedirect: redirectPolicy(maxRedirects, nil),
	}
}

// transport sends a request directly, over connections that the guard dials, or to a proxy. The two never share a
// connection, because the address of the proxy, which the user configured, is dialled without the rules.
type transport struct {
	guard     guard
	userAgent string
	idle      time.Duration // longest time between two bytes of a body
	proxy     func(*url.URL) (*url.URL, error)
	resolver  *net.Resolver
	direct    *http.Transport
	proxied   *http.Transport
	viaSOCKS  *http.Transport
}

func newTransport(g guard, userAgent string, idle time.Duration, proxy func(*url.URL) (*url.URL, error), resolver *net.Resolver, rawBody bool) *transport {
	if proxy == nil {
		proxy = httpproxy.FromEnvironment().ProxyFunc()
	}
	idle = cmp.Or(max(idle, 0), defaultIdle)
	base := func() *http.Transport {
		return &http.Transport{
			ForceAttemptHTTP2:      true,
			DisableCompression:     rawBody,
			MaxIdleConns:           64,
			MaxIdleConnsPerHost:    4,
			IdleConnTimeout:        60 * time.Second,
			TLSHandshakeTimeout:    10 * time.Second,
			ResponseHeaderTimeout:  15 * time.Second,
			ExpectContinueTimeout:  time.Second,
			MaxResponseHeaderBytes: 256 << 10, // the largest seen on real sites is under 64 KiB; Go's default is 1 MiB
		}
	}
	t := &transport{guard: g, userAgent: userAgent, idle: idle, proxy: proxy, resolver: resolver, direct: base(), proxied: base(), viaSOCKS: base()}
	t.direct.DialContext = g.dial(resolver)
	t.viaSOCKS.DialContext = socksRoute{g, resolver}.dial
	t.proxied.DialContext = (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext
	t.proxied.Proxy = func(req *http.Request) (*url.URL, error) { return proxy(req.URL) }
	return t
}

// RoundTrip checks the target and sends the request directly or through a proxy, as configured.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	target, err := address.Check(req.URL)
	if err != nil {
		return nil, refuse(req, err)
	}
	hop := req.Clone(req.Context())
	hop.URL = target
	if hop.Header.Get("User-Agent") == "" && t.userAgent != "" {
		hop.Header.Set("User-Agent", t.userAgent)
	}
	via, err := t.proxy(target)
	if err != nil {
		return nil, refuse(req, fmt.Errorf("invalid proxy settings: %w", err))
	}
	switch {
	case via == nil:
		return stalling(hop, t.idle, t.direct.RoundTrip)
	case via.Scheme == "socks5":
		return stalling(hop.WithContext(context.WithValue(hop.Context(), viaKey{}, via)), t.idle, t.viaSOCKS.RoundTrip)
	}
	if err := t.checkProxied(req.Context(), via, target); err != nil {
		return nil, refuse(req, err)
	}
	return stalling(hop, t.idle, t.proxied.RoundTrip)
}

// checkProxied checks a target that a proxy will connect to, as far as names resolve here. With socks5h:// only the proxy
// resolves names, as the user requested.
func (t *transport) checkProxied(ctx context.Context, via, target *url.URL) error {
	if via.Scheme == "socks5h" {
		return t.guard.checkHost(address.HostPort(target))
	}
	return t.guard.checkResolved(ctx, t.resolver, address.HostPort(target))
}

// CloseIdleConnections serves http.Client.CloseIdleConnections.
func (t *transport) CloseIdleConnections() {
	t.direct.CloseIdleConnections()
	t.proxied.CloseIdleConnections()
	t.viaSOCKS.CloseIdleConnections()
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
		// The previous address may contain a key or a search query.
		req.Header.Del("Referer")
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
		return strings.EqualFold(address.HostPort(a), address.HostPort(b))
	}
	return a.Scheme == "http" && b.Scheme == "https" && a.Port() == "" && b.Port() == ""
}

// secretParameters are the names that services use for a key in the query.
var secretParameters = []string{"access_token", "api-key", "api_key", "apikey", "auth", "key", "password", "secret", "token"}

// withoutSecrets returns to without the query parameters that repeat a secret of from.
func withoutSecrets(from, to *url.URL) *url.URL {
	var secrets []string
	for name, values := range from.Query() {
		if slices.Contains(secretParameters, strings.ToLower(name)) {
			secrets = append(secrets, values...)
		}
	}
	query, kept := to.Query(), url.Values{}
	for name, values := range query {
		for _, v := range values {
			if v == "" || !slices.Contains(secrets, v) {
				kept.Add(name, v)
			}
		}
	}
	if len(secrets) == 0 || kept.Encode() == query.Encode() {
		return to
	}
	out := *to
	out.RawQuery = kept.Encode()
	return &out
}
