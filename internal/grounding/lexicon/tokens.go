package lexicon

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// token is a word, a character of a script without spaces, or a symbol. Hyphens and spaces only separate tokens.
type token struct {
	fold       string
	start, end int // bytes
	katakana   bool
}

var plainApostrophes = strings.NewReplacer("’", "'", "ʼ", "'", "\u00ad", "")

// Fold returns the form of a word for lookups: NFKC, lower case, plain apostrophes.
func Fold(s string) string {
	ascii := true
	for i := 0; i < len(s) && ascii; i++ {
		ascii = s[i] < utf8.RuneSelf
	}
	if !ascii {
		s = norm.NFKC.String(plainApostrophes.Replace(s))
	}
	return strings.ToLower(s)
}

func tokens(lang, text string) []token {
	var out []token
	for pos := 0; pos < len(text); {
		r, w := utf8.DecodeRuneInString(text[pos:])
		switch {
		case unspaced(r):
			fold := Fold(text[pos : pos+w])
			if lang != "ja" { // Japanese has its own forms
				fold = simplified(fold)
			}
			out = append(out, token{fold: fold, start: pos, end: pos + w, katakana: katakana(r)})
			pos += w
		case letter(r):
			end := wordEnd(lang, text, pos)
			out = append(out, token{fold: strings.ReplaceAll(Fold(text[pos:end]), ".", ""), start: pos, end: end})
			pos = end
		default:
			if !unicode.IsSpace(r) && !unicode.Is(unicode.Pd, r) {
				out = append(out, token{fold: Fold(text[pos : pos+w]), start: pos, end: pos + w})
			}
			pos += w
		}
	}
	return out
}

// simplified returns the simplified form of a Chinese character.
func simplified(character string) string {
	c, n := utf8.DecodeRuneInString(character)
	if s := wordlist.Simplified(c); s != c && n == len(character) {
		return string(s)
	}
	return character
}

// wordEnd returns where the word at pos ends. An apostrophe or the point of an abbreviation (U.S.) belongs to a
// word; in French the apostrophe of an elision (l', n') ends it.
func wordEnd(lang, text string, pos int) int {
	single, letters := true, 0
	for pos < len(text) {
		r, w := utf8.DecodeRuneInString(text[pos:])
		next, _ := utf8.DecodeRuneInString(text[pos+w:])
		switch {
		case letter(r):
			letters++
			single = single && letters == 1
		case (r == '\'' || r == '’' || r == 'ʼ') && letters > 0 && lang == "fr" && (letter(next) || pos+w == len(text)):
			return pos + w
		case (r == '\'' || r == '’' || r == 'ʼ') && letters > 0 && letter(next):
		case r == '.' && single && letter(next):
			letters = 0
		case r == '\u00ad':
		default:
			return pos
		}
		pos += w
	}
	return pos
}

// bounded reports whether the tokens from i to j form a phrase: a katakana word must not be part of a longer one.
func bounded(ts []token, i, j int) bool {
	before := i > 0 && ts[i].katakana && ts[i-1].katakana && ts[i-1].end == ts[i].start
	after := j+1 < len(ts) && ts[j].katakana && ts[j+1].katakana && ts[j].end == ts[j+1].start
	return !before && !after
}

func letter(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !unspaced(r)
}

func katakana(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }

// unspaced reports whether r belongs to a script that writes no spaces between words.
func unspaced(r rune) bool {
	return r >= 0x2e80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー' || r == '々' || r == '〇')
}
