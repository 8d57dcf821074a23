package channels

import (
	"errors"
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

// checkParser checks a parser of its own with any bytes.
func checkParser(t *testing.T, name string, body []byte, parse func([]byte) ([]Result, error), explain func(int, []byte) (Status, string)) {
	t.Helper()
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
	checkResults(t, name, found)
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

func FuzzParsePubMedIDs(f *testing.F) {
	for _, seed := range []string{`{"esearchresult":{"idlist":["1","2"]}}`, `<eSearchResult><IdList><Id>1</Id></IdList></eSearchResult>`, `{"error":"API rate limit exceeded"}`, "<", "{"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		ids, err := parsePubMedIDs(body)
		if _, ok := errors.AsType[*Failure](err); err != nil && (!ok || len(ids) > 0) {
			t.Errorf("%d ids with an error of type %T", len(ids), err)
		}
		for _, id := range ids {
			if pmid(id) != "pmid:"+id {
				t.Errorf("id %q", id)
			}
		}
	})
}

// FuzzLuceneQuery checks that no plain query can end a term and begin syntax.
func FuzzLuceneQuery(f *testing.F) {
	for _, s := range []string{`what is "a b" c`, `"`, `a) OR (b`, "C++ AND c#", "title:x", "潮汐 [a TO b]", "10.1000/x", "a:b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := luceneQuery(text)
		if luceneSyntax.MatchString(text) {
			if got != text {
				t.Errorf("%q became %q", text, got)
			}
			return
		}
		if strings.ContainsAny(got, `()[]{}:^~*?\/!&|`) || strings.Count(got, `"`)%2 != 0 {
			t.Errorf("%q of %q", got, text)
		}
		for _, word := range []string{" AND ", " OR ", " NOT "} {
			if strings.Contains(" "+got+" ", word) && !strings.Contains(got, `"`) {
				t.Errorf("%q of %q", got, text)
			}
		}
	})
}

func FuzzIDs(f *testing.F) {
	for _, s := range []string{"978-3-16-148410-0", "0-306-40615-2", "080442957X", "PMC123", "https://pubmed.ncbi.nlm.nih.gov/12", "W1", "arXiv:2101.00001v2", "10.1000/x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, id := range []string{isbn(s), pmid(s), pmcid(s), openAlexID(s), s2ID(s), arxivKey(s), doiID(s)} {
			if id != "" && len(cleanIDs([]string{id})) == 0 && len(id) <= 300 {
				t.Errorf("%q of %q is not kept", id, s)
			}
		}
		if got := isbn(s); got != "" && isbn(strings.TrimPrefix(got, "isbn:")) != got {
			t.Errorf("isbn %q of %q does not repeat", got, s)
		}
	})
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
		for _, term := range terms { // no query can end a term and begin syntax
			inner, ok := strings.CutPrefix(term, "all:")
			if !ok || strings.ContainsAny(strings.Trim(inner, `"`), `"():[]`) || strings.Count(inner, `"`)%2 != 0 {
				t.Errorf("term %q of %q", term, text)
			}
		}
	})
}
