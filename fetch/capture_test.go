package fetch

import (
	"compress/gzip"
	"crypto/sha256"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A page has a capture of its response: the decompressed body and the headers that describe it.
func TestReadCaptures(t *testing.T) {
	packed := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Date", "Thu, 01 Jan 2026 00:00:00 GMT")
		w.Header().Set("Etag", `"a1"`)
		w.Header().Set("Set-Cookie", "session=secret")
		w.Header().Set("Authorization", "Bearer secret")
		w.Header().Set("X-Session", "secret")
		w.Header().Set("Link", "<https://example.org/"+strings.Repeat("long", 300)+">; rel=canonical")
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte(article))
		_ = z.Close()
	}
	hop := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
	}
	r, srv := serve(t, site{"/page": packed, "/two": hop("/one"), "/one": hop("/page"), "/wall": page("<p>Please subscribe.</p>"),
		"/flood": func(w http.ResponseWriter, r *http.Request) {
			for range 20 {
				w.Header().Add("Vary", strings.Repeat("v", 1000))
			}
			page(article)(w, r)
		}}, func(c *Config) { c.KeepBody = 1 << 20 })

	got := r.Read(t.Context(), "http://user:secret@"+hostOf(srv)+"/two")
	want := &Capture{Status: 200, Accept: acceptPages, SHA256: sha256.Sum256([]byte(article)), Bytes: len(article), Body: []byte(article),
		Redirects: []string{srv.URL + "/two", srv.URL + "/one"},
		Header: http.Header{"Content-Encoding": {"gzip"}, "Content-Type": {"text/html"}, "Date": {"Thu, 01 Jan 2026 00:00:00 GMT"},
			"Etag":           {`"a1"`},
			"Content-Length": got.Capture.Header.Values("Content-Length")}}
	if diff := cmp.Diff(want, got.Capture); diff != "" {
		t.Errorf("through two redirects (-want +got):\n%s", diff)
	}

	if got = r.Read(t.Context(), srv.URL+"/wall"); got.Status == StatusRead || got.Capture != nil {
		t.Errorf("a page that was not read: %s, %v", got.Status, got.Capture)
	}
	bytes := 0
	for _, values := range r.Read(t.Context(), srv.URL+"/flood").Capture.Header {
		bytes += len(strings.Join(values, ""))
	}
	if bytes == 0 || bytes > maxCapturedHeader {
		t.Errorf("a flood of headers: %d bytes of them", bytes)
	}
}

func TestReadCapturesUpToALimit(t *testing.T) {
	for name, limit := range map[string]int64{"none": 0, "shorter than the page": int64(len(article)) - 1} {
		r, srv := serve(t, site{"/": page(article)}, func(c *Config) { c.KeepBody = limit })
		got := r.Read(t.Context(), srv.URL+"/").Capture
		if got == nil || got.Body != nil || got.Bytes != len(article) || got.SHA256 != sha256.Sum256([]byte(article)) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestReadCapturesFiles(t *testing.T) {
	dir := t.TempDir()
	r := reader(t, func(c *Config) { c.Corpus, c.KeepBody = []string{dir}, 1<<20 })
	got := r.Read(t.Context(), fileURL(write(t, filepath.Join(dir, "tides.html"), article)))
	want := &Capture{SHA256: sha256.Sum256([]byte(article)), Bytes: len(article), Body: []byte(article)}
	if diff := cmp.Diff(want, got.Capture); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
