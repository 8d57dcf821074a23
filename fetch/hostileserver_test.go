package fetch

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

func TestReadForbiddenAddresses(t *testing.T) {
	inner, innerHits := counting(t)
	port := inner.URL[strings.LastIndexByte(inner.URL, ':')+1:]
	spellings := []string{
		"http://127.0.0.1:%s/", "http://127.0.0.2:%s/", "http://localhost:%s/", "http://LOCALHOST:%s/", "http://localhost.:%s/",
		"http://foo.localhost:%s/", "http://127.1:%s/", "http://2130706433:%s/", "http://0x7f000001:%s/", "http://0x7f.0.0.1:%s/",
		"http://0177.0.0.1:%s/", "http://017700000001:%s/", "http://127.0.0.1.:%s/", "http://0:%s/", "http://0.0.0.0:%s/",
		"http://[::1]:%s/", "http://[0:0:0:0:0:0:0:1]:%s/", "http://[::]:%s/", "http://[::ffff:127.0.0.1]:%s/",
		"http://[::ffff:7f00:1]:%s/",
		"http://[::127.0.0.1]:%s/", "http://[64:ff9b::7f00:1]:%s/", "http://[64:ff9b:1::7f00:1]:%s/", "http://[2002:7f00:1::]:%s/",
		"http://[2001:0:7f00:1::]:%s/", "http://[::1%%25lo]:%s/", "http://[fe80::1]:%s/", "http://[fd00::1]:%s/", "http://[fec0::1]:%s/",
		"http://example.com@127.0.0.1:%s/", "http://127.0.0.1:%s\\@example.com/", "http://127%%2e0%%2e0%%2e1:%s/",
		"http://１２７.０.０.１:%s/",
		"http://127。0。0。1:%s/", "http://①②⑦.⓪.⓪.①:%s/", "http://169.254.169.254:%s/latest/meta-data/",
		"http://metadata.google.internal:%s/",
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

// An allowed pair allows one host and port, but not its redirects or another name for it.
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
