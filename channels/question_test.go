package channels

import (
	"slices"
	"strings"
	"testing"
)

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

// Signs of other languages match whole words too, and none is a common English word.
func TestSignsOfLanguagesCanMatch(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: long, and nothing runs beside it")
	}
	for _, language := range otherSigns {
		for _, s := range language.signs {
			for words := range strings.SplitSeq(s.words, "|") {
				text := "x " + strings.TrimSuffix(words, "*") + " y"
				if language.name == "Japanese" {
					text = "水車の" + words // without kana it would be Chinese
				}
				if strings.HasSuffix(words, "*") {
					text = "x " + strings.TrimSuffix(words, "*") + "en y"
				}
				if got := signsIn(text); !slices.ContainsFunc(got, func(f foundSign) bool {
					return f.kind == s.kind && (len(f.languages) == 0 || slices.Contains(f.languages, language.name))
				}) {
					t.Errorf("%s: %q is not a sign of %s", language.name, words, s.kind)
				}
			}
		}
	}
	english := "The tidal mills of the north turn with the sea, and their millers sell flour to the towns; a note on the sale of grain, the rights of way, " +
		"the legal sense of a mill, its lease and its loss, the annual fair, in terms of labour, and why anyone would now mend one in a hurry or leave it be"
	if got := signsIn(english); slices.ContainsFunc(got, func(f foundSign) bool { return len(f.languages) > 0 }) {
		t.Errorf("English words are signs of other languages: %v", got)
	}
}

// Signs are matched against a query in lower case, as whole words.
func TestSignsCanMatch(t *testing.T) {
	for _, s := range signs {
		for sign := range strings.SplitSeq(s.words, "|") {
			if got := signsIn("x " + sign + " y"); !slices.ContainsFunc(got, func(f foundSign) bool { return f.kind == s.kind }) {
				t.Errorf("%q is not a sign of %s: %v", sign, s.kind, got)
			}
		}
	}
}
