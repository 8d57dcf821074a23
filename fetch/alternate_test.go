package fetch

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// No page or header makes the reader read Markdown from another host.
func FuzzMarkdownLink(f *testing.F) {
	f.Add(`</a.md>; rel="alternate"; type="text/markdown"`, "")
	f.Add(`<//evil.example/a.md>; rel=alternate; type="text/markdown", <http://[::1>`, `<head><link rel=alternate type=text/markdown href="https://host.example:443/b.md">`)
	f.Add("", `<link rel="ALTERNATE x" type="text/markdown; charset=utf-8" href=" ?md#x "><body>`)
	f.Add("", `<link type=text/markdown rel=alternate href=//user:pw@host.example/c>`)
	base := &url.URL{Scheme: "https", Host: "host.example", Path: "/dir/page"}
	f.Fuzz(func(t *testing.T, header, body string) {
		at := markdownLink([]string{header}, []byte(body), base)
		if at == nil {
			return
		}
		if at.Scheme != "https" || at.Hostname() != "host.example" || at.User != nil || at.Fragment != "" || at.String() == base.String() {
			t.Fatalf("%q and %q lead to %s", header, body, at)
		}
	})
}

// User info of the requested address and of redirects is never sent.
func TestReadSendsNoUserInfo(t *testing.T) {
	var sent []string
	note := func(next http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			sent = append(sent, r.Header.Get("Authorization")+r.Header.Get("Referer"))
			next(w, r)
		}
	}
	r, srv := serve(t, site{"/page": note(page(article)), "/to": note(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://ada:secret@"+r.Host+"/page")
		w.WriteHeader(http.StatusFound)
	})})
	p := r.Read(t.Context(), strings.Replace(srv.URL, "http://", "http://ada:secret@", 1)+"/to")
	if p.Status != StatusRead || strings.Contains(p.URL+p.FinalURL, "secret") {
		t.Errorf("%s, %q, %s, %s", p.Status, p.Reason, p.URL, p.FinalURL)
	}
	if got := strings.Join(sent, ""); len(sent) != 2 || strings.Contains(got, "Basic") || strings.Contains(got, "secret") {
		t.Errorf("sent %q", sent)
	}
}
