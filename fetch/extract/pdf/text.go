package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// readable replaces ligatures by their letters, and combines accents that old TeX fonts print before their letter
// (Poincar´e, Erd˝os).
func readable(s string) string {
	s = document.SplitLigatures(s)
	if !strings.ContainsFunc(s, isAccent) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		_, m := utf8.DecodeRuneInString(s[i+n:])
		// Only pairs that combine to one letter: others are apostrophes and mathematics.
		if whole, ok := compose(s[i+n:i+n+m], accents[r]); ok {
			b.WriteString(whole)
			i += n + m
			continue
		}
		b.WriteRune(r)
		i += n
	}
	return b.String()
}

func isAccent(r rune) bool { return accents[r] != 0 }

// accents maps spacing accents to combining marks. It omits ^, ~ and `, which have other meanings in ASCII.
var accents = map[rune]rune{
	'´': 0x301, 'ˋ': 0x300, '¨': 0x308, 'ˆ': 0x302, '˜': 0x303, '˝': 0x30b, 'ˇ': 0x30c, '˘': 0x306, '˚': 0x30a, '¯': 0x304,
	'˙': 0x307,
	'¸': 0x327,
}

// compose combines a letter with an accent, if it is one and there is such a letter.
func compose(letter string, mark rune) (string, bool) {
	switch letter {
	case "ı":
		letter = "i"
	case "ȷ":
		letter = "j"
	}
	if r, n := utf8.DecodeRuneInString(letter); mark == 0 || n != len(letter) || !unicode.IsLetter(r) {
		return "", false
	}
	whole := norm.NFC.String(letter + string(mark))
	return whole, utf8.RuneCountInString(whole) == 1
}

// isWide reports letters of scripts without spaces between words.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r < 0x3040 || r >= 0xff00 && r < 0xff66
}

func isWideText(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isWide(r)
}

func isRightToLeft(s string) bool {
	for _, r := range s {
		if r >= 0x590 && r < 0x900 || r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xff00 {
			return true
		}
	}
	return false
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

func letters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

func endsInLetter(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func endsSentence(s string) bool {
	s = strings.TrimRight(s, `"'”’»)]`+" ")
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?:;。！？", r)
}

func startsSentence(s string) bool {
	s = strings.TrimLeft(s, `"'“‘«([`)
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) || unicode.IsDigit(r) || isWide(r)
}

func lastWord(s string) string {
	return s[strings.LastIndexFunc(s, notInWord)+1:]
}

func firstWord(s string) string {
	if i := strings.IndexFunc(s, notInWord); i >= 0 {
		return s[:i]
	}
	return s
}

func notInWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '\''
}

// endsInProse reports whether a word ends in three letters or punctuation marks, and so is not a variable with an exponent.
func endsInProse(s string) bool {
	n := 0
	for s != "" && n < 3 {
		r, size := utf8.DecodeLastRuneInString(s)
		if !unicode.IsLetter(r) && !unicode.IsPunct(r) {
			return false
		}
		s = s[:len(s)-size]
		n++
	}
	return n == 3
}

// isNoteMark reports whether a word may be the mark of a note: digits, one lower-case letter, or a symbol.
func isNoteMark(s string) bool {
	if len(s) == 0 || len(s) > 3 {
		return false
	}
	return noteMark.MatchString(s) || len(s) == 1 && 'a' <= s[0] && s[0] <= 'z'
}

var noteMark = lazyregexp.New(`^(?:\d{1,3}|[*†‡§])$`)

var bullet = lazyregexp.New(`^[•·▪■◦‣∙●○–—*-]$`)

var itemNumber = lazyregexp.New(`^(?:\d{1,3}[.)]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})\))$`)

var listMark = lazyregexp.New(`^(?:[•·▪■◦‣∙●○–—*]\s|\[\d{1,3}\]\s|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]\s)`)

var leaders = lazyregexp.New(`(?:\. ?){4,}`)
