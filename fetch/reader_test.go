package fetch

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// prose is long enough to be a source.
var longText = strings.Repeat("The tide tables of the harbour were printed every year until 1931. ", 8)

// article is a page with longText.
var article = "<!doctype html><html lang=en><title>Tide tables</title><body><article><h1>Tide tables</h1><p>" + longText + "</p></article>"

// serve starts a server on loopback, and returns a reader that may read this private address and no other.
func serve(t *testing.T, h http.Handler, change ...func(*Config)) (*Reader, *httptest.Server) {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return reader(t, append([]func(*Config){func(c *Config) { c.AllowPrivate = append(c.AllowPrivate, hostOf(srv)) }}, change...)...), srv
}

func reader(t *testing.T, change ...func(*Config)) *Reader {
	t.Helper()
	cfg := Config{UserAgent: "citeloop/0.1 (+https://example.org)", Timeout: time.Hour, Proxy: noProxy, Pause: -1, CacheDir: testCacheDir()}
	for _, f := range change {
		f(&cfg)
	}
	r, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.transport.CloseIdleConnections)
	return r
}

// testCacheDir is the same in every run, so that the PDF library is compiled once.
func testCacheDir() string { return filepath.Join(os.TempDir(), "citeloop-test-wazero") }

func noProxy(*url.URL) (*url.URL, error) { return nil, nil }

func hostOf(srv *httptest.Server) string { return strings.TrimPrefix(srv.URL, "http://") }

// site answers the given paths, and 404 for all others, including robots.txt.
type site map[string]http.HandlerFunc

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h, ok := s[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h(w, r)
}

func answers(status int, contentType, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func page(body string) http.HandlerFunc { return answers(200, "text/html; charset=utf-8", body) }

func TestReadStatuses(t *testing.T) {
	html := "text/html; charset=utf-8"
	tests := []struct {
		path   string
		serve  http.HandlerFunc
		status Status
		code   int
		reason string
	}{
		{"/article", page(article), StatusRead, 200, ""},
		{"/notes.md", answers(200, "text/plain", "# Notes\n\n"+longText), StatusRead, 200, ""},
		{"/short", page("<p>Nothing to see.</p>"), StatusTooShort, 200, "only 15 characters of text"},
		{"/missing", http.NotFound, StatusNotFound, 404, "no page"},
		{"/forbidden", answers(403, html, "no"), StatusBlocked, 403, "refuses automatic readers"},
		{"/legal", answers(451, html, ""), StatusBlocked, 451, "legal"},
		{"/busy", answers(429, html, "", "Retry-After", "120"), StatusBlocked, 429, "try again after 2m0s"},
		{"/away", answers(503, html, "", "Date", "Thu, 01 Jan 2026 00:00:00 GMT", "Retry-After", "Thu, 01 Jan 2026 00:01:00 GMT"),
			StatusError, 503, "try again after 1m0s"},
		{"/broken", answers(500, html, ""), StatusError, 500, "failed to answer"},
		{"/challenge", answers(403, html, "<title>Just a moment...</title>"), StatusBlocked, 403, "bot check"},
		{"/pdf", answers(200, "application/pdf", "%PDF-1.7 binary"), StatusUnsupported, 200, "the PDF could not be parsed"},
		{"/json", answers(200, "application/json", `{"a":1}`), StatusUnsupported, 200, "application/json"},
		{"/shell", page("<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript>"), StatusTooShort, 200,
			"needs JavaScript"},
		{"/wall", page(`<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script><p>` + longText +
			"</p>"), StatusPaywalled, 200, "preview of"},
	}
	pages := site{}
	for _, tt := range tests {
		pages[tt.path] = tt.serve
	}
	for _, tt := range tests {
		t.Run(strings.TrimPrefix(tt.path, "/"), func(t *testing.T) {
			r, srv := serve(t, pages, func(c *Config) {
				c.Now = func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
			})
			p := r.Read(t.Context(), srv.URL+tt.path)
			if p.Status != tt.status || p.HTTPStatus != tt.code || !strings.Contains(p.Reason, tt.reason) ||
				(p.Reason == "") != (tt.status == StatusRead) {
				t.Errorf("%s: %s, %d, %q; want %s, %d, %q", tt.path, p.Status, p.HTTPStatus, p.Reason, tt.status, tt.code, tt.reason)
			}
			if (p.Text != "") != (tt.status == StatusRead) {
				t.Errorf("%s: status %s with a text of %d bytes", tt.path, p.Status, len(p.Text))
			}
		})
	}
}

func TestReadPage(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	r, srv := serve(t, site{
		"/old": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://ada:secret@"+r.Host+"/article", http.StatusMovedPermanently)
		},
		"/article": func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get("User-Agent"); got != "citeloop/0.1 (+https://example.org)" {
				t.Errorf("User-Agent: %s", got)
			}
			if r.Header.Get("Authorization")+r.Header.Get("Referer") != "" || !strings.HasPrefix(r.Header.Get("Accept"), "text/markdown") {
				t.Errorf("headers %v", r.Header)
			}
			page(article)(w, r)
		},
	}, func(c *Config) { c.Now = func() time.Time { return now } })
	withUser := strings.Replace(srv.URL, "http://", "http://me:secret@", 1)
	got := r.Read(t.Context(), withUser+"/old#part")
	text := "# Tide tables\n\n" + strings.TrimSpace(longText)
	want := Page{
		URL: srv.URL + "/old#part", FinalURL: srv.URL + "/article", Status: StatusRead, HTTPStatus: 200, FetchedAt: now,
		Capture: &Capture{Status: 200, Redirects: []string{srv.URL + "/old"}, SHA256: sha256.Sum256([]byte(article)), Bytes: len(article)},
		Document: document.Document{Head: document.Head{Title: "Tide tables", Language: "en", ContentType: "text/html"}, Text: text,
			Chars: len(text)},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Read (-want +got):\n%s", d)
	}
}

