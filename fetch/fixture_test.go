package fetch

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/net/dns/dnsmessage"
)

// prose is long enough to be a source.
var longText = strings.Repeat("The tide tables of the harbour were printed every year until 1931. ", 8)

// article is a page with longText.
var article = "<!doctype html><html lang=en><title>Tide tables</title><body><article><h1>Tide tables</h1><p>" + longText + "</p></article>"

const typeHTML = "text/html; charset=utf-8"

// serve starts a server on loopback, and returns a reader that may read this private address and no other.
func serve(t *testing.T, h http.Handler, change ...func(*Config)) (*Reader, *httptest.Server) {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return reader(t, append([]func(*Config){func(c *Config) { c.AllowPrivate = append(c.AllowPrivate, hostOf(srv)) }}, change...)...), srv
}

func reader(t *testing.T, change ...func(*Config)) *Reader {
	t.Helper()
	cfg := Config{UserAgent: "citeloop/0.1 (+https://example.org)", Timeout: time.Hour, Proxy: noProxy, Pause: -1,
		CacheDir: filepath.Join(os.TempDir(), "citeloop-test-wazero")} // the same in every run, so that the PDF library is compiled once
	for _, f := range change {
		f(&cfg)
	}
	r, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.gate.CloseIdleConnections)
	return r
}

func noProxy(*url.URL) (*url.URL, error) { return nil, nil }

func hostOf(srv *httptest.Server) string { return strings.TrimPrefix(srv.URL, "http://") }

// site answers the given paths, and 404 for all others, including robots.txt.
type site map[string]http.HandlerFunc

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h, ok := s[r.URL.Path]; ok {
		h(w, r)
		return
	}
	http.NotFound(w, r)
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

func page(body string) http.HandlerFunc { return answers(200, typeHTML, body) }

func leads(to string) http.HandlerFunc { return answers(302, typeHTML, "", "Location", to) }

func says(robots string) http.HandlerFunc { return answers(200, "text/plain", robots) }

// raw answers with given bytes, and then closes the connection, or waits for the client to do so.
func raw(answer string, closes bool) http.HandlerFunc {
	return hijacked(func(conn net.Conn, in io.Reader) {
		_, _ = io.WriteString(conn, answer)
		if !closes {
			_, _ = io.Copy(io.Discard, in)
		}
	})
}

// endless sends head, and then a piece repeatedly until the client disconnects.
func endless(head, piece string, pause time.Duration) http.HandlerFunc {
	return hijacked(func(conn net.Conn, _ io.Reader) {
		_, err := io.WriteString(conn, head)
		for err == nil {
			time.Sleep(pause)
			_, err = io.WriteString(conn, piece)
		}
	})
}

func hijacked(talk func(net.Conn, io.Reader)) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if conn, rw, err := http.NewResponseController(w).Hijack(); err == nil {
			defer conn.Close()
			talk(conn, rw)
		}
	}
}

// packed returns s, repeated, in a content coding.
func packed(t *testing.T, coding, s string, times int) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "deflate":
		w = zlib.NewWriter(&b)
	case "br":
		w = brotli.NewWriterLevel(&b, 5)
	case "zstd":
		w, err = zstd.NewWriter(&b)
	}
	for range times {
		if err == nil {
			_, err = io.WriteString(w, s)
		}
	}
	if err = errors.Join(err, w.Close()); err != nil {
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

// counting is a server that no test may reach, and its requests.
func counting(t *testing.T) (*httptest.Server, *atomic.Int32) {
	t.Helper()
	var hits atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		page(article)(w, r)
	}))
	t.Cleanup(func() {
		srv.Close()
		if n := hits.Load(); n != 0 {
			t.Errorf("the forbidden server was reached %d times", n)
		}
	})
	return srv, &hits
}

// web is a proxy that plays all web sites: it answers by host and path, and records the requests.
type web struct {
	sites map[string]http.HandlerFunc // "host/path"

	mu    sync.Mutex
	asked []string
}

func (w *web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.asked = append(w.asked, r.URL.Host+r.URL.RequestURI())
	w.mu.Unlock()
	if h, ok := w.sites[r.URL.Host+r.URL.Path]; ok {
		h(rw, r)
		return
	}
	http.NotFound(rw, r)
}

func (w *web) has(part string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Contains(strings.Join(w.asked, "\n"), part)
}

// proxy starts w, and returns the setting that sends all requests to it.
func (w *web) proxy(t *testing.T) func(*url.URL) (*url.URL, error) {
	t.Helper()
	srv := httptest.NewServer(w)
	t.Cleanup(srv.Close)
	return func(*url.URL) (*url.URL, error) { return url.Parse(srv.URL) }
}

// resolver returns a resolver that knows only these names.
func resolver(t *testing.T, known map[string][]string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if answer, err := answerDNS(buf[:n], known); err == nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
	t.Cleanup(func() { conn.Close(); <-done })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func answerDNS(query []byte, known map[string][]string) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil || len(m.Questions) != 1 {
		return nil, errors.New("not a question")
	}
	q := m.Questions[0]
	m.Header = dnsmessage.Header{ID: m.ID, Response: true, Authoritative: true, RecursionAvailable: true}
	m.Additionals = nil
	addrs, ok := known[q.Name.String()]
	if !ok {
		m.RCode = dnsmessage.RCodeNameError
	}
	for _, a := range addrs {
		ip := net.ParseIP(a)
		h := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, Type: q.Type}
		switch {
		case q.Type == dnsmessage.TypeA && !strings.Contains(a, ":"):
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AResource{A: [4]byte(ip.To4())}})
		case q.Type == dnsmessage.TypeAAAA && strings.Contains(a, ":"):
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AAAAResource{AAAA: [16]byte(ip.To16())}})
		}
	}
	return m.Pack()
}

// write writes a file and returns its address.
func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	return FileAddress(name)
}

func symlink(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
}
