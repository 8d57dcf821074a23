package fetch

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

func TestReadBombs(t *testing.T) {
	zeros := make([]byte, 1<<20)
	var gz, zs bytes.Buffer
	gw := gzip.NewWriter(&gz)
	zw, err := zstd.NewWriter(&zs)
	if err != nil {
		t.Fatal(err)
	}
	for range 100 { // 100 MB each, in 100 KB and in 10 KB
		_, _ = gw.Write(zeros)
		_, _ = zw.Write(zeros)
	}
	_, _ = gw.Close(), zw.Close()
	endless := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for r.Context().Err() == nil {
			if _, err := w.Write(zeros); err != nil {
				return
			}
		}
	}
	r, srv := serve(t, site{
		"/gzip":     answers(200, "text/html", gz.String(), "Content-Encoding", "gzip"),
		"/zstd":     answers(200, "text/html", zs.String(), "Content-Encoding", "zstd"),
		"/endless":  endless,
		"/announce": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "99999999999") },
	})
	tests := []struct{ path, reason string }{
		{"/gzip", "more than 20 MiB after decompression"},
		{"/zstd", "more than 20 MiB after decompression"},
		{"/endless", "more than 20 MiB"},
		{"/announce", "the limit is 20 MiB"},
	}
	for _, tt := range tests {
		if p := r.Read(t.Context(), srv.URL+tt.path); p.Status != StatusError || !strings.Contains(p.Reason, tt.reason) {
			t.Errorf("%s: %s, %q; want error, %q", tt.path, p.Status, p.Reason, tt.reason)
		}
	}
}

// A server that sends a byte now and then never lets a read time out; the page's deadline ends it.
func TestReadDrip(t *testing.T) {
	drip := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_, _ = w.Write([]byte("x"))
				_ = http.NewResponseController(w).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}
	for name, s := range map[string]site{"page": {"/": drip}, "robots.txt": {"/": page(article), "/robots.txt": drip}} {
		t.Run(name, func(t *testing.T) {
			r, srv := serve(t, s, func(c *Config) { c.Timeout = 300 * time.Millisecond })
			start := time.Now()
			p := r.Read(t.Context(), srv.URL+"/")
			if p.Status != StatusTimeout {
				t.Errorf("%s, %s", p.Status, p.Reason)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

func TestReadForbiddenAddresses(t *testing.T) {
	inner, innerHits := counting(t)
	port := inner.URL[strings.LastIndexByte(inner.URL, ':')+1:]
	spellings := []string{
		"http://127.0.0.1:%s/", "http://127.0.0.2:%s/", "http://localhost:%s/", "http://LOCALHOST:%s/", "http://localhost.:%s/",
		"http://foo.localhost:%s/", "http://127.1:%s/", "http://2130706433:%s/", "http://0x7f000001:%s/", "http://0x7f.0.0.1:%s/",
		"http://0177.0.0.1:%s/", "http://017700000001:%s/", "http://127.0.0.1.:%s/", "http://0:%s/", "http://0.0.0.0:%s/",
		"http://[::1]:%s/", "http://[0:0:0:0:0:0:0:1]:%s/", "http://[::]:%s/", "http://[::ffff:127.0.0.1]:%s/", "http://[::ffff:7f00:1]:%s/",
		"http://[::127.0.0.1]:%s/", "http://[64:ff9b::7f00:1]:%s/", "http://[64:ff9b:1::7f00:1]:%s/", "http://[2002:7f00:1::]:%s/",
		"http://[2001:0:7f00:1::]:%s/", "http://[::1%%25lo]:%s/", "http://[fe80::1]:%s/", "http://[fd00::1]:%s/", "http://[fec0::1]:%s/",
		"http://example.com@127.0.0.1:%s/", "http://127.0.0.1:%s\\@example.com/", "http://127%%2e0%%2e0%%2e1:%s/", "http://１２７.０.０.１:%s/",
		"http://127。0。0。1:%s/", "http://①②⑦.⓪.⓪.①:%s/", "http://169.254.169.254:%s/latest/meta-data/", "http://metadata.google.internal:%s/",
		"http://10.0.0.1:%s/", "http://172.16.0.1:%s/", "http://192.168.0.1:%s/", "http://100.64.0.1:%s/", "http://192.0.0.1:%s/",
		"http://198.18.0.1:%s/", "http://224.0.0.1:%s/", "http://240.0.0.1:%s/", "http://255.255.255.255:%s/", "http://192.0.2.1:%s/",
		"http://intranet:%s/", "http://printer.local:%s/", "gopher://127.0.0.1:%s/", "ftp://127.0.0.1:%s/", "HTTP://127.0.0.1:%s/",
		"file://127.0.0.1:%s/etc/passwd", "http://user:pw@[::1]:%s/",
	}
	var target atomic.Value
	r, srv := serve(t, site{"/to": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", target.Load().(string))
		w.WriteHeader(http.StatusFound)
	}})
	for _, spelling := range spellings {
		address := fmt.Sprintf(spelling, port)
		t.Run(address, func(t *testing.T) {
			if p := r.Read(t.Context(), address); p.Status != StatusBlocked || p.Reason == "" || strings.Contains(p.URL, "pw") {
				t.Errorf("asked for: %s, %q, %s", p.Status, p.Reason, p.URL)
			}
			target.Store(address)
			if p := r.Read(t.Context(), srv.URL+"/to"); p.Status != StatusBlocked && p.Status != StatusError {
				t.Errorf("redirected to: %s, %q", p.Status, p.Reason)
			}
		})
	}
	if n := innerHits.Load(); n != 0 {
		t.Errorf("the forbidden server was reached %d times", n)
	}
}

func counting(t *testing.T) (*httptest.Server, *atomic.Int32) {
	t.Helper()
	var hits atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		page(article)(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv, &hits
}

// Being allowed opens one host and port, not what it redirects to, and not another name for it.
func TestReadAllowPrivateIsOnePair(t *testing.T) {
	other, hits := counting(t)
	r, srv := serve(t, site{"/to": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL+"/x", http.StatusFound) }})
	p := r.Read(t.Context(), srv.URL+"/to")
	if p.Status != StatusBlocked || !strings.Contains(p.Reason, "add "+hostOf(other)+" to CITELOOP_ALLOW_PRIVATE") {
		t.Errorf("%s, %q", p.Status, p.Reason)
	}
	if hits.Load() != 0 {
		t.Error("the other server was reached")
	}
	asName := strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)
	if p := r.Read(t.Context(), asName+"/to"); p.Status != StatusBlocked {
		t.Errorf("by another name: %s, %q", p.Status, p.Reason)
	}
}
