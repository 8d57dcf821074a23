package access

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
)

// Sites are the names under which a server answers, and the origins of pages that may call it. They keep pages of other sites from
// using it through the browser of a visitor: Host reveals DNS rebinding, and the standard library refuses requests of other origins.
// The zero value answers under loopback names, and to its own pages.
type Sites struct {
	hosts   []string // lower case, without port
	origins http.CrossOriginProtection
}

// NewSites parses hosts, which are names or addresses without a port, and origins, which have a scheme and maybe a port.
func NewSites(allowed []string) (*Sites, error) {
	s := &Sites{}
	for _, given := range allowed {
		name := strings.ToLower(strings.TrimSuffix(strings.TrimSpace(given), "/"))
		if strings.HasPrefix(name, "http") && s.origins.AddTrustedOrigin(name) == nil {
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

// Guard rejects requests for other hosts and from pages of other origins.
func (s *Sites) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
		switch {
		case !Loopback(host) && !slices.Contains(s.hosts, host):
			http.Error(w, "unknown host; allow a host with --allow-host", http.StatusForbidden)
		case s.foreign(r):
			http.Error(w, "requests from web pages of other sites are not accepted; allow an origin with --allow-host",
				http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// foreign reports whether a page of another origin sends a request. The standard library lets safe methods pass; a stream is opened by
// GET, and what a person follows from another site carries no Origin.
func (s *Sites) foreign(r *http.Request) bool {
	if r.Header.Get("Origin") != "" {
		r = r.WithContext(r.Context()) // a copy
		r.Method = http.MethodPost
	}
	return s.origins.Check(r) != nil
}

// Loopback reports whether a host is reachable from this machine only. It does not resolve names other than localhost, because their
// addresses may change.
func Loopback(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
