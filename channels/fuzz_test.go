package channels

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/docid"
)

// answered searches a channel whose service answers every request with a body, and returns the outcome and the results.
func (s webSource) answered(t *testing.T, code int, body []byte, q Query) (Outcome, []Result) {
	t.Helper()
	client := &http.Client{Transport: roundTrip(func(r *http.Request) *http.Response {
		for suffix, other := range s.aside {
			if strings.HasSuffix(r.URL.Path, suffix) {
				return response(200, s.kind, []byte(other))
			}
		}
		return response(code, s.kind, body)
	})}
	cfg := ready(Config{Client: client})
	cfg.URLs["zotero"] = "http://127.0.0.1:23119/api/users/0"
	r := registry(t, newClock(), cfg)
	q.Limit = MaxLimit
	return r.search(t.Context(), r.client(s.name), q)
}

// FuzzAnswers checks every channel with any answer of its service: no panic, a known outcome, and clean results.
func FuzzAnswers(f *testing.F) {
	sources := map[string]webSource{}
	for _, s := range webSources() {
		sources[s.name] = s
		for _, seed := range []string{string(s.body(f)), s.empty, s.broken, s.other, s.inside, "null", "[]", "{}", "<a/>", "\xef\xbb\xbf" + s.empty} {
			f.Add(s.name, true, []byte(seed))
		}
		f.Add(s.name, false, []byte(s.inside))
	}
	f.Fuzz(func(t *testing.T, name string, accepted bool, body []byte) {
		s, ok := sources[name]
		if !ok {
			return
		}
		code, q := 200, Query{Text: "tidal mills"}
		if !accepted {
			code, q.Text = 400, "10.5555/tide.1" // the look-up of a record, where the channel has one
		}
		out, found := s.answered(t, code, body, q)
		if strings.Contains(out.Message, "bug in citeloop") || strings.Contains(out.Message, "the channel failed") || len(found) != out.Count {
			t.Errorf("%+v with %d results", out, len(found))
		}
		if !accepted && len(found) > 0 {
			t.Errorf("%d results of a refusal", len(found))
		}
		checkResults(t, name, found)
	})
}

func checkResults(t *testing.T, name string, found []Result) {
	t.Helper()
	kept, dropped := cleaned(found, name, false)
	if len(kept)+dropped != len(found) {
		t.Errorf("%d kept and %d dropped of %d", len(kept), dropped, len(found))
	}
	for _, e := range kept {
		if e.Title == "" || e.URL == "" || e.Source != name || utf8.RuneCountInString(e.Snippet) > maxSnippet || !utf8.ValidString(e.Title+e.Snippet) {
			t.Errorf("unclean: %+v", e)
		}
		if e.PublishedAt != normalDate(e.PublishedAt) {
			t.Errorf("date %q", e.PublishedAt)
		}
		if !docid.ValidSourceType(e.SourceType) {
			t.Errorf("source type %q", e.SourceType)
		}
	}
	// Whatever ids a source sends, Fuse returns one result for each work, with its key.
	fused := Fuse([]List{{Channel: name, Results: kept}})
	places := 0
	for _, r := range fused {
		places += len(r.Ranks)
		if r.Key == "" || r.Key != r.Evidence.Key() {
			t.Errorf("key %q of %+v", r.Key, r.Evidence)
		}
	}
	if len(fused) > len(kept) || places != len(fused) {
		t.Errorf("%d works of %d results", len(fused), len(kept))
	}
}
