package quote

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Text is a text prepared for looking up many quotes: reduced to what is compared, with the way back. That is letters, digits, and
// the signs that change an amount; typography cannot change it. It is read-only, and safe for concurrent use.
type Text struct {
	text    string
	letters string
	at      []int32 // for each byte of letters twice the byte of its character in text, and one more where a word or number begins
	words   []word

	rendered func() *Text // the same as a page shows it, without markup and marks of notes; nil where it has none
}

func isWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }

// word is a word of a text, a stretch of its letters: a number with its signs, or one character of a script without spaces.
type word struct {
	s          string
	start, end int
}

// New prepares a text. The work is linear in the text.
func New(text string) *Text {
	t := prepare(text, nil)
	if unseen := markup(text); unseen != nil {
		t.rendered = sync.OnceValue(func() *Text { return prepare(text, unseen) })
	}
	return t
}

// prepare prepares a text, with what a page shows in place of its markup.
func prepare(text string, unseen []mark) *Text {
	r := reducer{at: make([]int32, 0, len(text))}
	r.b.Grow(len(text))
	for i, c := range text {
		if len(unseen) > 0 && i >= unseen[0].start {
			m := unseen[0]
			if i == m.start {
				for _, c := range m.shown {
					r.read(i, c, text[m.end:])
					r.last = c
				}
			}
			if i+utf8.RuneLen(c) >= m.end {
				if unseen = unseen[1:]; m.shown == "" {
					r.gap, r.last = true, c
				}
			}
			continue
		}
		_, w := utf8.DecodeRuneInString(text[i:])
		r.read(i, c, text[i+w:])
		r.last = c
	}
	t := &Text{text: text, letters: r.b.String(), at: r.at}
	start := 0
	for i := 1; i <= len(t.letters); i++ {
		if i == len(t.letters) || t.at[i]&1 == 1 {
			s := strings.TrimRight(t.letters[start:i], " ")
			t.words = append(t.words, word{s: s, start: start, end: start + max(len(s), 1)})
			start = i
		}
	}
	return t
}

// reducer makes letters.
type reducer struct {
	b  strings.Builder
	at []int32

	prev  rune // the last character that left something
	last  rune // the last character of the text
	gap   bool // something stood between prev and now
	bound bool // a sign came last: the number after it goes with it
	skip  int  // characters that belong to the one before
}

func (r *reducer) read(i int, c rune, rest string) {
	const openers = "([{=:;/^<>≤≥~≈±\"'“„«"
	alone := r.last == 0 || unicode.IsSpace(r.last) || strings.ContainsRune(openers, r.last)
	folded, point, comma := fold(c), c == '.' || c == '．', c == ',' || c == '，'
	if r.skip > 0 {
		r.skip--
		return
	}
	switch {
	case c == '+' && plusMinus(rest) > 0:
		r.skip = plusMinus(rest)
		r.sign(i, "±")
	case (c == '/' || c == '⁄') && isDigit(r.last) && digitsAhead(rest) > 0: // 1/2 and ½
		r.write(i, "⁄", false)
		r.bound = true
	case c == '×' && (unicode.IsSpace(r.last) || isDigit(r.last)): // as x
		r.letter(i, 'x', "x")
	case strings.ContainsRune(folded, '⁄') && isDigit(r.prev): // 1½ is 1 1/2
		r.gap = true
		r.write(i, " ", false)
		r.write(i, folded, false)
		r.prev, r.gap, r.bound = '2', false, false
	case strings.ContainsRune("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", c) && isDigit(r.last): // after a letter it is typography: m² and m2
		r.write(i, "^"+strings.Replace(norm.NFKC.String(string(c)), "−", "-", 1), false)
	case (strings.ContainsRune("-−－", c) || c >= '‐' && c <= '―') && alone && digitsAhead(strings.TrimPrefix(rest, ".")) > 0:
		r.sign(i, "-")
	case strings.ContainsRune("<>≤≥~≈±", c) && digitsAhead(strings.TrimLeft(rest, "= \u00a0-−.")) > 0 &&
		(c != '>' || r.last != 0 && r.last != '\n'):
		if strings.HasPrefix(rest, "=") {
			c = map[rune]rune{'<': '≤', '>': '≥'}[c]
		}
		r.sign(i, string(c))
	case (point || comma) && isDigit(r.prev) && !r.gap && digitsAhead(rest) > 0: // 1.5; a comma before three digits is between thousands
		if point || digitsAhead(rest) != 3 {
			r.write(i, ".", false)
		}
	case point && digitsAhead(rest) > 0 && (r.bound || alone): // .5
		r.sign(i, ".")
	case c == '^' && isDigit(r.last):
		r.write(i, "^", false)
		r.bound = true
	case folded != "":
		r.letter(i, c, folded)
	case c != '\u00ad' && !unicode.IsMark(c):
		r.gap = true
	}
}

