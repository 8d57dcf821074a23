package server

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/citeloop/citeloop/server/access"
)

// stillPage is a page that says which request reached it.
type stillPage struct{ http.HandlerFunc }

func (stillPage) Stop() {}

// A browser sends its origin with a form: the page takes the forms of this very server under the name that it goes by on
// the network, where the endpoint for hosts takes no web page's requests but those that are let in by name.
func TestFormsOfThePageReachIt(t *testing.T) {
	sites, err := access.NewSites([]string{"citeloop.example.org"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	page := stillPage{func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }}
	ts := httptest.NewServer(newFixture(t).srv.Handler(HTTP{Sites: sites, Page: page}))
	t.Cleanup(ts.Close)
	for _, tt := range []struct {
		name, path, host, origin string
		want                     int
	}{
		{"our form, behind a proxy", "/ui/login", "citeloop.example.org", "https://citeloop.example.org", http.StatusTeapot},
		{"a form of another site", "/ui/login", "citeloop.example.org", "https://evil.example", http.StatusForbidden},
		{"a name that is not ours", "/ui/login", "evil.example", "https://evil.example", http.StatusForbidden},
		{"the endpoint", Endpoint, "citeloop.example.org", "https://citeloop.example.org", http.StatusForbidden},
		{"nothing there", "/else", "citeloop.example.org", "", http.StatusNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			header := map[string]string{"Host": tt.host}
			if tt.origin != "" {
				header["Origin"] = tt.origin
			}
			if status, body := post(t, ts.URL+tt.path, initialize, header); status != tt.want {
				t.Errorf("%d %s, want %d", status, body, tt.want)
			}
		})
	}
	still := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := still.Get(ts.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != PagePath {
		t.Errorf("the address alone: %s to %q, want the page", resp.Status, resp.Header.Get("Location"))
	}
}
