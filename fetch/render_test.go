package fetch

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
)

// fakeBrowser renders every page to a fixed result, and records its calls.
type fakeBrowser struct {
	got    Rendered
	err    error
	visits string // a document for which it calls allow
	asked  []string
	closed bool
}

func (s *fakeBrowser) Render(ctx context.Context, target *url.URL, allow func(context.Context, *url.URL) error) (Rendered, error) {
	s.asked = append(s.asked, target.Path)
	next, err := target.Parse(s.visits)
	if err := errors.Join(err, allow(ctx, target), allow(ctx, next), s.err); err != nil {
		return Rendered{}, err
	}
	got := s.got
	got.FinalURL = target.String()
	return got, nil
}

func (s *fakeBrowser) Close() error {
	s.closed = true
	return nil
}

// Only pages that need their scripts are rendered, and what comes of it is classified like any page.
func TestRender(t *testing.T) {
	shell := page(`<!doctype html><title>App</title><div id=app></div><script type=module src=/app.js></script>`)
	pages := site{"/robots.txt": says("User-agent: *\nDisallow: /robots"), "/shell": shell, "/robots/page": shell,
		"/wall":      page("<p>" + strings.Repeat("Please enable JavaScript in your browser to use this site. ", 6) + "</p>"),
		"/article":   page(article + "<script>x()</script>"),
		"/short":     page("<p>Nothing to see.</p>"),
		"/challenge": page("<title>Just a moment...</title><script>x()</script>")}
	renders := func(status int, html string) *fakeBrowser {
		return &fakeBrowser{got: Rendered{HTTPStatus: status, HTML: []byte(html)}}
	}
	for _, tt := range []struct {
		name, path string
		browser    *fakeBrowser
		status     Status
		reason     string
		via        string
		asked      bool
	}{
		{"a shell", "/shell", renders(200, article), StatusRead, "", ViaBrowser, true},
		{"a wall of scripts", "/wall", renders(200, article), StatusRead, "", ViaBrowser, true},
		{"an article", "/article", renders(200, "x"), StatusRead, "", "", false},
		{"a short page", "/short", renders(200, article), StatusTooShort, "", "", false},
		{"a bot check", "/challenge", renders(200, article), StatusBlocked, "", "", false},
		{"what robots.txt forbids", "/robots/page", renders(200, article), StatusRobots, "", "", false},
		{"nothing", "/shell", renders(200, "<p>Loading"), StatusTooShort, "a browser gave the same result", ViaBrowser, true},
		{"a bot check behind it", "/shell", renders(200, "<title>Just a moment...</title>"), StatusBlocked, "bot check", ViaBrowser, true},
		{"no page behind it", "/shell", renders(404, article), StatusNotFound, "404", ViaBrowser, true},
		{"an end", "/shell", &fakeBrowser{err: errors.New("the browser crashed")}, StatusTooShort,
			"the browser failed as well: the page could not be read: the browser crashed", "", true},
		{"a refused address", "/shell", &fakeBrowser{err: &address.ForbiddenError{Address: "rebound.example", Rule: "it is private"}},
			StatusBlocked, "rebound.example is not dialled", "", true},
		{"a document that robots.txt forbids", "/shell", &fakeBrowser{visits: "/robots/page"}, StatusRobots, "forbids automatic reading",
			"", true},
		{"a document that is private", "/shell", &fakeBrowser{visits: "http://10.0.0.1/"}, StatusBlocked, "private", "", true},
	} {
		r, srv := serve(t, pages, func(c *Config) { c.Renderer = tt.browser })
		got := r.Read(t.Context(), srv.URL+tt.path)
		if got.Status != tt.status || got.Via != tt.via || !strings.Contains(got.Reason, tt.reason) ||
			(got.Status == StatusRead) != (got.Text != "") || slices.Equal(tt.browser.asked, []string{tt.path}) != tt.asked {
			t.Errorf("%s: %s via %q, %q, asked for %v; want %s via %q", tt.name, got.Status, got.Via, got.Reason, tt.browser.asked,
				tt.status, tt.via)
		}
		if err := r.Close(); err != nil || !tt.browser.closed {
			t.Errorf("Close = %v, and the browser is closed: %v", err, tt.browser.closed)
		}
	}
	r, srv := serve(t, pages)
	if got := r.Read(t.Context(), srv.URL+"/shell"); got.Status != StatusTooShort || !got.NeedsScript ||
		!strings.Contains(got.Reason, "CITELOOP_BROWSER=chromium") {
		t.Errorf("without a browser: %+v", got)
	}
	late := renders(200, article)
	r, srv = serve(t, pages, func(c *Config) { c.Renderer, c.Timeout = late, 2*time.Second })
	if got := r.Read(t.Context(), srv.URL+"/shell"); !strings.Contains(got.Reason, "no time was left") || len(late.asked) != 0 {
		t.Errorf("without time: %+v", got)
	}
}
