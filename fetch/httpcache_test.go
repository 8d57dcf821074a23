package fetch

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestReadFromCache(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	conditional := func(etag string) func(w http.ResponseWriter, r *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Etag", etag)
			if r.Header.Get("If-None-Match") != etag {
				return false
			}
			w.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	tests := []struct {
		name    string
		headers []string
		after   time.Duration
		check   func(w http.ResponseWriter, r *http.Request) bool
		hits    int32 // of two readings
		stored  bool  // the second read has the time of the first
	}{
		{"fresh", []string{"Cache-Control", "max-age=60"}, 59 * time.Second, nil, 1, true},
		{"stale", []string{"Cache-Control", "max-age=60"}, 61 * time.Second, nil, 2, false},
		{"aged on its way", []string{"Cache-Control", "max-age=60", "Age", "30"}, 31 * time.Second, nil, 2, false},
		{"confirmed", []string{"Cache-Control", "no-cache"}, time.Second, conditional(`"1"`), 2, true},
		{"not to be stored", []string{"Cache-Control", "no-store, max-age=60"}, time.Second, nil, 2, false},
		{"expires", []string{"Date", start.Format(http.TimeFormat), "Expires", start.Add(time.Hour).Format(http.TimeFormat)}, time.Minute, nil, 1, true},
		{"expired at once", []string{"Expires", "0"}, time.Second, nil, 2, false},
		{"old and unchanged", []string{"Date", start.Format(http.TimeFormat), "Last-Modified", start.Add(-100 * time.Hour).Format(http.TimeFormat)}, 9 * time.Hour, nil, 1, true},
		{"no word about it", nil, time.Second, nil, 2, false},
		{"depends on what we send alike", []string{"Cache-Control", "max-age=60", "Vary", "Accept-Encoding, Accept"}, time.Second, nil, 1, true},
		{"depends on everything", []string{"Cache-Control", "max-age=60", "Vary", "*"}, time.Second, nil, 2, false},
		{"a forged time", []string{storedHeader, start.Add(-time.Hour).Format(time.RFC3339)}, time.Second, nil, 2, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var hits atomic.Int32
			now := start
			handler := func(w http.ResponseWriter, r *http.Request) {
				hits.Add(1)
				if tt.check != nil && tt.check(w, r) {
					return
				}
				answers(200, "text/html", article, tt.headers...)(w, r)
			}
			r, srv := serve(t, site{"/": handler}, func(c *Config) {
				c.PageCache, c.Now = filepath.Join(t.TempDir(), "pages"), func() time.Time { return now }
			})
			first := r.Read(t.Context(), srv.URL+"/")
			now = now.Add(tt.after)
			second := r.Read(t.Context(), srv.URL+"/")
			if first.Text != second.Text || second.Status != StatusRead || second.HTTPStatus != 200 || hits.Load() != tt.hits {
				t.Errorf("%s, %d, %d requests, want %d", second.Status, second.HTTPStatus, hits.Load(), tt.hits)
			}
			if want := first.FetchedAt; tt.stored != second.FetchedAt.Equal(want) {
				t.Errorf("read at %s, first at %s", second.FetchedAt, want)
			}
		})
	}
}

func TestCacheIsBounded(t *testing.T) {
	dir := t.TempDir()
	r, srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		answers(200, "text/html", article+strings.Repeat("<!-- padding -->", 1_000), "Cache-Control", "max-age=600")(w, r)
	}), func(c *Config) { c.PageCache, c.PageCacheBytes = dir, 100_000 })
	for _, path := range strings.Split("a b c d e f g h i j k l", " ") {
		if p := r.Read(t.Context(), srv.URL+"/"+path); p.Status != StatusRead {
			t.Fatal(p.Reason)
		}
	}
	size, files := int64(0), 0
	_ = filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			size, files = size+info.Size(), files+1
		}
		return nil
	})
	if size > 100_000 || files == 0 {
		t.Errorf("%d files of %d bytes, the limit is 100,000", files, size)
	}
	// Foreign files in the folder are ignored.
	_ = filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			return os.WriteFile(name, []byte("{\n"), 0o600)
		}
		return nil
	})
	if p := r.Read(t.Context(), srv.URL+"/l"); p.Status != StatusRead {
		t.Errorf("with a broken cache: %s, %q", p.Status, p.Reason)
	}
}

// Truncated bodies are not stored.
func TestCacheStoresOnlyCompleteBodies(t *testing.T) {
	var hits atomic.Int32
	cut := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=600")
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Length", "100000")
		_, _ = w.Write([]byte(article))
	}
	r, srv := serve(t, site{"/": flaky(&hits, cut, page(article))}, func(c *Config) { c.PageCache = t.TempDir() })
	if p := r.Read(t.Context(), srv.URL+"/"); p.Status == StatusRead {
		t.Errorf("a cut page was read: %d characters", p.Chars)
	}
	if p := r.Read(t.Context(), srv.URL+"/"); p.Status != StatusRead || hits.Load() != 2 {
		t.Errorf("%s after %d requests", p.Status, hits.Load())
	}
}

// A response that varies by a header is not used for another value of it. A validated entry gets the headers of the
// validation.
func TestCacheVaryAndValidation(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var asked []string
	server := roundTrip(func(req *http.Request) (*http.Response, error) {
		asked = append(asked, req.Header.Get("Accept-Language")+" "+req.Header.Get("If-Modified-Since"))
		h := http.Header{"Vary": {"Accept-Language", "accept-encoding"}, "Cache-Control": {"max-age=60"}, "Last-Modified": {"Mon, 01 Dec 2025 00:00:00 GMT"}}
		if req.Header.Get("If-Modified-Since") != "" {
			h.Set("Cache-Control", "max-age=600")
			return &http.Response{StatusCode: http.StatusNotModified, Header: h, Body: http.NoBody, Request: req}, nil
		}
		body := "in " + req.Header.Get("Accept-Language")
		return &http.Response{StatusCode: 200, Header: h, ContentLength: int64(len(body)), Body: io.NopCloser(strings.NewReader(body)), Request: req}, nil
	})
	c := &httpCache{next: server, dir: t.TempDir(), limit: 1 << 20, body: 1 << 20, now: func() time.Time { return now }, logger: slog.New(slog.DiscardHandler)}
	get := func(language string, after time.Duration, wantBody, wantAsked string) {
		t.Helper()
		now, asked = now.Add(after), nil
		req := httptest.NewRequest(http.MethodGet, "http://host.example/", nil)
		req.Header.Set("Accept-Language", language)
		resp, err := c.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || string(body) != wantBody || strings.Join(asked, ",") != wantAsked {
			t.Errorf("%q, %v, asked %q; want %q, asked %q", body, err, asked, wantBody, wantAsked)
		}
	}
	get("de", 0, "in de", "de ")
	get("de", 30*time.Second, "in de", "")
	get("fr", 0, "in fr", "fr ")
	get("fr", 59*time.Second, "in fr", "")
	get("fr", 2*time.Second, "in fr", "fr Mon, 01 Dec 2025 00:00:00 GMT")
	get("fr", 500*time.Second, "in fr", "") // by the lifetime of the confirmation
	get("de", 0, "in de", "de ")
}
