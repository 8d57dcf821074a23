package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/console"
)

func TestNewestVersion(t *testing.T) {
	for _, row := range []struct {
		name, body string
		status     int
		want, err  string
	}{
		{"a release", `{"tag_name": "v1.12.3", "name": "x"}`, 200, "1.12.3", ""},
		{"no release yet", `{"message": "Not Found"}`, 404, "", "404"},
		{"not JSON", `<html>`, 200, "", "invalid answer"},
		{"not a version", `{"tag_name": "latest"}`, 200, "", `invalid version "latest"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasPrefix(r.UserAgent(), "citeloop/"+console.Version) {
					t.Errorf("user agent %q", r.UserAgent())
				}
				w.WriteHeader(row.status)
				w.Write([]byte(row.body))
			}))
			defer srv.Close()
			got, err := newestVersion(t.Context(), srv.Client(), srv.URL)
			if got != row.want || (err == nil) != (row.err == "") || err != nil && !strings.Contains(err.Error(), row.err) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestNewer(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want bool
	}{
		{"0.1.0", "0.1.0", false}, {"0.1.1", "0.1.0", true}, {"0.10.0", "0.9.9", true}, {"1.0.0", "0.99.0", true}, {"0.1.0", "0.2.0", false}, {"1.0.0-rc.1", "0.1.0", false},
	} {
		if got := newer(row.a, row.b); got != row.want {
			t.Errorf("newer(%s, %s) is %v", row.a, row.b, got)
		}
	}
}

func TestUpgradeCommand(t *testing.T) {
	for path, want := range map[string]string{
		"/home/u/.npm/_npx/1a/node_modules/citeloop-linux-x64/bin/citeloop": "npx citeloop@latest",
		"/usr/lib/node_modules/citeloop-linux-x64/bin/citeloop":             "npm install --global citeloop@latest",
		"/opt/homebrew/Caskroom/citeloop/0.1.0/citeloop":                    "brew upgrade --cask citeloop",
		"C:/Users/u/scoop/apps/citeloop/current/citeloop.exe":               "scoop update citeloop",
		"/home/u/go/bin/citeloop":                                           "go install github.com/citeloop/citeloop@latest",
		"/usr/bin/citeloop":                                                 "see https://github.com/citeloop/citeloop/releases",
	} {
		if got := upgradeCommand(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
