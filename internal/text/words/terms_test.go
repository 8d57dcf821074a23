package words

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestTerms(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"stems and case", "Rivers flooded VILLAGES", []string{"river", "flood", "villag"}},
		{"diacritics and ligatures", "Café Øresund Straße ﬁsh", []string{"café"[:3] + "e", "oresund", "strass", "fish"}},
		{"numbers", "1,234.5 and １２ and 3.14", []string{"1234.5", "and", "12", "and", "3.14"}},
		{"possessive and contraction", "the mayor’s plan doesn't", []string{"the", "mayor", "plan", "doesnt"}},
		{"abbreviation", "U.S. law", []string{"us", "law"}},
		{"hyphen and letters with digits", "COVID-19 H2O", []string{"covid", "19", "h2o"}},
		{"Chinese pairs", "水温高 a 山", []string{"水温", "温高", "a", "山"}},
		{"kana and hangul", "カメラ 한국", []string{"カメ", "メラ", "한국"}},
		{"soft hyphen", "vil\u00adlage", []string{"villag"}},
		{"invalid bytes separate", "ab\xffcd", []string{"ab", "cd"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Terms(tt.text)); diff != "" {
				t.Errorf("Terms(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{"Rivers flooded", "１，２３４.5 水温", "U.S.A. don't", "\xff\x80", "e\u0301\u0301", "ﬁ½²",
		"ก็ก็",
		strings.Repeat("a", 200)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		points := codePoints(text)
		var a Analyzer
		last := -1
		a.Tokens(text, func(k Token) {
			if k.Term == "" || k.Start < last || k.End <= k.Start || k.End > len(points) {
				t.Fatalf("token %+v", k)
			}
			if got := strings.Join(points[k.Start:k.End], ""); got != text[k.ByteStart:k.ByteEnd] {
				t.Fatalf("token %+v: code points say %q, bytes %q", k, got, text[k.ByteStart:k.ByteEnd])
			}
			if utf8.RuneCountInString(k.Term) > 20*maxWordBytes {
				t.Fatalf("a term of %d bytes", len(k.Term))
			}
			last = k.Start
		})
	})
}
