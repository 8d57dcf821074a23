package fetch

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

func TestReadPage(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	r, srv := serve(t, site{
		"/old": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://ada:secret@"+r.Host+"/article", http.StatusMovedPermanently)
		},
		"/article": func(w http.ResponseWriter, r *http.Request) {
			if got := r.Header.Get("User-Agent"); got != "citeloop/0.1 (+https://example.org)" {
				t.Errorf("User-Agent: %s", got)
			}
			if r.Header.Get("Authorization")+r.Header.Get("Referer") != "" || !strings.HasPrefix(r.Header.Get("Accept"), "text/markdown") {
				t.Errorf("headers %v", r.Header)
			}
			page(article)(w, r)
		},
	}, func(c *Config) { c.Now = func() time.Time { return now } })
	got := r.Read(t.Context(), strings.Replace(srv.URL, "http://", "http://me:secret@", 1)+"/old#part")
	text := "# Tide tables\n\n" + strings.TrimSpace(longText)
	want := Page{
		URL: srv.URL + "/old#part", FinalURL: srv.URL + "/article", Status: StatusRead, HTTPStatus: 200, FetchedAt: now,
		Capture: &Capture{Status: 200, Redirects: []string{srv.URL + "/old"}, SHA256: sha256.Sum256([]byte(article)), Bytes: len(article)},
		Document: document.Document{Head: document.Head{Title: "Tide tables", Language: "en", ContentType: "text/html"}, Text: text,
			Chars: len(text)},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Read (-want +got):\n%s", d)
	}
}

// A site that redirects until it gets its cookie back is read, and the cookie is not kept for the next page.
func TestReadCookieRedirect(t *testing.T) {
	var withCookie atomic.Int32
	r, srv := serve(t, site{"/": func(w http.ResponseWriter, r *http.Request) {
		if _, err := r.Cookie("seen"); err != nil {
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
			leads("/")(w, r)
			return
		}
		withCookie.Add(1)
		page(article)(w, r)
	}})
	for i := range int32(2) {
		if p := r.Read(t.Context(), srv.URL+"/"); p.Status != StatusRead || withCookie.Load() != i+1 {
			t.Fatalf("%s, %s; %d pages", p.Status, p.Reason, withCookie.Load())
		}
	}
}

// A page that only forwards is followed within the rules for every address.
func TestReadForwards(t *testing.T) {
	forward := func(to string) http.HandlerFunc { return page(`<meta http-equiv=refresh content="0;url=` + to + `">`) }
	private, _ := counting(t)
	r, srv := serve(t, site{"/a": forward("/b"), "/b": forward("/c"), "/c": page(article), "/loop": forward("/loop?x"),
		"/secret": forward("/closed"), "/private": forward(private.URL), "/closed": page(article),
		"/robots.txt": says("User-agent: *\nDisallow: /closed")})
	for path, want := range map[string]Status{"/a": StatusRead, "/loop": StatusTooShort, "/secret": StatusRobots,
		"/private": StatusBlocked} {
		p := r.Read(t.Context(), srv.URL+path)
		if p.Status != want || path == "/a" && (p.FinalURL != srv.URL+"/c" || len(p.Capture.Redirects) != 2) {
			t.Errorf("%s: %s, %q, final %s; want %s", path, p.Status, p.Reason, p.FinalURL, want)
		}
	}
	at, _ := url.Parse("http://here.example/a/b")
	for _, tt := range []struct{ name, header, body, to string }{
		{"the usual form", "", `<meta http-equiv="refresh" content="0; url=https://example.org/next">`, "https://example.org/next"},
		{"a comma, no blank", "", `<meta http-equiv=refresh content="0,url=/c#x">`, "http://here.example/c"},
		{"below a base", "", `<base href="/deep/"><meta http-equiv=refresh content="0;url=c">`, "http://here.example/deep/c"},
		{"in noscript", "", `<noscript><meta http-equiv=refresh content="0;url=/c"></noscript>`, "http://here.example/c"},
		{"by the header", "0; url=/c", `<p>Moved.`, "http://here.example/c"},
		{"in a minute", "", `<meta http-equiv=refresh content="60;url=/c">`, ""},
		{"to a file", "", `<meta http-equiv=refresh content="0;url=file:///etc/passwd">`, ""},
		{"in a comment", "", `<!-- <meta http-equiv=refresh content="0;url=/c"> -->`, ""},
	} {
		got := ""
		if to := forwarding(http.Header{"Refresh": {tt.header}}, []byte(tt.body), at); to != nil {
			got = to.String()
		}
		if got != tt.to {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.to)
		}
	}
}

func TestReadAll(t *testing.T) {
	var now, most atomic.Int32
	r, srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" || r.URL.Path == "/p7" {
			http.NotFound(w, r)
			return
		}
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		page(strings.Replace(article, "Tide tables", r.URL.Path, 1))(w, r)
	}))
	var urls []string
	for i := range 20 {
		urls = append(urls, fmt.Sprintf("%s/p%d", srv.URL, i))
	}
	urls[11] = "http://10.0.0.1/"
	told := map[int]Status{} // the race detector finds two calls at once
	for i, p := range r.ReadAll(t.Context(), urls, func(i int, p Page) { told[i] = p.Status }) {
		want := StatusRead
		switch i {
		case 7:
			want = StatusNotFound
		case 11:
			want = StatusBlocked
		}
		if p.Status != want || p.URL != urls[i] || told[i] != want {
			t.Errorf("%d: %s, told %s, want %s (%s, %s)", i, p.Status, told[i], want, p.URL, p.Reason)
		}
	}
	if most.Load() > 2 {
		t.Errorf("%d requests at once, the limit is 2", most.Load())
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for i, p := range r.ReadAll(ended, urls[:2], nil) {
		if p.Status != StatusTimeout || p.Reason == "" {
			t.Errorf("%d when time is up: %s, %q", i, p.Status, p.Reason)
		}
	}
}

// Concurrent reads of one address share a request, and a caller that leaves does not cancel it for the other.
func TestReadShares(t *testing.T) {
	arrived, proceed := make(chan struct{}), make(chan struct{})
	var requests atomic.Int32
	r, srv := serve(t, site{"/": func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			close(arrived)
		}
		<-proceed
		page(article)(w, r)
	}})
	leaving, leave := context.WithCancel(t.Context())
	first, second := make(chan Page, 1), make(chan Page, 1)
	go func() { first <- r.Read(leaving, srv.URL+"/#a") }()
	<-arrived
	go func() { second <- r.Read(t.Context(), srv.URL+"/#b") }()
	leave()
	if p := <-first; p.Status != StatusTimeout {
		t.Errorf("the caller that left: %s, %s", p.Status, p.Reason)
	}
	close(proceed)
	if p := <-second; p.Status != StatusRead {
		t.Errorf("the caller that stayed: %s, %s", p.Status, p.Reason)
	}
}

// A text that a limit cut short says so.
func TestCutTextsSayWhy(t *testing.T) {
	items := strings.Repeat("<item><title>An entry of the harbour log</title></item>", 5_000)
	feed := "<rss version=\"2.0\"><channel><title>Log</title>" + items + "</channel></rss>"
	page := reader(t).Examine(t.Context(), document.TypeRSS, []byte(feed),
		&url.URL{Scheme: "https", Host: "a.example"})
	if page.Status != StatusRead || !strings.Contains(page.Reason, "only the first") {
		t.Errorf("%s, %q", page.Status, page.Reason)
	}
}
