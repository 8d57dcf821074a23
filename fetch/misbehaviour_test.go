package fetch

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// raw answers with given bytes, and then closes the connection, or waits for the client to do so.
func raw(answer string, closes bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, answer)
		if !closes {
			_, _ = io.Copy(io.Discard, rw)
		}
	}
}

// endless sends head, and then a piece repeatedly until the client disconnects.
func endless(head, piece string, pause time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, err = io.WriteString(conn, head)
		tick := time.NewTicker(max(pause, 1))
		defer tick.Stop()
		for err == nil {
			if pause > 0 {
				<-tick.C
			}
			_, err = io.WriteString(conn, piece)
		}
	}
}

// packed returns s, repeated, in a content coding.
func packed(t *testing.T, coding, s string, times int) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "deflate":
		w = zlib.NewWriter(&b)
	case "br":
		w = brotli.NewWriterLevel(&b, 5)
	case "zstd":
		zw, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w = zw
	}
	for range times {
		if _, err := io.WriteString(w, s); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// bomb returns a body that is too large after decompression.
func bomb(t *testing.T, coding string) string {
	t.Helper()
	times := 100 // MB; a page may have 20 MiB
	if testing.Short() {
		times = 25
	}
	return packed(t, coding, strings.Repeat("\x00", 1<<20), times)
}

// Misbehaving servers on a real socket give a page with a status and a reason. They cannot make the reader hang,
// exhaust memory, or pass as another page.
func TestReadMisbehaviour(t *testing.T) {
	const html = "text/html; charset=utf-8"
	ok := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
	quick := func(c *Config) { c.Timeout = 500 * time.Millisecond }
	patient := func(c *Config) { c.Timeout = time.Hour } // the machine may be busy
	gzipBomb := bomb(t, "gzip")
	coded := func(coding, body string) http.HandlerFunc {
		return answers(200, html, body, "Content-Encoding", coding)
	}
	to := func(where string) http.HandlerFunc { return answers(302, html, "", "Location", where) }
	size := func(n int) int {
		if testing.Short() { // as under the race detector, where parsing is ten times slower
			return n / 10
		}
		return n
	}
	nested := func() string { return strings.Repeat("<div>", size(200_000)) + "<p>" + longText }
	const cyrillic = "\xcf\xf0\xe8\xeb\xe8\xe2\xfb \xe2 \xe3\xe0\xe2\xe0\xed\xe8 \xe2\xfb\xf1\xee\xea\xe8, \xe8 " +
		"\xea\xee\xf0\xe0\xe1\xeb\xe8 \xe2\xf5\xee\xe4\xff\xf2. " // Windows-1251
	var bare bytes.Buffer
	w, _ := flate.NewWriter(&bare, -1)
	_, _ = io.WriteString(w, article)
	_ = w.Close()
	tests := []struct {
		name   string
		serve  http.HandlerFunc
		change func(*Config)
		status Status
		holds  string // the reason, or the text of a page that is read
	}{
		{"sends no byte", raw("", false), quick, StatusTimeout, "within the time"},
		{"stops in the page", raw(ok+"Content-Length: 10000\r\n\r\n"+article, false), quick, StatusTimeout, "within the time"},
		{"drips", endless(ok+"\r\n", "x", 5*time.Millisecond), quick, StatusTimeout, "within the time"},
		{"hangs up at once", raw("", true), nil, StatusError, "closed the connection"},
		{"cuts the page", raw(ok+"Content-Length: 10000\r\n\r\n"+article, true), nil, StatusError,
			"closed the connection before the page was whole"},
		{"cuts gzip", coded("gzip", packed(t, "gzip", article, 1)[:100]), nil, StatusError, "could not be unpacked: content encoding"},
		{"announces less than it sends", raw(fmt.Sprintf("%sContent-Length: %d\r\n\r\n%sHTTP/1.1 200 OK\r\n\r\nanother page", ok,
			len(article), article), true), nil, StatusRead, "tide tables"},
		{"announces too much", raw(ok+"Content-Length: 99999999999\r\n\r\n", false), nil, StatusError, "the limit is 20 MiB"},
		{"never ends", endless(ok+"\r\n", strings.Repeat("all work and no play ", 5_000), 0), nil, StatusError,
			"more than 20 MiB were sent"},
		{"never ends its headers", endless("HTTP/1.1 200 OK\r\n", "X-A: "+strings.Repeat("b", 1_000)+"\r\n", 0), nil, StatusError,
			"could not be read"},
		{"speaks another protocol", raw("SSH-2.0-OpenSSH_9.6\r\n", true), nil, StatusError, "could not be read"},
		{"sends a bomb by gzip", coded("gzip", gzipBomb), nil, StatusError, "more than 20 MiB after decompression"},
		{"sends a bomb by zstd", coded("zstd", bomb(t, "zstd")), nil, StatusError, "more than 20 MiB after decompression"},
		{"sends a bomb by deflate", coded("deflate", bomb(t, "deflate")), nil, StatusError, "more than 20 MiB after decompression"},
		{"sends a bomb in a bomb", coded("gzip", packed(t, "gzip", gzipBomb, 1)), nil, StatusUnsupported, "gzip"},
		{"sends gzip", coded("gzip", packed(t, "gzip", article, 1)), nil, StatusRead, "tide tables"},
		{"sends bytes after gzip", coded("gzip", packed(t, "gzip", article, 1)+"trailing bytes"), nil, StatusRead, "tide tables"},
		{"sends deflate with its head", coded("deflate", packed(t, "deflate", article, 1)), nil, StatusRead, "tide tables"},
		{"sends deflate without", coded("deflate", bare.String()), nil, StatusRead, "tide tables"},
		{"sends zstd", coded("zstd", packed(t, "zstd", article, 1)), nil, StatusRead, "tide tables"},
		{"says gzip and sends none", coded("gzip", article), nil, StatusRead, ""},
		{"packs twice", coded("gzip, gzip", "x"), nil, StatusError, "more than one"},
		{"says UTF-8 and sends Windows-1251", answers(200, html, "<title>x</title><p>"+strings.Repeat(cyrillic, 20)), nil, StatusRead,
			"Приливы в гавани высоки"},
		{"says that a page is a picture", answers(200, "image/png", article), nil, StatusUnsupported, "image/png is not read"},
		{"sends nothing", answers(204, html, ""), nil, StatusTooShort, "only 0 characters"},
		{"says unchanged without a condition", answers(304, html, ""), nil, StatusError, "HTTP 304"},
		{"redirects to itself", to("/"), nil, StatusError, "too many redirects: more than 10"},
		{"redirects ten times", func(w http.ResponseWriter, r *http.Request) {
			if len(r.URL.RawQuery) == maxRedirects {
				page(article)(w, r)
				return
			}
			to("/?"+r.URL.RawQuery+"x")(w, r)
		}, nil, StatusRead, "tide tables"},
		{"redirects nowhere", answers(302, html, ""), nil, StatusError, "without saying where to"},
		{"redirects to a broken address", to("http://[::1"), nil, StatusError, "could not be read"},
		{"redirects to a file", to("file:///etc/passwd"), nil, StatusBlocked, "only http and https"},
		{"nests 200,000 elements", func(w http.ResponseWriter, r *http.Request) { page(nested())(w, r) }, nil, StatusRead, "tide tables"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			change := []func(*Config){patient}
			if tt.change != nil {
				change = append(change, tt.change)
			}
			r, srv := serve(t, site{"/": tt.serve}, change...)
			p := r.Read(t.Context(), srv.URL+"/")
			said := p.Reason
			if p.Status == StatusRead {
				said = p.Text
			}
			if p.Status != tt.status || !strings.Contains(said, tt.holds) {
				t.Errorf("%s, %.300q; want %s, %q", p.Status, said, tt.status, tt.holds)
			}
			if p.Status != StatusRead && (p.Text != "" || strings.Contains(p.Reason, "\n") || len(p.Reason) > 400) {
				t.Errorf("text %.100q, reason %q", p.Text, p.Reason)
			}
		})
	}
}

