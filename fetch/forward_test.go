package fetch

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestForwarding(t *testing.T) {
	at, err := url.Parse("http://here.example/a/b")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, header, body, to, script string }{
		{"the usual form", "", `<meta http-equiv="refresh" content="0; url=https://example.org/next">`, "https://example.org/next", ""},
		{"a comma, no blank", "", `<meta http-equiv=refresh content="0,url=/c#x">`, "http://here.example/c", ""},
		{"below a base", "", `<base href="/deep/"><meta http-equiv=refresh content="0;url=c">`, "http://here.example/deep/c", ""},
		{"in noscript", "", `<noscript><meta http-equiv=refresh content="0;url=/c"></noscript>`, "http://here.example/c", ""},
		{"by the header", "0; url=/c", `<p>Moved.`, "http://here.example/c", ""},
		{"by a script", "", `<script>window.location.href = "/c"</script>`, "", "http://here.example/c"},
		{"in a minute", "", `<meta http-equiv=refresh content="60;url=/c">`, "", ""},
		{"to a file", "", `<meta http-equiv=refresh content="0;url=file:///etc/passwd">`, "", ""},
		{"in a comment", "", `<!-- <meta http-equiv=refresh content="0;url=/c"> -->`, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			to, script := forwarding(http.Header{"Refresh": {tt.header}}, []byte(tt.body), at)
			for _, got := range []struct {
				url  *url.URL
				want string
			}{{to, tt.to}, {script, tt.script}} {
				if got.url == nil && got.want != "" || got.url != nil && got.url.String() != got.want {
					t.Errorf("got %v, want %q", got.url, got.want)
				}
			}
		})
	}
}

// A page that only forwards is followed within the rules for every address.
func TestReadForwards(t *testing.T) {
	forward := func(to string) http.HandlerFunc { return page(`<meta http-equiv=refresh content="0;url=` + to + `">`) }
	private := httptest.NewServer(site{"/": page(article)})
	defer private.Close()
	r, srv := serve(t, site{"/a": forward("/b"), "/b": forward("/c"), "/c": page(article), "/loop": forward("/loop?x"),
		"/secret":  forward("/closed"),
		"/private": forward(private.URL), "/script": page(`<script>location = "/c"</script>`), "/closed": page(article),
		"/robots.txt": answers(200, "text/plain", "User-agent: *\nDisallow: /closed")})
	for path, want := range map[string]struct {
		status Status
		reason string
	}{
		"/a": {StatusRead, ""}, "/loop": {StatusTooShort, "only"}, "/secret": {StatusRobots, "robots.txt"},
		"/private": {StatusBlocked, "not dialled"},
		"/script":  {StatusTooShort, "a script of the page forwards to " + srv.URL + "/c"},
	} {
		p := r.Read(t.Context(), srv.URL+path)
		if p.Status != want.status || !strings.Contains(p.Reason, want.reason) {
			t.Errorf("%s: %s, %q; want %s, %q", path, p.Status, p.Reason, want.status, want.reason)
		}
		if path == "/a" && (p.FinalURL != srv.URL+"/c" || len(p.Capture.Redirects) != 2) {
			t.Errorf("%s: final %s, redirects %v", path, p.FinalURL, p.Capture.Redirects)
		}
	}
}
