package channels_test

import (
	"encoding/json"
	"fmt"
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

// oddValues replace documented values: other types, empty values and invalid text.
var oddValues = []any{nil, 0.5, -1, true, "", "�\u0000", []any{}, []any{nil, 1, "x", []any{}}, map[string]any{}, map[string]any{"x": nil}}

// One invalid value removes at most its own record; the others are still found. The list of records is the longest list
// of objects in the fixture.
func TestInvalidValueCostsOneRecord(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: long, and nothing runs beside it")
	}
	for _, s := range webSources() {
		if s.kind != "application/json" {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			var doc any
			if err := json.Unmarshal([]byte(s.full), &doc); err != nil {
				t.Fatal(err)
			}
			kept := func() int {
				body, err := json.Marshal(doc)
				if err != nil {
					t.Fatal(err)
				}
				_, found := s.answered(t, 200, string(body), "tidal mills")
				return len(found)
			}
			whole := kept()
			records, path := recordsOf(doc, "")
			if whole == 0 || len(records) < 2 {
				t.Fatalf("%d results of the fixture, %d records", whole, len(records))
			}
			places(records, path, func(place string, set func(any)) {
				for _, value := range oddValues {
					if set(value); kept() < whole-1 {
						t.Errorf("%s = %#v: %d results of %d", place, value, kept(), whole)
					}
				}
			})
		})
	}
}

// recordsOf returns the longest list of objects in a document, and its path. It prefers a shallower list.
func recordsOf(doc any, path string) (list []any, at string) {
	switch v := doc.(type) {
	case []any:
		for _, item := range v {
			if _, ok := item.(map[string]any); ok {
				return v, path
			}
		}
	case map[string]any:
		for key, value := range v {
			if inner, where := recordsOf(value, path+"."+key); len(inner) > len(list) {
				list, at = inner, where
			}
		}
	}
	return list, at
}

// places calls do for each place in a value with a function that sets it, and restores the value.
func places(value any, path string, do func(place string, set func(any))) {
	switch v := value.(type) {
	case []any:
		for i, was := range v {
			place := fmt.Sprintf("%s[%d]", path, i)
			do(place, func(x any) { v[i] = x })
			v[i] = was
			places(was, place, do)
		}
	case map[string]any:
		for key, was := range v {
			place := path + "." + key
			do(place, func(x any) { v[key] = x })
			v[key] = was
			places(was, place, do)
		}
	}
}
