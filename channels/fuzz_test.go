package channels_test

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/docid"
)

// answered searches a channel whose service answers every request with a body, and returns the outcome and the results.
func (s webSource) answered(t *testing.T, code int, body []byte, q channels.Query) (channels.Outcome, []channels.Ranked) {
	t.Helper()
	client := &http.Client{Transport: roundTrip(func(r *http.Request) *http.Response {
		for suffix, other := range s.aside {
			if strings.HasSuffix(r.URL.Path, suffix) {
				return response(200, s.kind, []byte(other))
			}
		}
		return response(code, s.kind, body)
	})}
	cfg := ready(channels.Config{Client: client})
	cfg.URLs["zotero"] = "http://127.0.0.1:23119/api/users/0"
	r := registry(t, newClock(), cfg)
	q.Limit = channels.MaxLimit
	return one(t, r, s.name, q)
}

// FuzzAnswers checks every channel with any answer of its service: no panic, a known outcome, and clean results.
func FuzzAnswers(f *testing.F) {
	sources := map[string]webSource{}
	for _, s := range webSources() {
		sources[s.name] = s
		for _, seed := range []string{string(s.body(f)), s.empty, s.broken, s.other, s.inside, "null", "[]", "{}", "<a/>",
			"\xef\xbb\xbf" + s.empty} {
			f.Add(s.name, true, []byte(seed))
		}
		f.Add(s.name, false, []byte(s.inside))
	}
	f.Fuzz(func(t *testing.T, name string, accepted bool, body []byte) {
		s, ok := sources[name]
		if !ok {
			return
		}
		code, q := 200, channels.Query{Text: "tidal mills"}
		if !accepted {
			code, q.Text = 400, "10.5555/tide.1" // the look-up of a record, where the channel has one
		}
		out, found := s.answered(t, code, body, q)
		if strings.Contains(out.Message, "bug in citeloop") || strings.Contains(out.Message, "the channel failed") ||
			len(found) > out.Count {
			t.Errorf("%+v with %d results", out, len(found))
		}
		if !accepted && len(found) > 0 {
			t.Errorf("%d results of a refusal", len(found))
		}
		checkResults(t, name, found)
	})
}

// checkResults checks that results are clean, and that each is another work with its key.
func checkResults(t *testing.T, name string, found []channels.Ranked) {
	t.Helper()
	keys := map[string]bool{}
	for _, r := range found {
		if r.Title == "" || r.URL == "" || r.Source != name || utf8.RuneCountInString(r.Snippet) > 600 ||
			!utf8.ValidString(r.Title+r.Snippet) {
			t.Errorf("unclean: %+v", r)
		}
		if r.PublishedAt != normal.Date(r.PublishedAt) || !docid.ValidSourceType(r.SourceType) {
			t.Errorf("date %q, source type %q", r.PublishedAt, r.SourceType)
		}
		if r.Key == "" || r.Key != r.Evidence.Key() || len(r.Ranks) != 1 || keys[r.Key] {
			t.Errorf("key %q of %+v", r.Key, r)
		}
		keys[r.Key] = true
	}
}
