package normal

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestID(t *testing.T) {
	for _, tt := range []struct{ kind, said, want string }{
		{"isbn", "978-3-16-148410-0", "isbn:9783161484100"}, {"isbn", "080442957X", "isbn:9780804429573"},
		{"isbn", "978-3-16-148410-1", ""}, {"isbn", "978-3-16-148410-0 (print)", ""},
		{"pmid", "0012", "pmid:12"}, {"pmid", "none", ""}, {"pmcid", "pmc-id: PMC1762328;", "pmcid:PMC1762328"},
		{"openalex", "https://openalex.org/w123", "openalex:W123"}, {"openalex", "https://openalex.org/A123", ""},
		{"arxiv", "arXiv:2101.00001v4", "arxiv:2101.00001"}, {"arxiv", "2101", ""},
		{"doi", "https://doi.org/10.48550/ARXIV.2101.00001", "arxiv:2101.00001"}, {"doi", "doi:10.5555/ABC", "doi:10.5555/abc"},
		{"s2", "204e3073870fae3d05bcbc2f6a8e263d9b72e776", "s2:204e3073870fae3d05bcbc2f6a8e263d9b72e776"},
	} {
		if got := ID(tt.kind, tt.said); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.kind, tt.said, got, tt.want)
		}
	}
	for query, want := range map[string]string{" https://doi.org/10.5555/ABC. ": "10.5555/abc", "what says 10.5555/abc": ""} {
		if got := WholeQueryDOI(query); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
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
