package access

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Sites are the accepted hosts and origins. They keep pages of other sites from using a server through the browser of a
// visitor: Origin reveals cross-site requests, and Host reveals DNS rebinding. Loopback names are always accepted.
type Sites struct {
	hosts   []string // lower case, without port
	origins []string // scheme://host[:port], lower case
}

// NewSites parses hosts, which are names or addresses without a port, and origins, which have a scheme and maybe a port.
func NewSites(allowed []string) (Sites, error) {
	var s Sites
	for _, given := range allowed {
		name := strings.ToLower(strings.TrimSuffix(strings.TrimSpace(given), "/"))
		u, err := url.Parse(name)
		if err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && *u == (url.URL{Scheme: u.Scheme, Host: u.Host}) {
			s.origins = append(s.origins, name)
			continue
		}
		name = strings.Trim(name, "[]")
		if name == "" || strings.ContainsAny(name, "/@? *") || strings.Contains(name, ":") && net.ParseIP(name) == nil {
			return s, fmt.Errorf("invalid --allow-host %q: use a host like citeloop.example.org, or an origin like https://app.example.org",
				clip(given))
		}
		s.hosts = append(s.hosts, name)
	}
	return s, nil
}

// Guard rejects requests from other origins and for other hosts. Forms of the page carry the origin of this server, which
// is accepted with ownPages.
func (s Sites) Guard(next http.Handler, ownPages bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, origin := range r.Header.Values("Origin") {
			if u, err := url.Parse(origin); err != nil || !s.allows(r, u, ownPages) {
				http.Error(w, "requests from web pages of other sites are not accepted; allow an origin with --allow-host",
					http.StatusForbidden)
				return
			}
		}
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
		if !loopbackHost(host) && !slices.Contains(s.hosts, host) {
			http.Error(w, "unknown host; allow a host with --allow-host", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// allows reports whether an origin may send a request. Its own page's is the host of the request: a request over plain HTTP may have
// arrived by HTTPS at a proxy; a request over HTTPS never has an http origin.
func (s Sites) allows(r *http.Request, origin *url.URL, ownPages bool) bool {
	if origin.Scheme != "https" && origin.Scheme != "http" {
		return false
	}
	return loopbackHost(origin.Hostname()) || slices.Contains(s.origins, strings.ToLower(origin.Scheme+"://"+origin.Host)) ||
		ownPages && strings.EqualFold(origin.Host, r.Host) && (origin.Scheme == "https" || r.TLS == nil)
}

func loopbackHost(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