func (r *reducer) write(i int, s string, startsWord bool) {
	for k := range len(s) {
		at := int32(i) << 1
		if k == 0 && startsWord {
			at++
		}
		r.at = append(r.at, at)
	}
	r.b.WriteString(s)
}

// letter writes a letter or digit, or a sign such as %, which goes with the number before it.
func (r *reducer) letter(i int, c rune, folded string) {
	startsWord := !r.bound && (!words.Spaced(r.prev) || r.gap)
	switch {
	case isDigit(r.prev) && strings.ContainsRune("%％‰°", c) && (!r.gap || unicode.IsSpace(r.last)):
		startsWord = false
	case isDigit(r.prev) && isDigit(c) && r.gap && !r.bound:
		r.write(i, " ", false) // 1-2 is not 12
	}
	r.write(i, folded, startsWord)
	r.prev, r.gap, r.bound = c, false, false
}

// sign writes a sign that belongs to the number after it.
func (r *reducer) sign(i int, s string) {
	r.write(i, s, !r.bound)
	r.prev, r.gap, r.bound = 0, false, true
}

// fold returns what a character is compared as; "" for typography. A percent or currency sign counts: it changes what is said.
func fold(c rune) string {
	if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
		return string(c)
	}
	return strings.Map(func(f rune) rune {
		if unicode.In(f, unicode.L, unicode.N, unicode.Sc) || strings.ContainsRune("%°‰⁄", f) { // 1½ is not 112
			return f
		}
		return -1
	}, words.Fold(string(c)))
}

func isDigit(c rune) bool { return c >= '0' && c <= '9' || c >= '０' && c <= '９' }

// digitsAhead counts the digits at the start of s, at most four.
func digitsAhead(s string) (n int) {
	for _, c := range s {
		if n == 4 || !isDigit(c) {
			break
		}
		n++
	}
	return n
}

// maxTries bounds the places that are looked at one by one: what is there more often says nothing, and a hostile text must not
// cost quadratic time.
const maxTries = 200

// find finds s as whole words between two bytes.
func (t *Text) find(s string, from, limit int) (start, end int, ok bool) {
	for tries := 0; from < limit; tries++ {
		i := strings.Index(t.letters[from:limit], s)
		if i < 0 {
			break
		}
		i += from
		if t.wordAt(i) && t.wordAt(i+len(s)) {
			return i, i + len(s), true
		}
		if from = i + 1; tries > maxTries {
			from = i + len(s)
		}
	}
	return 0, 0, false
}

// wordAt reports whether a word begins at byte i of the letters, or what stands between two numbers.
func (t *Text) wordAt(i int) bool {
	return i == len(t.letters) || t.at[i]&1 == 1 || i+1 < len(t.letters) && t.letters[i] == ' ' && t.at[i+1]&1 == 1
}

// byteAt returns the byte of the text whose character left byte i of the letters.
func (t *Text) byteAt(i int) int { return int(t.at[i] >> 1) }

// span returns the stretch of the text that left the letters from start to end.
func (t *Text) span(start, end int) words.Span {
	first, last := t.byteAt(start), t.byteAt(end-1)
	_, w := utf8.DecodeRuneInString(t.text[last:])
	n := utf8.RuneCountInString(t.text[:first])
	found := t.text[first : last+w]
	return words.Span{Start: n, End: n + utf8.RuneCountInString(found), Text: found}
}

// plusMinus returns how many characters behind a plus belong to ±, as in +/-.
func plusMinus(rest string) int {
	for _, form := range []string{"/-", "/−", "/–", "-", "−"} {
		if after, ok := strings.CutPrefix(rest, form); ok && digitsAhead(strings.TrimLeft(after, " \u00a0.")) > 0 {
			return utf8.RuneCountInString(form)
		}
	}
	return 0
}