// The page's deadline includes reading robots.txt.
func TestReadSlowRobots(t *testing.T) {
	r, srv := serve(t, site{"/": page(article), "/robots.txt": endless("HTTP/1.1 200 OK\r\n\r\n", "x", 5*time.Millisecond)},
		func(c *Config) { c.Timeout = 300 * time.Millisecond })
	if p := r.Read(t.Context(), srv.URL+"/"); p.Status != StatusTimeout {
		t.Errorf("%s, %s", p.Status, p.Reason)
	}
}

// HTTP/2 is used if the server supports it, with the same limits. An unknown certificate is an error.
func TestReadHTTP2(t *testing.T) {
	var protocol string
	srv := httptest.NewUnstartedServer(site{
		"/page": func(w http.ResponseWriter, r *http.Request) { protocol = r.Proto; page(article)(w, r) },
		"/gzip": answers(200, "text/html", bomb(t, "gzip"), "Content-Encoding", "gzip"),
	})
	srv.EnableHTTP2 = true
	srv.StartTLS()
	defer srv.Close()
	for _, tt := range []struct {
		path   string
		trusts bool
		status Status
		reason string
	}{{"/page", false, StatusError, "certificate"}, {"/page", true, StatusRead, ""}, {"/gzip", true, StatusError, "after decompression"}} {
		r := reader(t, func(c *Config) { c.AllowPrivate = []string{strings.TrimPrefix(srv.URL, "https://")} })
		if tt.trusts {
			trust(r, srv)
		}
		if p := r.Read(t.Context(), srv.URL+tt.path); p.Status != tt.status || !strings.Contains(p.Reason, tt.reason) {
			t.Errorf("%s: %s, %q", tt.path, p.Status, p.Reason)
		}
	}
	if protocol != "HTTP/2.0" {
		t.Errorf("read by %s", protocol)
	}
}
