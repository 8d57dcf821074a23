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

// NewSites parses hosts, names or addresses without a port, and origins, https://host[:port].
func NewSites(hosts, origins []string) (Sites, error) {
	var s Sites
	for _, h := range hosts {
		name := strings.ToLower(strings.Trim(strings.TrimSpace(h), "[]"))
		if name == "" || strings.ContainsAny(name, "/@? *") || strings.Contains(name, ":") && net.ParseIP(name) == nil {
			return s, fmt.Errorf("invalid --allow-host %q: use a host like citeloop.example.org, without scheme and port", clip(h))
		}
		s.hosts = append(s.hosts, name)
	}
	for _, o := range origins {
		u, err := url.Parse(strings.TrimSpace(o))
		if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
			return s, fmt.Errorf("invalid --allow-origin %q: use an origin like https://app.example.org", clip(o))
		}
		s.origins = append(s.origins, u.Scheme+"://"+strings.ToLower(u.Host))
	}
	return s, nil
}

// Guard rejects requests from other origins and for other hosts.
func (s Sites) Guard(next http.Handler) http.Handler {
	return s.guard(next, func(*http.Request, string) bool { return false })
}

// GuardPage is Guard for the page, whose forms carry the origin of this server.
func (s Sites) GuardPage(next http.Handler) http.Handler { return s.guard(next, ownOrigin) }

func (s Sites) guard(next http.Handler, own func(r *http.Request, origin string) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, origin := range r.Header.Values("Origin") {
			if !s.allowsOrigin(origin) && !own(r, origin) {
				http.Error(w, "requests from web pages of other sites are not accepted; allow an origin with --allow-origin", http.StatusForbidden)
				return
			}
		}
		if !s.allowsHost(r.Host) {
			http.Error(w, "unknown host; allow a host with --allow-host", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s Sites) allowsHost(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	return loopbackHost(host) || slices.Contains(s.hosts, host)
}

func (s Sites) allowsOrigin(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return false
	}
	return loopbackHost(u.Hostname()) || slices.Contains(s.origins, u.Scheme+"://"+strings.ToLower(u.Host))
}

// ownOrigin reports whether an origin is the host of the request. A request over plain HTTP may have arrived by HTTPS at
// a proxy; a request over HTTPS never has an http origin.
func ownOrigin(r *http.Request, origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, r.Host) && (u.Scheme == "https" || u.Scheme == "http" && r.TLS == nil)
}

func loopbackHost(host string) bool {
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
