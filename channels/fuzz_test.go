package channels_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/docid"
)

// FuzzAnswers checks every channel with any answer of its service: no panic, a known outcome, and clean results.
func FuzzAnswers(f *testing.F) {
	sources := map[string]webSource{}
	for _, s := range webSources() {
		sources[s.name] = s
		for _, seed := range []string{s.full, s.empty, s.broken, s.other, s.inside, "null", "[]", "{}", "<a/>",
			"\xef\xbb\xbf" + s.empty} {
			f.Add(s.name, true, seed)
		}
		f.Add(s.name, false, s.inside)
	}
	f.Fuzz(func(t *testing.T, name string, accepted bool, body string) {
		s, ok := sources[name]
		if !ok {
			return
		}
		code, text := 200, "tidal mills"
		if !accepted {
			code, text = 400, "10.5555/tide.1" // the look-up of a record, where the channel has one
		}
		out, found := s.answered(t, code, body, text)
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
