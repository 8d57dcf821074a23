package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch/address"
)

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
