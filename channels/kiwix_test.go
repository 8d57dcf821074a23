package channels

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// kiwixVar names the address of a kiwix-serve with the book that `.ci/kiwix start` makes.
const kiwixVar = "CITELOOP_TEST_KIWIX"

// TestKiwixServe runs the channel against the service itself.
func TestKiwixServe(t *testing.T) {
	address := os.Getenv(kiwixVar)
	if address == "" {
		t.Skipf("no kiwix-serve to test with: %s is not set (.ci/kiwix start FOLDER prints an address)", kiwixVar)
	}
	tidal := Evidence{Title: "Tidal mills", URL: address + "/mills/tidal.html", Source: "kiwix"}
	tests := []struct {
		name, base string
		query      Query
		status     Status
		says       string
		want       []Evidence
	}{
		{"a word", address, Query{Text: "sluice"}, StatusOK, "", []Evidence{tidal}},
		{"a question with words that the book lacks", address, Query{Text: "What is the pond of a tidal mill?"}, StatusOK, `searched for "pond tidal mill"`, []Evidence{tidal}},
		{"a title with an entity", address, Query{Text: "storm"}, StatusOK, "", []Evidence{{Title: "Windmills & sails", URL: address + "/mills/wind.html", Source: "kiwix"}}},
		{"a title in other scripts", address, Query{Text: "Gezeitenmühle"}, StatusOK, "", []Evidence{{Title: "Mühlen, 磨坊", URL: address + "/mills/umlaut.html", Source: "kiwix"}}},
		{"a limit", address, Query{Text: "mill", Limit: 1}, StatusOK, "", []Evidence{{Title: "The book of mills", URL: address + "/mills/index.html", Source: "kiwix"}}},
		{"one book", address + "/search?books.name=mills", Query{Text: "sluice"}, StatusOK, "", []Evidence{tidal}},
		{"an unknown book", address + "/search?books.name=wind", Query{Text: "sluice"}, StatusError, "answered 400 Bad Request: No such book: wind", nil},
		{"nothing", address, Query{Text: "spaceship"}, StatusEmpty, "", nil},
		{"another path", address + "/nothere", Query{Text: "sluice"}, StatusError, "answered 404", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := registry(t, newClock(), Config{URLs: map[string]string{"kiwix": tt.base}, Timeout: time.Minute})
			out, found := one(t, r, "kiwix", tt.query)
			if out.Status != tt.status || !strings.Contains(out.Message, tt.says) {
				t.Errorf("%+v, want %s saying %q", out, tt.status, tt.says)
			}
			var got []Evidence
			for _, f := range found {
				if !strings.HasSuffix(f.Snippet, "The book of mills") || strings.ContainsAny(f.Snippet, "<>") && tt.query.Text != "storm" {
					t.Errorf("snippet %q", f.Snippet)
				}
				f.Score, f.Snippet = 0, ""
				got = append(got, f.Evidence)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("found (-want +got)\n%s", diff)
			}
		})
	}
}
