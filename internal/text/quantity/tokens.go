package quantity

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

type tokenKind byte

const (
	wordToken   tokenKind = iota // letters, and digits after them: km2, A320
	eastToken                    // a character of a script without spaces
	numberToken                  // digits with separators and an exponent
	chainToken                   // groups of digits joined by one mark: 2024-03-03, 1.2.3
	markToken                    // any other character
)

// token is a piece of a text. White space is none.
type token struct {
	kind       tokenKind
	fold       string
	start, end int     // bytes
	value      float64 // of a numberToken
	step       float64
	rounded    bool // it has decimals
	name       bool // a numberToken inside a name: COVID-19, HTTP/2
}

func (t token) hyphen() bool {
	return t.kind == markToken && (t.fold == "-" || t.fold == "‐" || t.fold == "‑")
}

// commaLanguages write 1.234,5.
var commaLanguages = datafile.Words("de fr es it pt nl sv no da pl ru hu")

// split divides a text of a language into tokens.
func split(text, language string) (out []token) {
	comma := commaLanguages[language]
	for i := 0; i < len(text); {
		c, w := utf8.DecodeRuneInString(text[i:])
		t := token{kind: markToken, start: i, end: i + w}
		switch {
		case digit(c), c == '.' && digitAt(text, i+w) && (i == 0 || strings.IndexByte(" (=<\n", text[i-1]) >= 0): // .5
			t = digits(text, i, comma)
		case unicode.IsSpace(c) || c == '\u00ad':
			i += w
			continue
		case c == '[' && citations.MatchString(ahead(text, i)):
			i += strings.IndexByte(text[i:], ']') + 1
			continue
		case east(c):
			t.kind = eastToken
		case unicode.IsLetter(c):
			t = token{kind: wordToken, start: i, end: len(text) - len(strings.TrimLeftFunc(text[i:], inWord))}
		}
		if t.fold == "" {
			t.fold = words.Fold(text[t.start:min(t.end, t.start+64)])
		}
		out = append(out, t)
		i = t.end
	}
	return out
}

// narrow returns the usual form of the full-width digits and signs of Chinese and Japanese.
func narrow(c rune) rune {
	if c >= '！' && c <= '～' {
		return c - '！' + '!'
	}
	return c
}

func digit(c rune) bool { return c >= '0' && c <= '9' }

// east reports whether c belongs to a script that writes no spaces between words.
func east(c rune) bool {
	return c >= 0x2e80 && (unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana) || c == 'ー' || c == '々' || c == '〇')
}

func digitAt(s string, i int) bool { return i >= 0 && i < len(s) && digit(rune(s[i])) }

func inWord(c rune) bool {
	return !east(c) && (unicode.In(c, unicode.L, unicode.N, unicode.M) || c == '\u00ad')
}

// Numbers as languages write them: 1,234.5 or 1.234,5, with apostrophes and narrow spaces too, and 12,34,567 as in India.
// chains are three or more groups of
// digits that one mark joins, or the hours and minutes of a time; thousands are those of them that are one number.
var (
	pointed   = lazyregexp.New(`^(\d{1,2}(?:,\d{2})+,\d{3}\b|\d{1,3}(?:[,'’\x{a0}\x{202f}\x{2009}]\d{3})+|\d*)(?:\.(\d+))?`)
	commaed   = lazyregexp.New(`^(\d{1,3}(?:[.'’ \x{a0}\x{202f}\x{2009}]\d{3})+|\d*)(?:[.,](\d+))?`)
	chains    = lazyregexp.New(`^(?:\d+(?:\.\d+){2,}|\d+(?:-\d+){2,}|\d+(?:/\d+){2,}|\d+(?::\d+)+)`)
	thousands = lazyregexp.New(`^\d{1,3}(?:\.\d{3}){1,5}$`)
	citations = lazyregexp.New(`^\[\^?\d+(?:[,;–-] ?\d+)*\]`)
	// inName matches what makes the number after it a part of a name: COVID-, HTTP/, #.
	inName = lazyregexp.New(`(?:[#_]|\pL[\pL\d]*(?:[-/.]\d+)*[-/.])$`)
	// powers are the powers of ten behind a number: 3 × 10⁻³, 1e5; and 10^5, where the number is the 10 itself.
	powers = lazyregexp.New(`^(?:([ \x{a0}]?[×x·*⋅∙][ ` +
		`\x{a0}]{0,6}10)?(?:(?:\^\{?|<sup>)([-−+]?\d{1,2})(?:\}|</sup>)?|([⁻⁺]?[⁰¹²³⁴-⁹]{1,2}))|[eE]([-+]?\d{1,2})\b)`)
)

// digits reads what begins with a digit or point at byte i.
func digits(s string, i int, comma bool) token {
	const maxDigits = 18 // longer runs of digits are identifiers
	behind, form := ahead(s, i), pointed
	if comma {
		form = commaed
	}
	if found := chains.FindString(behind); found != "" && !(comma && thousands.MatchString(found)) {
		return token{kind: chainToken, start: i, end: i + len(found), fold: found}
	}
	found := form.FindStringSubmatch(behind)
	plain := strings.Join(strings.FieldsFunc(found[1], func(c rune) bool { return !digit(c) }), "")
	if found[2] != "" {
		plain += "." + found[2]
	}
	t := token{kind: numberToken, fold: plain, start: i, end: i + len(found[0]), step: math.Pow10(-len(found[2])), rounded: found[2] != ""}
	t.value, _ = strconv.ParseFloat(plain, 64)
	t.power(ahead(s, t.end))
	// mid-1990
	yearAfterHyphen := len(plain) == 4 && strings.HasSuffix(s[:i], "-") && !digitAt(s, i-2) && !strings.HasPrefix(s[t.end:], "-")
	t.name = len(plain) > maxDigits || !yearAfterHyphen && inName.MatchString(s[max(0, i-40):i])
	for ; digitAt(s, t.end); t.end++ {
		t.name = true
	}
	return t
}

// ahead returns a short stretch from byte i on: an expression that does not match must not look at the whole text.
func ahead(s string, i int) string { return s[i:min(len(s), i+80)] }

// power applies the power of ten behind a number. A raised figure behind any number but 10 is a note.
func (t *token) power(behind string) {
	found := powers.FindStringSubmatch(behind)
	if found == nil || t.fold != "10" && found[1]+found[4] == "" {
		return
	} else if found[1]+found[4] == "" {
		t.value = 1
	}
	exponent, _ := strconv.Atoi(strings.Replace(norm.NFKC.String(found[2]+found[3]+found[4]), "−", "-", 1))
	t.value, t.step = t.value*math.Pow10(exponent), t.step*math.Pow10(exponent)
	t.end += len(found[0])
}
