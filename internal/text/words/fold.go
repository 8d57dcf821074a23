package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold unifies the spellings of a word: compatibility forms (NFKC), case, the accents of Latin, Greek and Cyrillic letters,
// letters such as ø and ß that have no decomposition, typographic apostrophes and soft hyphens.
func Fold(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		r = unicode.ToLower(r)
		if to, ok := foldings[r]; ok {
			b.WriteString(to)
		} else if r < 0x300 || r > 0x36f { // an accent
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// foldings are letters and marks that have no decomposition.
var foldings = map[rune]string{
	'’': "'", '‘': "'", 'ʼ': "'", '\u00ad': "", utf8.RuneError: "",
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'ı': "i", 'ς': "σ",
}

// withoutPoints drops the apostrophes, points and commas inside a word.
var withoutPoints = strings.NewReplacer("'", "", ".", "", ",", "").Replace
