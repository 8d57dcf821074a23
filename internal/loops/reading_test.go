package loops_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract/pdf/pdftest"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

// depths returns a PDF of three pages; the second states the depth of the channel.
func depths() []byte {
	var d pdftest.Doc
	for _, lines := range [][]string{
		{"The harbour of Port Arden was founded by fishermen in 1711, who came from the", "north with three boats and stayed for the herring, of which there was plenty."},
		{"The channel is 9 metres deep at low water, says the survey, and it is kept open", "by the authority of the port, which dredges it in the spring of every other year."},
		{"The pilots keep a table of the tides for every day. It hangs at the customs hall,", "where the masters of all ships may read it before they ask for a pilot to come."},
	} {
		d.Page(pdftest.Lines(72, 500, 12, 10, lines...))
	}
	return d.Bytes()
}

// With the real reader and an HTTP server, the archive has the received bytes, and a claim of a PDF has its page.
func TestReadFromServerToArchive(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles PDFium, which takes its time under the race detector")
	}
	const tides = "<!doctype html><html lang=en><title>Tides</title><article><h1>Tides</h1><p>The tide at Port Arden rises 4 metres twice a day, and ships enter the harbour at high water only. The pilots keep a table of the tides for every day of the year, and it hangs at the customs hall for all to see.</p></article></html>"
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/old":
			http.Redirect(w, r, "/tides", http.StatusMovedPermanently)
		case "/tides":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Set-Cookie", "session=secret")
			z := gzip.NewWriter(w)
			_, _ = z.Write([]byte(tides))
			_ = z.Close()
		case "/depths.pdf":
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = w.Write(depths())
		default:
			http.NotFound(w, r)
		}
	}))
	defer srv.Close()
	reader, err := fetch.New(fetch.Config{AllowPrivate: []string{strings.TrimPrefix(srv.URL, "http://")}, KeepBody: 1 << 20, Pause: -1, Timeout: time.Minute, CacheDir: filepath.Join(os.TempDir(), "citeloop-test-wazero"), Proxy: func(*url.URL) (*url.URL, error) { return nil, nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "citeloop.db"), sqlite.Options{Unsynced: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	h := &harness{t: t, Service: loops.New(loops.Config{Store: store, Owner: loops.LocalOwner, Reader: reader, Now: time.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Generator: "citeloop test"})}
	loop := h.start("How deep is the channel?")
	h.read(loop, srv.URL+"/old", srv.URL+"/depths.pdf")

	v, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("The channel is 9 metres deep at low water.", "S2")}})
	if err != nil || len(v.Claims[0].Passages) == 0 || v.PageOf(v.Claims[0].Passages[0]) != 2 {
		t.Fatalf("%+v, %v: want a passage of page 2", v.Claims, err)
	}
	var out bytes.Buffer
	if err := h.Export(t.Context(), loop, &out, nil); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{tides, string(depths())} {
		kept, err := fs.ReadFile(archive, "bodies/"+loopstate.HashText([]byte(body)).String())
		if err != nil || string(kept) != body {
			t.Errorf("a body is not in the archive as it was received: %v", err)
		}
	}
	if log, err := fs.ReadFile(archive, "events.jsonl"); err != nil || bytes.Contains(log, []byte("session=secret")) {
		t.Errorf("the log has a cookie, or cannot be read: %v", err)
	}
}