// A site that redirects until it gets its cookie back is read, and the cookie is not kept for the next page.
func TestReadCookieRedirect(t *testing.T) {
	var withCookie atomic.Int32
	r, srv := serve(t, site{"/": func(w http.ResponseWriter, r *http.Request) {
		if _, err := r.Cookie("seen"); err != nil {
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
			http.Redirect(w, r, "/", http.StatusFound)
			return
		}
		withCookie.Add(1)
		page(article)(w, r)
	}})
	for range 2 {
		if p := r.Read(t.Context(), srv.URL+"/"); p.Status != StatusRead {
			t.Fatalf("%s, %s", p.Status, p.Reason)
		}
	}
	if n := withCookie.Load(); n != 2 {
		t.Errorf("%d pages, want 2", n)
	}
}

func TestReadAll(t *testing.T) {
	var now, most atomic.Int32
	r, srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" || r.URL.Path == "/p7" {
			http.NotFound(w, r)
			return
		}
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		page(strings.Replace(article, "Tide tables", r.URL.Path, 1))(w, r)
	}))
	var urls []string
	for i := range 20 {
		urls = append(urls, fmt.Sprintf("%s/p%d", srv.URL, i))
	}
	urls[11] = "http://10.0.0.1/"
	told := map[int]Status{} // the race detector finds two calls at once
	pages := r.ReadAll(t.Context(), urls, func(i int, p Page) { told[i] = p.Status })
	for i, p := range pages {
		want := StatusRead
		switch i {
		case 7:
			want = StatusNotFound
		case 11:
			want = StatusBlocked
		}
		if p.Status != want || p.URL != urls[i] || told[i] != want {
			t.Errorf("%d: %s, told %s, want %s (%s, %s)", i, p.Status, told[i], want, p.URL, p.Reason)
		}
	}
	if most.Load() > 2 {
		t.Errorf("%d requests at once, the limit is 2", most.Load())
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for i, p := range r.ReadAll(ended, urls[:2], nil) {
		if p.Status != StatusTimeout || p.Reason == "" {
			t.Errorf("%d when time is up: %s, %q", i, p.Status, p.Reason)
		}
	}
}

// Concurrent reads of one address share a request, and a caller that leaves does not cancel it for the other.
func TestReadShares(t *testing.T) {
	arrived, proceed := make(chan struct{}), make(chan struct{})
	var requests atomic.Int32
	r, srv := serve(t, site{"/": func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			close(arrived)
		}
		<-proceed
		page(article)(w, r)
	}})
	leaving, leave := context.WithCancel(t.Context())
	first, second := make(chan Page, 1), make(chan Page, 1)
	go func() { first <- r.Read(leaving, srv.URL+"/#a") }()
	<-arrived
	go func() { second <- r.Read(t.Context(), srv.URL+"/#b") }()
	leave()
	if p := <-first; p.Status != StatusTimeout {
		t.Errorf("the caller that left: %s, %s", p.Status, p.Reason)
	}
	close(proceed)
	if p := <-second; p.Status != StatusRead {
		t.Errorf("the caller that stayed: %s, %s", p.Status, p.Reason)
	}
}

// A text that a limit cut short says so.
func TestCutTextsSayWhy(t *testing.T) {
	items := strings.Repeat("<item><title>An entry of the harbour log</title></item>", 5_000)
	feed := "<rss version=\"2.0\"><channel><title>Log</title>" + items + "</channel></rss>"
	page := reader(t).Examine(t.Context(), document.TypeRSS, []byte(feed),
		&url.URL{Scheme: "https", Host: "a.example"})
	if page.Status != StatusRead || !strings.Contains(page.Reason, "only the first") {
		t.Errorf("%s, %q", page.Status, page.Reason)
	}
}
