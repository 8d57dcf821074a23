package fetch

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// What servers answer, on a real socket, becomes a page with a status and a reason. They cannot make the reader hang, exhaust
// memory, or pass as another page.
func TestReadServers(t *testing.T) {
	ok := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
	gzipBomb := bomb(t, "gzip")
	coded := func(coding, body string) http.HandlerFunc {
		return answers(200, typeHTML, body, "Content-Encoding", coding)
	}
	packedAs := func(coding string) http.HandlerFunc { return coded(coding, packed(t, coding, article, 1)) }
	depth := 200_000
	if testing.Short() { // as under the race detector, where parsing is ten times slower
		depth /= 10
	}
	const cyrillic = "\xcf\xf0\xe8\xeb\xe8\xe2\xfb \xe2 \xe3\xe0\xe2\xe0\xed\xe8 \xe2\xfb\xf1\xee\xea\xe8, \xe8 " +
		"\xea\xee\xf0\xe0\xe1\xeb\xe8 \xe2\xf5\xee\xe4\xff\xf2. " // Windows-1251
	var bare bytes.Buffer
	w, _ := flate.NewWriter(&bare, -1)
	_, _ = io.WriteString(w, article)
	_ = w.Close()
	type handlers = []http.HandlerFunc // for one request after the other; the last one repeats
	tests := []struct {
		name     string
		serve    handlers
		status   Status
		holds    string // the reason, or the text of a page that is read
		requests int32  // 0: any number
	}{
		{"a page", handlers{page(article)}, StatusRead, "tide tables", 1},
		{"Markdown", handlers{answers(200, "text/plain", "# Notes\n\n"+longText)}, StatusRead, "# Notes", 1},
		{"a short page", handlers{page("<p>Nothing to see.</p>")}, StatusTooShort, "only 15 characters of text", 1},
		{"no page", handlers{http.NotFound}, StatusNotFound, "no page at this address (HTTP 404)", 1},
		{"forbidden", handlers{answers(403, typeHTML, "no")}, StatusBlocked, "refuses automatic readers", 1},
		{"legal reasons", handlers{answers(451, typeHTML, "")}, StatusBlocked, "legal", 1},
		{"a bot check", handlers{answers(403, typeHTML, "<title>Just a moment...</title>")}, StatusBlocked, "bot check", 1},
		{"damaged", handlers{answers(200, "application/pdf", "%PDF-1.7 binary")}, StatusUnsupported, "the PDF could not be parsed", 1},
		{"data", handlers{answers(200, "application/json", `{"a":1}`)}, StatusUnsupported, "application/json", 1},
		{"a shell", handlers{page("<div id=root></div><noscript>You need to enable JavaScript to run this app.</noscript>")},
			StatusTooShort, "needs JavaScript", 1},
		{"not free", handlers{page(`<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script><p>` +
			longText)}, StatusPaywalled, "preview of", 1},

		{"cuts the first connection", handlers{raw("", true), page(article)}, StatusRead, "", 2},
		{"fails twice", handlers{answers(502, typeHTML, ""), answers(504, typeHTML, ""), page(article)}, StatusRead, "", 3},
		{"asks for a short pause", handlers{answers(429, typeHTML, "", "Retry-After", "1"), page(article)}, StatusRead, "", 2},
		{"asks for a long pause", handlers{answers(429, typeHTML, "", "Retry-After", "120")}, StatusBlocked, "try again after 2m0s", 1},
		{"is away until a date", handlers{answers(503, typeHTML, "", "Date", "Thu, 01 Jan 2026 00:00:00 GMT", "Retry-After",
			"Thu, 01 Jan 2026 00:01:00 GMT")}, StatusError, "try again after 1m0s", 1},
		{"has a fault", handlers{answers(500, typeHTML, "")}, StatusError, "failed to answer", 1},

		{"sends no byte", handlers{raw("", false)}, StatusTimeout, "within the time", 0},
		{"stops in the page", handlers{raw(ok+"Content-Length: 10000\r\n\r\n"+article, false)}, StatusTimeout, "within the time", 0},
		{"drips", handlers{endless(ok+"\r\n", "x", 5*time.Millisecond)}, StatusTimeout, "within the time", 0},
		{"hangs up", handlers{raw("", true)}, StatusError, "closed the connection", 0},
		{"cuts the page", handlers{raw(ok+"Content-Length: 10000\r\n\r\n"+article, true)}, StatusError,
			"closed the connection before the page was whole", 0},
		{"cuts gzip", handlers{coded("gzip", packed(t, "gzip", article, 1)[:100])}, StatusError,
			"could not be unpacked: content encoding", 0},
		{"announces less than it sends", handlers{raw(fmt.Sprintf("%sContent-Length: %d\r\n\r\n%sHTTP/1.1 200 OK\r\n\r\nanother page", ok,
			len(article), article), true)}, StatusRead, "tide tables", 0},
		{"announces too much", handlers{raw(ok+"Content-Length: 99999999999\r\n\r\n", false)}, StatusError, "the limit is 20 MiB", 0},
		{"never ends", handlers{endless(ok+"\r\n", strings.Repeat("all work and no play ", 5_000), 0)}, StatusError,
			"more than 20 MiB were sent", 0},
		{"plays without an end", handlers{endless("HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n", "x", 5*time.Millisecond)},
			StatusUnsupported, "not read", 0},
		{"never ends its headers", handlers{endless("HTTP/1.1 200 OK\r\n", "X-A: "+strings.Repeat("b", 1_000)+"\r\n", 0)}, StatusError,
			"could not be read", 0},
		{"speaks another protocol", handlers{raw("SSH-2.0-OpenSSH_9.6\r\n", true)}, StatusError, "could not be read", 0},
		{"sends a bomb by gzip", handlers{coded("gzip", gzipBomb)}, StatusError, "more than 20 MiB after decompression", 0},
		{"sends a bomb by zstd", handlers{coded("zstd", bomb(t, "zstd"))}, StatusError, "more than 20 MiB after decompression", 0},
		{"sends a bomb by brotli", handlers{coded("br", bomb(t, "br"))}, StatusError, "more than 20 MiB after decompression", 0},
		{"sends a bomb in a bomb", handlers{coded("gzip", packed(t, "gzip", gzipBomb, 1))}, StatusUnsupported, "gzip", 0},
		{"sends gzip in two parts", handlers{coded("gzip", packed(t, "gzip", article, 1)+
			packed(t, "gzip", "<p>The second part names the osprey.</p>", 1))}, StatusRead, "osprey", 0},
		{"sends bytes after gzip", handlers{coded("gzip", packed(t, "gzip", article, 1)+"trailing bytes")}, StatusRead, "tide tables", 0},
		{"sends deflate", handlers{packedAs("deflate")}, StatusRead, "tide tables", 0},
		{"sends deflate without its head", handlers{coded("deflate", bare.String())}, StatusRead, "tide tables", 0},
		{"sends zstd", handlers{packedAs("zstd")}, StatusRead, "tide tables", 0},
		{"says gzip and sends none", handlers{coded("gzip", article)}, StatusRead, "tide tables", 0},
		{"says br and sends none", handlers{coded("br", article)}, StatusRead, "tide tables", 0},
		{"says zstd and sends gzip", handlers{coded("zstd", packed(t, "gzip", article, 1))}, StatusRead, "tide tables", 0},
		{"sends a page as JSON", handlers{answers(200, "application/json", article)}, StatusRead, "tide tables", 0},
		{"packs twice", handlers{coded("gzip, gzip", "x")}, StatusError, "more than one", 0},
		{"says UTF-8 and sends Windows-1251", handlers{page("<title>x</title><p>" + strings.Repeat(cyrillic, 20))}, StatusRead,
			"Приливы в гавани высоки", 0},
		{"says that a page is a picture", handlers{answers(200, "image/png", article)}, StatusUnsupported, "image/png is not read", 0},
		{"sends nothing", handlers{answers(204, typeHTML, "")}, StatusTooShort, "only 0 characters", 0},
		{"says unchanged without a condition", handlers{answers(304, typeHTML, "")}, StatusError, "HTTP 304", 0},
		{"redirects to itself", handlers{leads("/")}, StatusError, "too many redirects: more than 10", 0},
		{"redirects ten times", append(slicesOf(maxRedirects, leads("/")), page(article)), StatusRead, "tide tables", 0},
		{"redirects nowhere", handlers{answers(302, typeHTML, "")}, StatusError, "without saying where to", 0},
		{"redirects to a broken address", handlers{leads("http://[::1")}, StatusError, "could not be read", 0},
		{"redirects to a file", handlers{leads("file:///etc/passwd")}, StatusBlocked, "only http and https", 0},
		{"nests 200,000 elements", handlers{page(strings.Repeat("<div>", depth) + "<p>" + longText)}, StatusRead, "tide tables", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var hits atomic.Int32
			r, srv := serve(t, site{"/": func(w http.ResponseWriter, r *http.Request) {
				tt.serve[min(int(hits.Add(1)), len(tt.serve))-1](w, r)
			}}, func(c *Config) {
				c.Now = func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }
				if tt.status == StatusTimeout {
					c.Timeout = 500 * time.Millisecond
				}
			})
			p := r.Read(t.Context(), srv.URL+"/")
			said := p.Reason
			if p.Status == StatusRead {
				said = p.Text
			}
			if p.Status != tt.status || !strings.Contains(said, tt.holds) || tt.requests > 0 && hits.Load() != tt.requests {
				t.Errorf("%s, %.300q after %d requests; want %s, %q", p.Status, said, hits.Load(), tt.status, tt.holds)
			}
			if p.Status != StatusRead && (p.Text != "" || strings.Contains(p.Reason, "\n") || len(p.Reason) > 400) {
				t.Errorf("text %.100q, reason %q", p.Text, p.Reason)
			}
		})
	}
}

func slicesOf(n int, h http.HandlerFunc) (out []http.HandlerFunc) {
	for range n {
		out = append(out, h)
	}
	return out
}

// The deadline of a page includes its robots.txt and its repetitions.
func TestReadWithinTheDeadline(t *testing.T) {
	r, srv := serve(t, site{"/": page(article), "/robots.txt": endless("HTTP/1.1 200 OK\r\n\r\n", "x", 5*time.Millisecond)},
		func(c *Config) { c.Timeout = 300 * time.Millisecond })
	if p := r.Read(t.Context(), srv.URL+"/"); p.Status != StatusTimeout {
		t.Errorf("a slow robots.txt: %s, %s", p.Status, p.Reason)
	}
	r, srv = serve(t, site{"/": answers(503, typeHTML, "", "Retry-After", "5")}, func(c *Config) { c.Timeout = 4 * time.Second })
	if p := r.Read(t.Context(), srv.URL+"/"); p.Status != StatusError || p.RetryAfter != 5*time.Second {
		t.Errorf("a pause beyond the deadline: %s, %q", p.Status, p.Reason)
	}
}
