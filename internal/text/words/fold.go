package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold unifies the spellings of a word: compatibility forms (NFKC), case, the accents of Latin, Greek and Cyrillic letters,
// letters such as ø and ß that have no decomposition, the vowel signs of Arabic and Hebrew with the variants of Arabic letters,
// typographic apostrophes and soft hyphens.
func Fold(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		r = unicode.ToLower(r)
		if to, ok := foldings[r]; ok {
			b.WriteString(to)
		} else if !sign(r) {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// sign reports an accent, or a sign of a vowel that most texts leave out.
func sign(r rune) bool {
	return r >= 0x300 && r <= 0x36f || r >= 0x591 && r <= 0x5c7 || r >= 0x64b && r <= 0x65f || r == 0x670
}

// foldings are letters and marks that have no decomposition.
var foldings = map[rune]string{
	'’': "'", '‘': "'", 'ʼ': "'", '\u00ad': "", utf8.RuneError: "",
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'ı': "i", 'ς': "σ",
	'ـ': "", 'ى': "ي", 'ی': "ي", 'ک': "ك", 'ة': "ه", '\u200c': "", '\u200d': "",
}

// withoutPoints drops the apostrophes, points and commas inside a word.
var withoutPoints = strings.NewReplacer("'", "", ".", "", ",", "").Replace
