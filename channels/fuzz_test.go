package channels

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/loopstate"
)

// fuzzParser holds what every parser owes to any bytes: no panic, a Failure for an error, and results that
// clean to something with a title and an address.
func fuzzParser(f *testing.F, s webSource, parse func([]byte) ([]loopstate.Evidence, error), explain func(int, []byte) (Status, string)) {
	f.Helper()
	for _, seed := range []string{string(s.body(f)), s.empty, s.broken, s.other, s.inside, "null", "[]", "{}", "<a/>", "\xef\xbb\xbf" + s.empty} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		found, err := parse(body)
		if err != nil {
			if _, ok := errors.AsType[*Failure](err); !ok {
				t.Errorf("an error of type %T: %v", err, err)
			}
			if len(found) > 0 {
				t.Error("results beside an error")
			}
		}
		explain(400, body)
		kept, dropped := cleaned(found, Description{Name: s.name})
		if len(kept)+dropped != len(found) {
			t.Errorf("%d kept and %d dropped of %d", len(kept), dropped, len(found))
		}
		for _, e := range kept {
			if e.Title == "" || e.URL == "" || e.Source != s.name || utf8.RuneCountInString(e.Snippet) > maxSnippet || !utf8.ValidString(e.Title+e.Snippet) {
				t.Errorf("unclean: %+v", e)
			}
			if e.PublishedAt != normalDate(e.PublishedAt) {
				t.Errorf("date %q", e.PublishedAt)
			}
		}
	})
}

func FuzzParseWikipedia(f *testing.F) {
	fuzzParser(f, webSources()[0], func(b []byte) ([]loopstate.Evidence, error) { return parseWikipedia(b, "en") }, explainMediaWiki)
}

func FuzzParseCrossref(f *testing.F) {
	fuzzParser(f, webSources()[1], parseCrossref, explainCrossref)
}

func FuzzParseArxiv(f *testing.F) {
	fuzzParser(f, webSources()[2], parseArxiv, explainArxiv)
}

func FuzzParseSemanticScholar(f *testing.F) {
	fuzzParser(f, webSources()[3], parseSemanticScholar, explainSemanticScholar)
}

func FuzzPlainText(f *testing.F) {
	for _, s := range []string{"a < b", "&amp;lt;i&amp;gt;x", "<jats:p>x</jats:p>", "<<b>b>", "Vec<T>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := plainText(s)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\t\x00") || got != strings.TrimSpace(got) {
			t.Errorf("%q of %q", got, s)
		}
		if c := clip(got, 20); utf8.RuneCountInString(c) > 20 {
			t.Errorf("%q is not clipped", c)
		}
	})
}

func FuzzArxivTerms(f *testing.F) {
	for _, s := range []string{`what is "a b" c`, `"`, `"" x`, "who", "a) OR (b", "潮汐 C++ c#"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms := arxivTerms(text)
		if len(terms) > maxArxivTerms {
			t.Errorf("%d terms", len(terms))
		}
		for _, term := range terms { // nothing of the query can end a term and begin syntax
			inner, ok := strings.CutPrefix(term, "all:")
			if !ok || strings.ContainsAny(strings.Trim(inner, `"`), `"():[]`) || strings.Count(inner, `"`)%2 != 0 {
				t.Errorf("term %q of %q", term, text)
			}
		}
	})
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"1", "1e308", "-0", "Wed, 04 Mar 2026 05:07:07 GMT"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got := retryAfter(map[string][]string{"Retry-After": {value}}, time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC))
		if got < 0 || got > 24*time.Hour {
			t.Errorf("%s of %q", got, value)
		}
	})
}
