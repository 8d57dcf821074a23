package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// readable writes the signs that a typesetter put together as the letters that they stand for: ligatures, and
// the accents that old fonts of TeX print before their letter (Poincar´e, Erd˝os).
func readable(s string) string {
	s = ligatures.Replace(s)
	if !strings.ContainsFunc(s, isAccent) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		mark, ok := accents[r]
		letter, m := utf8.DecodeRuneInString(s[i+n:])
		if letter == 'ı' {
			letter = 'i'
		}
		if ok && unicode.IsLetter(letter) {
			// Only what is one letter with its accent: others are apostrophes and mathematics.
			if whole := norm.NFC.String(string(letter) + string(mark)); utf8.RuneCountInString(whole) == 1 {
				b.WriteString(whole)
				i += n + m
				continue
			}
		}
		b.WriteRune(r)
		i += n
	}
	return b.String()
}

func isAccent(r rune) bool { return accents[r] != 0 }

// accents are the spacing forms and the marks that they are when they combine. ^, ~ and ` are not among them:
// they are signs of their own in ASCII.
var accents = map[rune]rune{
	'´': 0x301, 'ˋ': 0x300, '¨': 0x308, 'ˆ': 0x302, '˜': 0x303, '˝': 0x30b, 'ˇ': 0x30c, '˘': 0x306, '˚': 0x30a, '¯': 0x304, '˙': 0x307, '¸': 0x327,
}
