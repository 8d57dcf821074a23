package normal

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzIDs(f *testing.F) {
	for _, s := range []string{"978-3-16-148410-0", "0-306-40615-2", "080442957X", "PMC123", "https://pubmed.ncbi.nlm.nih.gov/12", "W1",
		"arXiv:2101.00001v2", "10.1000/x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, kind := range IDKinds {
			id := ID(kind, s)
			if id != "" && len(CleanIDs([]string{id})) == 0 && len(id) <= 300 {
				t.Errorf("%q of %q is not kept", id, s)
			}
		}
		if got := ID("isbn", s); got != "" && ID("isbn", strings.TrimPrefix(got, "isbn:")) != got {
			t.Errorf("isbn %q of %q does not repeat", got, s)
		}
	})
}

func FuzzPlainText(f *testing.F) {
	for _, s := range []string{"a < b", "&amp;lt;i&amp;gt;x", "<jats:p>x</jats:p>", "<<b>b>", "Vec<T>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Plain(s)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\t\x00") || got != strings.TrimSpace(got) {
			t.Errorf("%q of %q", got, s)
		}
		if c := Clip(got, 20); utf8.RuneCountInString(c) > 20 {
			t.Errorf("%q is not clipped", c)
		}
	})
}
