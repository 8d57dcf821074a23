package access

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Sites are the names under which a server answers, and the web sites whose pages may call it. A page of
// another site must not use a server through its visitor's browser: neither by naming the server, which its
// Origin tells, nor by giving its own name the server's address (DNS rebinding), which Host tells. Loopback
// names are always allowed.
type Sites struct {
	hosts   []string // lower case, without port
	origins []string // scheme://host[:port], lower case
}

// NewSites reads the lists: hosts as names or addresses without a port, origins as https://host[:port].
func NewSites(hosts, origins []string) (Sites, error) {
	var s Sites
	for _, h := range hosts {
		name := strings.ToLower(strings.Trim(strings.TrimSpace(h), "[]"))
		if name == "" || strings.ContainsAny(name, "/@? *") || strings.Contains(name, ":") && net.ParseIP(name) == nil {
			return s, fmt.Errorf("--allow-host %q is not a host; give one like citeloop.example.org, without scheme and port", clip(h))
		}
		s.hosts = append(s.hosts, name)
	}
	for _, o := range origins {
		u, err := url.Parse(strings.TrimSpace(o))
		if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
			return s, fmt.Errorf("--allow-origin %q is not an origin; give one like https://app.example.org", clip(o))
		}
		s.origins = append(s.origins, u.Scheme+"://"+strings.ToLower(u.Host))
	}
	return s, nil
}

// Guard refuses requests of other sites and under other names.
func (s Sites) Guard(next http.Handler) http.Handler {
	return s.guard(next, func(*http.Request, string) bool { return false })
}

// GuardPage is Guard for what has pages of its own: their forms carry the origin of the very server that they are
// sent to, under whichever of its names it was opened.
func (s Sites) GuardPage(next http.Handler) http.Handler { return s.guard(next, ownOrigin) }

func (s Sites) guard(next http.Handler, own func(r *http.Request, origin string) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, origin := range r.Header.Values("Origin") {
			if !s.allowsOrigin(origin) && !own(r, origin) {
				http.Error(w, "requests from web pages of other sites are not accepted; --allow-origin names those that may", http.StatusForbidden)
				return
			}
		}
		if !s.allowsHost(r.Host) {
			http.Error(w, "this server does not answer under this name; --allow-host names those it answers under", http.StatusForbidden)
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

// ownOrigin reports whether an origin is the server that a request names. What came by plain HTTP may have come by
// HTTPS as far as the proxy; what came by HTTPS is not from a page that did not.
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
