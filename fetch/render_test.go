package fetch

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/address"
)

// fakeBrowser renders every page to a fixed result, and records its calls.
type fakeBrowser struct {
	got    Rendered
	err    error
	visits []string // documents for which it calls allow; empty: the address itself
	asked  []string
	closed bool
}

func (s *fakeBrowser) Render(ctx context.Context, target *url.URL, allow func(context.Context, *url.URL) error) (Rendered, error) {
	s.asked = append(s.asked, target.Path)
	visits := s.visits
	if len(visits) == 0 {
		visits = []string{target.String()}
	}
	for _, raw := range visits {
		u, err := url.Parse(raw)
		if err != nil {
			return Rendered{}, err
		}
		if err := allow(ctx, u); err != nil {
			return Rendered{}, err
		}
	}
	if s.err != nil {
		return Rendered{}, s.err
	}
	got := s.got
	if got.FinalURL == "" {
		got.FinalURL = target.String()
	}
	return got, nil
}

func (s *fakeBrowser) Close() error {
	s.closed = true
	return nil
}

const scriptShell = `<!doctype html><title>App</title><div id=app></div><script type=module src=/app.js></script>`

// Only pages that need their scripts are rendered.
func TestWhichPagesAreRendered(t *testing.T) {
	rendered := &fakeBrowser{got: Rendered{HTTPStatus: 200, HTML: []byte(article)}}
	tests := []struct {
		path   string
		serve  http.HandlerFunc
		status Status
		via    string
	}{
		{"/shell", page(scriptShell), StatusRead, ViaBrowser},
		{"/wall", page("<p>" + strings.Repeat("Please enable JavaScript in your browser to use this site. ", 6) + "</p>"), StatusRead,
			ViaBrowser},
		{"/article", page(article + "<script>x()</script>"), StatusRead, ""},
		{"/short", page("<p>Nothing to see.</p>"), StatusTooShort, ""},
		{"/challenge", page("<title>Just a moment...</title><script>x()</script>"), StatusBlocked, ""},
		{"/robots/page", page(scriptShell), StatusRobots, ""},
	}
	pages := site{"/robots.txt": answers(200, "text/plain", "User-agent: *\nDisallow: /robots")}
	for _, tt := range tests {
		pages[tt.path] = tt.serve
	}
	r, srv := serve(t, pages, func(c *Config) { c.Renderer = rendered })
	var want []string
	for _, tt := range tests {
		got := r.Read(t.Context(), srv.URL+tt.path)
		if got.Status != tt.status || got.Via != tt.via {
			t.Errorf("%s: %s via %q, want %s via %q; %s", tt.path, got.Status, got.Via, tt.status, tt.via, got.Reason)
		}
		if tt.via != "" {
			want = append(want, tt.path)
			if !strings.Contains(got.Text, "tide tables") || got.HTTPStatus != 200 || got.NeedsScript {
				t.Errorf("%s: %+v", tt.path, got)
			}
		}
	}
	if diff := cmp.Diff(want, rendered.asked); diff != "" {
		t.Errorf("shown to the browser (-want +got)\n%s", diff)
	}
	if err := r.Close(); err != nil || !rendered.closed {
		t.Errorf("Close = %v, and the browser is closed: %v", err, rendered.closed)
	}
}

func TestRenderOutcomes(t *testing.T) {
	tests := []struct {
		name        string
		fakeBrowser fakeBrowser
		status      Status
		reason      string
	}{
		{"a text", fakeBrowser{got: Rendered{HTTPStatus: 200, HTML: []byte(article)}}, StatusRead, ""},
		{"nothing", fakeBrowser{got: Rendered{HTTPStatus: 200, HTML: []byte("<p>Loading")}}, StatusTooShort,
			"a browser gave the same result"},
		{"a bot check", fakeBrowser{got: Rendered{HTTPStatus: 200, HTML: []byte("<title>Just a moment...</title>")}}, StatusBlocked,
			"bot check"},
		{"no page", fakeBrowser{got: Rendered{HTTPStatus: 404, HTML: []byte(article)}}, StatusNotFound, "404"},
		{"an end", fakeBrowser{err: errors.New("the browser crashed")}, StatusTooShort,
			"the browser failed as well: the page could not be read: the browser crashed"},
		{"a refused address", fakeBrowser{err: &address.ForbiddenError{Address: "rebound.example (10.0.0.1)", Rule: "it is private"}},
			StatusBlocked, "rebound.example (10.0.0.1) is not dialled"},
		{"a document that robots.txt forbids", fakeBrowser{visits: []string{"/app", "/robots/page"}}, StatusRobots,
			"forbids automatic reading"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fakeBrowser := tt.fakeBrowser
			r, srv := serve(t, site{
				"/robots.txt": answers(200, "text/plain", "User-agent: *\nDisallow: /robots"),
				"/app":        page(scriptShell),
			}, func(c *Config) { c.Renderer = &fakeBrowser })
			for i, raw := range fakeBrowser.visits {
				if strings.HasPrefix(raw, "/") {
					fakeBrowser.visits[i] = srv.URL + raw
				}
			}
			got := r.Read(t.Context(), srv.URL+"/app")
			if got.Status != tt.status || !strings.Contains(got.Reason, tt.reason) || (got.Status == StatusRead) != (got.Text != "") {
				t.Errorf("Read = %s, %q, want %s and %q", got.Status, got.Reason, tt.status, tt.reason)
			}
		})
	}
}

func TestNoBrowser(t *testing.T) {
	r, srv := serve(t, site{"/app": page(scriptShell)})
	if got := r.Read(t.Context(), srv.URL+"/app"); got.Status != StatusTooShort || !got.NeedsScript ||
		!strings.Contains(got.Reason, "CITELOOP_BROWSER=chromium") {
		t.Errorf("Read without a browser = %+v", got)
	}
	late := &fakeBrowser{}
	r, srv = serve(t, site{"/app": page(scriptShell)}, func(c *Config) { c.Renderer, c.Timeout = late, 2*time.Second })
	if got := r.Read(t.Context(), srv.URL+"/app"); !strings.Contains(got.Reason, "no time was left") || len(late.asked) != 0 {
		t.Errorf("Read without time = %+v", got)
	}
}
