package fetch

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// flaky answers each request with the next handler of a list, and all later ones with the last.
func flaky(hits *atomic.Int32, handlers ...http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n := int(hits.Add(1))
		handlers[min(n, len(handlers))-1](w, r)
	}
}

func drop(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

func TestReadRetries(t *testing.T) {
	html := "text/html; charset=utf-8"
	tests := []struct {
		name     string
		handlers []http.HandlerFunc
		status   Status
		hits     int32
	}{
		{"a cut connection", []http.HandlerFunc{drop, page(article)}, StatusRead, 2},
		{"a gateway's failure", []http.HandlerFunc{answers(502, html, ""), answers(504, html, ""), page(article)}, StatusRead, 3},
		{"a pause that is short", []http.HandlerFunc{answers(429, html, "", "Retry-After", "1"), page(article)}, StatusRead, 2},
		{"a pause that is long", []http.HandlerFunc{answers(429, html, "", "Retry-After", "60"), page(article)}, StatusBlocked, 1},
		{"a failure of the program", []http.HandlerFunc{answers(500, html, "")}, StatusError, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var hits atomic.Int32
			r, srv := serve(t, site{"/": flaky(&hits, tt.handlers...)})
			if p := r.Read(t.Context(), srv.URL+"/"); p.Status != tt.status || hits.Load() != tt.hits {
				t.Errorf("%s, %q after %d requests; want %s after %d", p.Status, p.Reason, hits.Load(), tt.status, tt.hits)
			}
		})
	}
}

// A second attempt is made only if the deadline leaves time for it.
func TestReadRetriesWithinTheDeadline(t *testing.T) {
	var hits atomic.Int32
	r, srv := serve(t, site{"/": flaky(&hits, answers(503, "text/html", "", "Retry-After", "5"))},
		func(c *Config) { c.Timeout = 4 * time.Second })
	p := r.Read(t.Context(), srv.URL+"/")
	if p.Status != StatusError || p.RetryAfter != 5*time.Second || hits.Load() != 1 {
		t.Errorf("%s, %q, %d requests", p.Status, p.Reason, hits.Load())
	}
}

// With IgnoreRobots, requested addresses and their redirects are read although robots.txt forbids it, and the page is
// marked. Copies of a page were not requested and are not read.
func TestReadIgnoringRobots(t *testing.T) {
	s := site{"/robots.txt": answers(200, "text/plain", "User-agent: *\nDisallow: /closed"), "/closed": page(article),
		"/open": page(article),
		"/to":   answers(302, "text/html", "", "Location", "/closed")}
	r, srv := serve(t, s, func(c *Config) { c.IgnoreRobots = true })
	for path, ignored := range map[string]bool{"/closed": true, "/open": false, "/to": true} {
		if p := r.Read(t.Context(), srv.URL+path); p.Status != StatusRead || p.RobotsIgnored != ignored || p.Via != "" {
			t.Errorf("%s: %s, %q, ignored %v, via %q", path, p.Status, p.Reason, p.RobotsIgnored, p.Via)
		}
	}
	w := &web{sites: map[string]http.HandlerFunc{
		"gone.example/a": answers(404, "text/html", ""),
		"wayback.example/wayback/available": answers(200, "application/json",
			`{"archived_snapshots":{"closest":{"available":true,"status":"200","timestamp":"20190304050607"}}}`),
		"web.archive.example/robots.txt":                                  answers(200, "text/plain", "User-agent: *\nDisallow: /"),
		"web.archive.example/web/20190304050607id_/http://gone.example/a": page(article)}}
	if p := onWeb(t, w, func(c *Config) { c.IgnoreRobots = true }).Read(t.Context(), "http://gone.example/a"); p.Status != StatusNotFound ||
		p.RobotsIgnored || w.has("id_") {
		t.Errorf("a copy: %s, %q, ignored %v", p.Status, p.Reason, p.RobotsIgnored)
	}
}
