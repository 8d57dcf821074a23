package words

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Terms lists what a text can be searched by, in order: words folded and stemmed as English, numbers without their
// thousands separators, and scripts without spaces (Chinese, Japanese, Korean and those of South-East Asia) as pairs of
// neighbouring characters, or one alone as itself.
func Terms(text string) []string {
	var a Analyzer
	var out []string
	a.Tokens(text, func(t Token) { out = append(out, t.Term) })
	return out
}

// Token is one term where it is. Start and End count code points, ByteStart and ByteEnd bytes; the
// tokens of a script without spaces overlap by one character.
type Token struct {
	Term               string
	Start, End         int
	ByteStart, ByteEnd int
	Pair               bool // a pair of characters, or one alone, of a script without spaces
}

// Analyzer makes tokens and remembers the stems it has worked out: stemming is most of the cost, and a text
// uses few words often. The zero value reads English. It is not safe for concurrent use.
type Analyzer struct {
	language string
	known    map[string]string // the terms of words
}

// NewAnalyzer reads text of a language, named by its primary subtag ("de"). Words of a language that has no
// stemmer here are folded and no more; "" is English.
func NewAnalyzer(language string) *Analyzer { return &Analyzer{language: language} }

const (
	maxWordBytes  = 64      // of one word are kept: longer ones are data, not language (chosen)
	maxKnownWords = 200_000 // bound the memory of an Analyzer; a large English vocabulary fits (chosen)
)

// Tokens calls yield with every token of text, in order.
func (a *Analyzer) Tokens(text string, yield func(Token)) {
	before := false // the character before belongs to a script without spaces
	for pos, n := 0, 0; pos < len(text); {
		r, w := utf8.DecodeRuneInString(text[pos:])
		t := Token{Start: n, End: n + 1, ByteStart: pos, ByteEnd: pos + w, Pair: unspaced(r)}
		is := wordRune(r)
		pos, n = t.ByteEnd, t.End
		if t.Pair {
			next, w := utf8.DecodeRuneInString(text[pos:])
			pair := unspaced(next)
			if is = pair || !before; pair {
				t.End, t.ByteEnd = n+1, pos+w
			}
		} else if is {
			t.ByteEnd, t.End = wordEnd(text, t.ByteStart, t.Start)
			pos, n = t.ByteEnd, t.End
		}
		if before = t.Pair; is {
			if t.Term = a.word(text[t.ByteStart:t.ByteEnd]); t.Term != "" {
				yield(t)
			}
		}
	}
}

// wordEnd returns where the word that begins at pos ends. An apostrophe, or the point of an abbreviation
// such as U.S., belongs to the word between letters; a point or comma belongs to a number between digits.
func wordEnd(text string, pos, n int) (int, int) {
	var previous rune
	letters := 0 // since the last point
	for pos < len(text) {
		r, w := utf8.DecodeRuneInString(text[pos:])
		next, _ := utf8.DecodeRuneInString(text[pos+w:])
		switch {
		case wordRune(r):
			letters++
		case strings.ContainsRune("'’\u00ad", r) && unicode.IsLetter(previous) && wordRune(next):
		case r == '.' && letters == 1 && unicode.IsLetter(previous) && unicode.IsLetter(next),
			(r == '.' || r == ',') && digit(previous) && digit(next):
			letters = 0
		default:
			return pos, n
		}
		previous, pos, n = r, pos+w, n+1
	}
	return pos, n
}

func digit(r rune) bool { return r >= '0' && r <= '9' || r >= '０' && r <= '９' }

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !unspaced(r)
}

// Spaced reports whether c is a letter or digit of words that have spaces around them.
func Spaced(c rune) bool {
	return c != utf8.RuneError && c < 0x2e80 && (unicode.IsLetter(c) || unicode.IsNumber(c))
}

// unspaced reports whether r belongs to a script that writes no spaces between words.
func unspaced(r rune) bool {
	return r >= 0x0e00 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// word folds and stems one word. The term is empty for a word of which folding leaves nothing.
func (a *Analyzer) word(word string) string {
	if len(word) > maxWordBytes {
		word = strings.ToValidUTF8(word[:maxWordBytes], "")
	}
	if term, ok := a.known[word]; ok {
		return term
	}
	term := Fold(word)
	if strings.Trim(term, "0123456789.,") == "" {
		term = strings.ReplaceAll(term, ",", "")
	} else {
		term = stem(cmp.Or(a.language, "en"), word, withoutPoints(strings.TrimSuffix(term, "'s")))
	}
	if a.known == nil {
		a.known = map[string]string{}
	}
	if len(a.known) < maxKnownWords {
		a.known[strings.Clone(word)] = term
	}
	return term
}
