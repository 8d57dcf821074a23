package httpcache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// server answers with a body and headers, and counts the requests.
type server struct {
	body    string
	headers []string
	etag    string // answered with 304 when a request has it
	err     error  // after the body
	hits    int
}

func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	s.hits++
	resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, ContentLength: -1, Request: req}
	for i := 0; i < len(s.headers); i += 2 {
		resp.Header.Set(s.headers[i], s.headers[i+1])
	}
	body := strings.NewReader(s.body)
	if s.etag != "" {
		resp.Header.Set("Etag", s.etag)
		if req.Header.Get("If-None-Match") == s.etag {
			resp.StatusCode = http.StatusNotModified
			body = strings.NewReader("")
		}
	}
	resp.Body = io.NopCloser(io.MultiReader(body, failing{s.err}))
	return resp, nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// cache returns a cache before a server, and its clock.
func cache(t *testing.T, s *server) (*Transport, *time.Time) {
	now := start
	return &Transport{Next: s, Dir: t.TempDir(), MaxBytes: 1 << 20, MaxBody: 1 << 10, Now: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler)}, &now
}

func get(t *testing.T, c *Transport, url string) (*http.Response, string) {
	t.Helper()
	resp, err := c.RoundTrip(httptest.NewRequest(http.MethodGet, url, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return resp, string(body)
}

const page = "http://host.example/page"

func TestFreshness(t *testing.T) {
	date := func(after time.Duration) string { return start.Add(after).Format(http.TimeFormat) }
	tests := []struct {
		name    string
		headers []string
		etag    string
		after   time.Duration
		hits    int  // of two requests
		stored  bool // the second response has the body of the first
	}{
		{"fresh", []string{"Cache-Control", "max-age=60"}, "", 59 * time.Second, 1, true},
		{"stale", []string{"Cache-Control", "max-age=60"}, "", 61 * time.Second, 2, false},
		{"aged on its way", []string{"Cache-Control", "max-age=60", "Age", "30"}, "", 31 * time.Second, 2, false},
		{"confirmed", []string{"Cache-Control", "no-cache"}, `"1"`, time.Second, 2, true},
		{"not to be stored", []string{"Cache-Control", "no-store, max-age=60"}, "", time.Second, 2, false},
		{"expires", []string{"Date", date(0), "Expires", date(time.Hour)}, "", time.Minute, 1, true},
		{"expired at once", []string{"Expires", "0"}, "", time.Second, 2, false},
		{"old and unchanged", []string{"Date", date(0), "Last-Modified", date(-100 * time.Hour)}, "", 9 * time.Hour, 1, true},
		{"no word about it", nil, "", time.Second, 2, false},
		{"depends on what we send alike", []string{"Cache-Control", "max-age=60", "Vary", "accept-encoding, Accept"}, "", time.Second, 1, true},
		{"depends on a cookie", []string{"Cache-Control", "max-age=60", "Vary", "Cookie"}, "", time.Second, 2, false},
		{"depends on everything", []string{"Cache-Control", "max-age=60", "Vary", "*"}, "", time.Second, 2, false},
		{"a forged time", []string{storedAt, start.Add(-time.Hour).Format(time.RFC3339)}, "", time.Second, 2, false},
		{"the clock was set back", []string{"Cache-Control", "max-age=60"}, "", -time.Second, 2, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &server{body: "a page", headers: tt.headers, etag: tt.etag}
			c, now := cache(t, s)
			get(t, c, page)
			*now = now.Add(tt.after)
			resp, body := get(t, c, page)
			at, stored := StoredAt(resp)
			if resp.StatusCode != 200 || body != "a page" || s.hits != tt.hits || stored != tt.stored || stored && !at.Equal(start) {
				t.Errorf("HTTP %d, %q, %d requests (want %d), stored %v at %s", resp.StatusCode, body, s.hits, tt.hits, stored, at)
			}
		})
	}
}

// A confirmed response is as fresh as the confirmation says.
func TestConfirmation(t *testing.T) {
	s := &server{body: "a page", etag: `"1"`, headers: []string{"Cache-Control", "max-age=60"}}
	c, now := cache(t, s)
	get(t, c, page)
	s.headers[1] = "max-age=600"
	*now = now.Add(61 * time.Second)
	get(t, c, page)
	*now = now.Add(599 * time.Second)
	if _, body := get(t, c, page); body != "a page" || s.hits != 2 {
		t.Errorf("%q after %d requests", body, s.hits)
	}
}

func TestIncompleteAndLongBodiesAreNotStored(t *testing.T) {
	for name, s := range map[string]*server{
		"cut":  {body: "half a", err: io.ErrUnexpectedEOF},
		"long": {body: strings.Repeat("x", 1<<10+1)},
	} {
		s.headers = []string{"Cache-Control", "max-age=600"}
		c, _ := cache(t, s)
		get(t, c, page)
		get(t, c, page)
		if s.hits != 2 {
			t.Errorf("a %s body was stored", name)
		}
	}
}

func TestSizeIsBounded(t *testing.T) {
	s := &server{body: strings.Repeat("x", 1000), headers: []string{"Cache-Control", "max-age=600"}}
	c, _ := cache(t, s)
	c.MaxBytes = 10_000
	for i := range 30 {
		get(t, c, fmt.Sprintf("%s%d", page, i))
	}
	size, files := int64(0), []string{}
	_ = filepath.WalkDir(c.Dir, func(name string, d fs.DirEntry, err error) error {
		if info, infoErr := d.Info(); errors.Join(err, infoErr) == nil && d.Type().IsRegular() {
			size, files = size+info.Size(), append(files, name)
		}
		return nil
	})
	if size > c.MaxBytes || len(files) < 4 {
		t.Errorf("%d files of %d bytes, the limit is %d", len(files), size, c.MaxBytes)
	}
	// Foreign content is not used.
	for _, name := range files {
		if err := os.WriteFile(name, []byte("{\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, body := get(t, c, page+"29"); body != s.body {
		t.Errorf("with a broken cache: %q", body)
	}
}
