package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Terms lists what a text can be searched by, in order: words folded (NFKC, case, diacritics) and stemmed as
// English, numbers without their thousands separators, and Chinese, Japanese, Korean and the scripts of
// South-East Asia, which write no spaces, as pairs of neighbouring characters (a character alone as itself).
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
	// Word numbers the word as it is written: one analyzer gives the same number for the same word, counting up
	// from 1, and a word always has the same term. 0 = it was not remembered.
	Word int
}

// Analyzer makes tokens and remembers the stems it has worked out: stemming is most of the cost, and a text
// uses few words often. The zero value reads English. It is not safe for concurrent use.
type Analyzer struct {
	stems   map[string]stem
	stemmer stemmer
}

// stem is what an analyzer remembers of a word.
type stem struct {
	term   string
	number int
}

// NewAnalyzer reads text of a language, named by its primary subtag ("de"). Words of a language that has no
// stemmer here are folded and no more; "" is English.
func NewAnalyzer(language string) *Analyzer { return &Analyzer{stemmer: stemmerOf(language)} }

const (
	// maxWordChars bounds what is kept of one word: longer ones are data, not language (chosen).
	maxWordChars = 64
	// maxStems bounds the memory of an Analyzer; a large English vocabulary fits (chosen).
	maxStems = 200_000
)

// Tokens calls yield with every token of text, in order.
func (a *Analyzer) Tokens(text string, yield func(Token)) {
	pos, n := 0, 0 // bytes, code points
	for pos < len(text) {
		if c := text[pos]; c < utf8.RuneSelf && !asciiWord(c) {
			pos++
			n++
			continue
		}
		r, w := utf8.DecodeRuneInString(text[pos:])
		switch {
		case unspaced(r):
			pos, n = pairs(text, pos, n, yield)
		case wordRune(r):
			end, endN := wordEnd(text, pos, n)
			if s := a.stem(text[pos:end]); s.term != "" {
				yield(Token{Term: s.term, Start: n, End: endN, ByteStart: pos, ByteEnd: end, Word: s.number})
			}
			pos, n = end, endN
		default:
			pos += w
			n++
		}
	}
}

// pairs yields the character pairs of one run of a script without spaces.
func pairs(text string, pos, n int, yield func(Token)) (int, int) {
	start, startN := pos, n
	prev := -1 // byte offset of the character before
	var prevN int
	for pos < len(text) {
		r, w := utf8.DecodeRuneInString(text[pos:])
		if !unspaced(r) {
			break
		}
		if prev >= 0 {
			yield(Token{Term: foldRunes(text[prev : pos+w]), Start: prevN, End: n + 1, ByteStart: prev, ByteEnd: pos + w, Pair: true})
		}
		prev, prevN = pos, n
		pos += w
		n++
	}
	if n-startN == 1 {
		yield(Token{Term: foldRunes(text[start:pos]), Start: startN, End: n, ByteStart: start, ByteEnd: pos, Pair: true})
	}
	return pos, n
}

// wordEnd returns where the word that begins at pos ends. An apostrophe, or the point of an abbreviation
// such as U.S., belongs to the word between letters; a point or comma belongs to a number between digits.
func wordEnd(text string, pos, n int) (int, int) {
	var prev rune
	single := true // so far only single letters with points between: U.S.A
	runes := 0     // letters since the last point
	for pos < len(text) {
		if asciiWord(text[pos]) {
			runes++
			single = single && runes == 1
			prev = rune(text[pos])
			pos++
			n++
			continue
		}
		r, w := utf8.DecodeRuneInString(text[pos:])
		switch {
		case wordRune(r):
			runes++
			if runes > 1 {
				single = false
			}
		case runes > 0 && joins(r, prev, text[pos+w:], single):
			if r == '.' {
				runes = 0
			}
		default:
			return pos, n
		}
		prev = r
		pos += w
		n++
	}
	return pos, n
}

func joins(r, prev rune, rest string, single bool) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	switch r {
	case '\'', '’', '\u00ad':
		return unicode.IsLetter(prev) && wordRune(next)
	case '.', ',':
		if digit(prev) && digit(next) {
			return true
		}
		return r == '.' && single && unicode.IsLetter(prev) && unicode.IsLetter(next)
	}
	return false
}

func digit(r rune) bool { return r >= '0' && r <= '9' || r >= '０' && r <= '９' }

func asciiWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord(byte(r))
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) && !unspaced(r)
}

// unspaced reports whether r belongs to a script that writes no spaces between words.
func unspaced(r rune) bool {
	if r < 0x0e00 {
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) ||
		r == 'ー' || r == '々' || r == '〇'
}

// stem folds and stems one word. Its term is empty for a word of which folding leaves nothing.
func (a *Analyzer) stem(word string) stem {
	if len(word) > maxWordChars {
		word = firstRunes(word, maxWordChars)
	}
	if s, ok := a.stems[word]; ok {
		return s
	}
	folded := Fold(word)
	s := folded
	if plainNumber(folded) {
		s = strings.ReplaceAll(folded, ",", "")
	} else {
		s = strings.TrimSuffix(s, "'s")
		s = withoutPoints(s)
		if a.stemmer.stem == nil {
			a.stemmer = stemmerOf("")
		}
		s = a.stemmer.apply(word, s)
	}
	if a.stems == nil {
		a.stems = make(map[string]stem)
	}
	if len(a.stems) == maxStems {
		return stem{term: s}
	}
	known := stem{term: s, number: len(a.stems) + 1}
	a.stems[strings.Clone(word)] = known
	return known
}

// withoutPoints drops the apostrophes, points and commas inside a word.
func withoutPoints(s string) string {
	if !strings.ContainsAny(s, "'.,") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '\'' && c != '.' && c != ',' {
			b = append(b, c)
		}
	}
	return string(b)
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func plainNumber(s string) bool {
	for _, r := range s {
		if !(r >= '0' && r <= '9' || r == '.' || r == ',') {
			return false
		}
	}
	return true
}

func asciiLetters(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// Fold brings the spellings of one word together: compatibility forms (NFKC), case, the accents of Latin,
// Greek and Cyrillic letters, letters such as ø and ß that have no decomposition, typographic apostrophes and
// soft hyphens.
func Fold(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(s)
	}
	return foldRunes(s)
}

func foldRunes(s string) string {
	if r, w := utf8.DecodeRuneInString(s); unicode.Is(unicode.Han, r) && r < 0xf900 && w < len(s) {
		if r2, w2 := utf8.DecodeRuneInString(s[w:]); w+w2 == len(s) && unicode.Is(unicode.Han, r2) && r2 < 0xf900 {
			return s // two ordinary Chinese characters are their own folding
		}
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		switch {
		case r >= 0x300 && r <= 0x36f, r == '\u00ad', r == utf8.RuneError:
			continue
		case r == '’' || r == '‘' || r == 'ʼ':
			b.WriteByte('\'')
			continue
		}
		r = unicode.ToLower(r)
		switch r {
		case 'ß':
			b.WriteString("ss")
		case 'æ':
			b.WriteString("ae")
		case 'œ':
			b.WriteString("oe")
		case 'ø':
			b.WriteByte('o')
		case 'ł':
			b.WriteByte('l')
		case 'đ', 'ð':
			b.WriteByte('d')
		case 'ı':
			b.WriteByte('i')
		case 'þ':
			b.WriteString("th")
		case 'ς':
			b.WriteRune('σ')
		default:
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}
