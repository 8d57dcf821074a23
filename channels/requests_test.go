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
		{"pubmed", "http://replay.example/e/", "tides", "/e/esearch.fcgi"},
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
	const text, data = "text/plain", "application/json"
	for _, tt := range []struct {
		code       int
		kind, body string
		want       channels.Status
	}{
		{200, data, `{"status":"ok","message-type":"work","message":{"DOI":"10.5555/x","title":["T"]}}`, channels.StatusOK},
		{200, data, `{"status":"ok"}`, channels.StatusMalformed},
		{404, text, "Resource not found.", channels.StatusEmpty},
		{404, text, page, channels.StatusEmpty},
		{404, "text/html", challenge, channels.StatusBlocked},
	} {
		at := &service{kind: tt.kind, replies: []reply{{status: tt.code, body: tt.body}}}
		out, _ := one(t, registry(t, newClock(), ready(), at), "crossref", channels.Query{Text: "10.5555/x"})
		if out.Status != tt.want || out.Status == channels.StatusEmpty && out.Message == "" {
			t.Errorf("%d %s: %+v", tt.code, tt.body, out)
		}
	}
}
