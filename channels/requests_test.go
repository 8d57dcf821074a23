package channels_test

import (
	"testing"

	"github.com/citeloop/citeloop/channels"
)

// A configured host without a path serves the documented paths; an address with a path replaces them. Path elements are
// appended to both.
func TestBaseAddress(t *testing.T) {
	tests := []struct{ channel, base, query, want string }{
		{"crossref", "http://replay.example", "tides", "/works"},
		{"crossref", "http://replay.example/", "10.5555/x", "/works/10.5555%2Fx"},
		{"crossref", "http://replay.example/mirror?token=t", "10.5555/x", "/mirror/10.5555%2Fx"},
		{"wikipedia", "http://{lang}.replay.example", "tides", "/w/api.php"},
		{"pubmed", "http://replay.example", "tides", "/entrez/eutils/esearch.fcgi"},
		{"pubmed", "http://replay.example/e/", "tides", "/e/esearch.fcgi"},
		{"huggingface", "http://replay.example", "tides", "/api/models"},
		{"semantic-scholar", "http://replay.example", "tides", "/graph/v1/paper/search"},
		{"unpaywall", "http://replay.example", "tides", "/v2/search"},
	}
	for _, tt := range tests {
		at := &service{replies: []reply{{status: 404}}}
		one(t, registry(t, newClock(), channels.Config{URLs: map[string]string{tt.channel: tt.base}}, at), tt.channel,
			channels.Query{Text: tt.query})
		if path := at.asked[0].URL.EscapedPath(); path != tt.want {
			t.Errorf("%s %s: asked for %s, want %s", tt.channel, tt.base, path, tt.want)
		}
	}
}

// A 404 of a look-up means that the record does not exist; a 404 of a search does not.
func TestLookUps(t *testing.T) {
	tests := []struct {
		channel string
		found   string
	}{
		{"crossref", `{"status":"ok","message-type":"work","message":{"DOI":"10.5555/x","title":["T"]}}`},
		{"datacite", `{"data":{"id":"10.5555/x","type":"dois","attributes":{"doi":"10.5555/x","titles":[{"title":"T"}]}}}`},
		{"openalex", `{"id":"https://openalex.org/W1","doi":"https://doi.org/10.5555/x","title":"T"}`},
		{"unpaywall", `{"doi":"10.5555/x","title":"T","oa_status":"closed","best_oa_location":null}`},
	}
	for _, tt := range tests {
		t.Run(tt.channel, func(t *testing.T) {
			answers := func(status int, kind, body string) channels.Outcome {
				at := &service{kind: kind, replies: []reply{{status: status, body: body}}}
				out, _ := one(t, registry(t, newClock(), ready(), at), tt.channel, channels.Query{Text: "10.5555/x"})
				return out
			}
			if out := answers(200, "application/json", tt.found); out.Status != channels.StatusOK || out.Count != 1 {
				t.Errorf("found: %+v", out)
			}
			for _, body := range []string{"Resource not found.", `{"message":"no"}`, page} {
				if out := answers(404, "text/plain", body); out.Status != channels.StatusEmpty || out.Message == "" {
					t.Errorf("404 with %q: %+v", body, out)
				}
			}
			if out := answers(404, "text/html", challenge); out.Status != channels.StatusBlocked {
				t.Errorf("404 with a bot check: %+v", out)
			}
			if out := answers(200, "application/json", `{"status":"ok"}`); out.Status != channels.StatusMalformed {
				t.Errorf("another answer: %+v", out)
			}
		})
	}
}
