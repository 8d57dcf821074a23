package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ContainsWord reports whether a text contains a word or name that is not part of a longer word: "mind" is not in "reminder".
// In scripts without word breaks, any occurrence counts.
func ContainsWord(text, word string) bool {
	if word == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(word):])
		first, _ := utf8.DecodeRuneInString(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		if !(Joins(before) && Joins(first)) && !(Joins(after) && Joins(last)) {
			return true
		}
		_, width := utf8.DecodeRuneInString(text[i:])
		from = i + width
	}
}

// Joins reports whether r is a letter or digit of a script with word breaks: two adjacent ones are in one word.
func Joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai)
}
