package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// accents maps spacing accents to combining marks. It omits ^, ~ and `, which have other meanings in ASCII.
var accents = map[rune]string{
	'´': "\u0301", 'ˋ': "\u0300", '¨': "\u0308", 'ˆ': "\u0302", '˜': "\u0303", '˝': "\u030b", 'ˇ': "\u030c", '˘': "\u0306",
	'˚': "\u030a", '¯': "\u0304", '˙': "\u0307", '¸': "\u0327",
}

// readable replaces ligatures by their letters, and combines accents that old TeX fonts print before their letter
// (Poincar´e, Erd˝os).
func readable(s string) string {
	s = document.SplitLigatures(s)
	if !strings.ContainsFunc(s, func(r rune) bool { return accents[r] != "" }) {
		return s
	}
	var out []rune
	for _, r := range s {
		if n := len(out); n > 0 && unicode.IsLetter(r) && accents[out[n-1]] != "" {
			letter := strings.NewReplacer("ı", "i", "ȷ", "j").Replace(string(r))
			// Only pairs that combine to one letter: others are apostrophes and mathematics.
			if whole := []rune(norm.NFC.String(letter + accents[out[n-1]])); len(whole) == 1 {
				out[n-1] = whole[0]
				continue
			}
		}
		out = append(out, r)
	}
	return string(out)
}

// isWide reports letters of scripts without spaces between words.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r < 0x3040 || r >= 0xff00 && r < 0xff66
}

func isRightToLeft(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x590 && r < 0x900 || r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xff00
	})
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

func letters(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func isAlphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func endsSentence(s string) bool {
	return strings.ContainsRune(".!?:;。！？", lastRune(strings.TrimRight(s, `"'”’»)] `)))
}

func startsSentence(s string) bool {
	r := firstRune(strings.TrimLeft(s, `"'“‘«([`))
	return unicode.IsUpper(r) || unicode.IsDigit(r) || isWide(r)
}

func lastWord(s string) string { return s[strings.LastIndexFunc(s, notInWord)+1:] }

func firstWord(s string) string {
	if i := strings.IndexFunc(s, notInWord); i >= 0 {
		return s[:i]
	}
	return s
}

func notInWord(r rune) bool { return !isAlphanumeric(r) && r != '-' && r != '\'' }

// raisedText writes figures above the line, such as an exponent or the marks of notes: 10⁶ is not 106.
func raisedText(text string) string {
	if above, ok := document.Raised(text, false); ok {
		return above
	}
	if raisedList.MatchString(text) {
		return "^" + text
	}
	return text
}

var (
	raisedList  = lazyregexp.New(`^[,–-]*\d[\d,–-]*$`)
	raisedMark  = lazyregexp.New(`^(?:[a-z]|[*†‡§])$`)   // of a note, but for figures
	noteMark    = lazyregexp.New(`^(?:\d{1,3}|[*†‡§])$`) // before a note
	endsInProse = lazyregexp.New(`[\p{L}\p{P}]{3}$`)     // and so is not a variable with an exponent
	bullet      = lazyregexp.New(`^[•·▪■◦‣∙●○–—*-]$`)
	itemNumber  = lazyregexp.New(`^(?:\d{1,3}[.)]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})\))$`)
	listMark    = lazyregexp.New(`^(?:[•·▪■◦‣∙●○–—*]\s|\[\d{1,3}\]\s|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]\s)`)
	leaders     = lazyregexp.New(`(?:\. ?){4,}`)
)
