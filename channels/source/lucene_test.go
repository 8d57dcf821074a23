package source

import (
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
