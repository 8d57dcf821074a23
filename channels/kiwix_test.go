package channels_test

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/google/go-cmp/cmp"
)

// kiwixVar names the address of a kiwix-serve with the book that `.ci/services kiwix start` makes.
const kiwixVar = "CITELOOP_TEST_KIWIX"

// TestKiwixServe runs the channel against the service itself.
func TestKiwixServe(t *testing.T) {
	address := os.Getenv(kiwixVar)
	if address == "" {
		t.Skipf("no kiwix-serve to test with: %s is not set (.ci/services kiwix start FOLDER prints an address)", kiwixVar)
	}
	tidal := channels.Evidence{Title: "Tidal mills", URL: address + "/mills/tidal.html", Source: "kiwix"}
	tests := []struct {
		name, base string
		query      channels.Query
		status     channels.Status
		says       string
		want       []channels.Evidence
	}{
		{"a word", address, channels.Query{Text: "sluice"}, channels.StatusOK, "", []channels.Evidence{tidal}},
		{"a question with words that the book lacks", address, channels.Query{Text: "What is the pond of a tidal mill?"}, channels.StatusOK,
			`searched for "pond tidal mill"`, []channels.Evidence{tidal}},
		{"a title in other scripts", address, channels.Query{Text: "Gezeitenmühle"}, channels.StatusOK, "",
			[]channels.Evidence{{Title: "Mühlen, 磨坊", URL: address + "/mills/umlaut.html", Source: "kiwix"}}},
		{"nothing", address, channels.Query{Text: "spaceship"}, channels.StatusEmpty, "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := channels.Config{URLs: map[string]string{"kiwix": tt.base}, Timeout: time.Minute, Client: http.DefaultClient}
			r := registry(t, newClock(), cfg, nil)
			out, found := one(t, r, "kiwix", tt.query)
			if out.Status != tt.status || !strings.Contains(out.Message, tt.says) {
				t.Errorf("%+v, want %s saying %q", out, tt.status, tt.says)
			}
			var got []channels.Evidence
			for _, f := range found {
				if !strings.HasSuffix(f.Snippet, "The book of mills") || strings.ContainsAny(f.Snippet, "<>") {
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
