package fetch

import (
	"net/http"
	"sync/atomic"
	"testing"
)

// A server that still has the known version of a page does not send it again.
func TestReadAgain(t *testing.T) {
	var sent atomic.Int32
	version := func(tag string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Etag", tag)
			if r.Header.Get("If-None-Match") == tag {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			sent.Add(1)
			page(article)(w, r)
		}
	}
	r, srv := serve(t, site{"/same": version(`"1"`), "/moved": http.RedirectHandler("/same", http.StatusFound).ServeHTTP,
		"/new": version(`"2"`)})
	first := r.Read(t.Context(), srv.URL+"/same")
	if first.Status != StatusRead || first.Capture.Header.Get("Etag") != `"1"` {
		t.Fatalf("%s, %s", first.Status, first.Reason)
	}
	known := first.Capture.Header
	pages := r.ReadAgain(t.Context(), []Known{{srv.URL + "/same", known}, {srv.URL + "/moved", known}, {srv.URL + "/new", known},
		{srv.URL + "/same", nil}}, nil)
	for i, want := range []Status{StatusUnchanged, StatusUnchanged, StatusRead, StatusRead} {
		if p := pages[i]; p.Status != want || (want == StatusRead) != (p.Text != "") {
			t.Errorf("page %d: %s with %d bytes, want %s", i, p.Status, len(p.Text), want)
		}
	}
	if n := sent.Load(); n != 3 {
		t.Errorf("%d pages were sent, want 3", n)
	}
}
