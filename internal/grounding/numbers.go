package grounding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// quantity is a number, date or time of day as a text says it.
type quantity struct {
	kind             quantityKind
	value            float64 // numbers: the value, scale applied, percent as 12 for 12 %
	step             float64 // numbers: what one more in the last written digit would add
	unit             string  // "%", a currency sign, or the folded word after the number; may be empty
	relation         relation
	year, month, day int  // dates: 0 where not said; times of day: hour in month, minute in day
	swappable        bool // dates such as 03/04/2024, which can be read both ways
	measure          bool // unit is a base of measures, or a dimension
	share            bool // a fraction in words or of small numbers: a third, one in fifty
	rounded          bool // written as rounded figures are: with a scale word or decimals
	word             bool // written in words
	start, end       int  // bytes

	written  float64 // before its unit was converted
	unitName string  // as the lexicon calls it
	bound    [2]int  // bytes of the words that give it its relation, in a language with word lists
}

type quantityKind byte

const (
	cardinal quantityKind = iota
	ordinal
	date
	clock
	decade   // the 1990s
	multiple // twice, doubled
)

type relation byte

const (
	exactly relation = iota
	about
	moreThan
	lessThan
	almost // nearly 300
	atLeast
	atMost
)

// quantities reads the numbers of a text, in order. Citation marks, the numbers of list items and numbers
// inside names (COVID-19, A320) are left out. The work is linear in the text.
func quantities(text string) []quantity { return quantitiesOf(text, new(passages.Analyzer)) }

// quantitiesOf is quantities for many texts that share their words.
func quantitiesOf(text string, a *passages.Analyzer) []quantity {
	r := numberReader{s: text, analyzer: a}
	return r.read()
}

func (r *numberReader) read() []quantity {
	for r.i < len(r.s) {
		if r.s[r.i] < utf8.RuneSelf {
			r.ascii()
		} else {
			r.wide()
		}
	}
	return r.joinDates(r.out)
}

// maxDigits bounds one number; longer runs of digits are identifiers.
const maxDigits = 18

type numberReader struct {
	s   string
	i   int
	out []quantity

	analyzer *passages.Analyzer // for the stems of units
	words    *lexicon.Lexicon   // number words, scales and months of a language other than English; may be nil
	units    *lexicon.Lexicon   // of the language; nil for the units that all languages share
	comma    bool               // the language writes 1.234,5
}

// ascii reads at a byte below 0x80.
func (r *numberReader) ascii() {
	c := r.s[r.i]
	switch {
	case c >= '0' && c <= '9':
		r.digits()
	case c == '[':
		if end := markEnd(r.s[r.i:]); end > 0 {
			r.i += end
			return
		}
		r.i++
	case isLetter(c):
		r.letters()
	default:
		r.i++
	}
}

// wide reads at a character beyond ASCII.
func (r *numberReader) wide() {
	c, w := utf8.DecodeRuneInString(r.s[r.i:])
	switch {
	case c >= '０' && c <= '９':
		r.digits()
	case r.words != nil && latin(c):
		r.letters()
	case isChineseNumeral(c):
		r.chinese()
	case strings.HasPrefix(r.s[r.i:], "百分之"):
		r.i += len("百分之")
	default:
		r.i += w
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// markEnd returns the length of a citation mark such as [1], [2, 3] or [^4] at the start of s, or 0.
func markEnd(s string) int {
	for i := 1; i < len(s) && i < 40; i++ {
		switch c := s[i]; {
		case c == ']' && i > 1:
			return i + 1
		case c >= '0' && c <= '9', c == ',', c == ' ', c == '-', c == ';', c == '^', c == 'S':
		default:
			return 0
		}
	}
	return 0
}

// digitAt returns the digit at byte i and its width, or -1.
func (r *numberReader) digitAt(i int) (int, int) {
	if i >= len(r.s) {
		return -1, 0
	}
	if c := r.s[i]; c < utf8.RuneSelf {
		if c >= '0' && c <= '9' {
			return int(c - '0'), 1
		}
		return -1, 0
	}
	if c, w := utf8.DecodeRuneInString(r.s[i:]); c >= '０' && c <= '９' {
		return int(c - '０'), w
	}
	return -1, 0
}

// literal reads digits with separators at i: 1234, 1,234.5, 1.234.567, 1 234 (narrow spaces).
func (r *numberReader) literal(i int) (value, step float64, plain string, end int) {
	if plain = r.digitsOnly(i); plain != "" {
		value, step = parseDecimal(plain)
		return value, step, plain, i + len(plain)
	}
	var b strings.Builder
	point := -1
	for i < len(r.s) && b.Len() <= maxDigits+2 {
		d, w := r.digitAt(i)
		if d >= 0 {
			b.WriteByte(byte('0' + d))
			i += w
			continue
		}
		if b.Len() == 0 {
			break
		}
		c, w := utf8.DecodeRuneInString(r.s[i:])
		group := r.digitRun(i + w)
		switch {
		case r.comma && (c == ',' && group > 0 && point < 0):
			point = b.Len()
			b.WriteByte('.')
			i += w
			continue
		case r.comma && c == '.' && group == 3 && point < 0:
			i += w
			continue
		case r.comma && c == ' ' && group == 3 && point < 0 && b.Len() <= 3: // 17 000
			i += w
			continue
		case r.comma && (c == ',' || c == '.'):
		case (c == ',' || c == '，' || c == '\'' || c == '\u00a0' || c == '\u202f' || c == '\u2009') && group == 3 && point < 0:
			i += w
			continue
		case (c == '.' || c == '．') && group > 0 && point < 0:
			point = b.Len()
			b.WriteByte('.')
			i += w
			continue
		}
		break
	}
	plain = b.String()
	value, step = parseDecimal(plain)
	return value, step, plain, i
}

// digitsOnly returns the ASCII digits at i if what follows cannot continue the number; "" otherwise.
func (r *numberReader) digitsOnly(i int) string {
	end := i
	for end < len(r.s) && digitByte(r.s[end]) {
		end++
	}
	if end-i > maxDigits || end < len(r.s) && (r.s[end] >= utf8.RuneSelf || strings.IndexByte(",.' ", r.s[end]) >= 0 && (r.s[end] != ' ' || r.comma)) {
		return ""
	}
	return r.s[i:end]
}

// digitRun counts the digits at i, at most four.
func (r *numberReader) digitRun(i int) int {
	n := 0
	for n < 4 {
		d, w := r.digitAt(i)
		if d < 0 {
			break
		}
		n++
		i += w
	}
	return n
}

func parseDecimal(s string) (value, step float64) {
	step = 1
	whole, fraction, _ := strings.Cut(s, ".")
	scale := 1.0
	for i := 0; i < len(whole); i++ {
		value = value*10 + float64(whole[i]-'0')
	}
	for i := 0; i < len(fraction); i++ {
		value = value*10 + float64(fraction[i]-'0')
		scale *= 10
	}
	return value / scale, step / scale
}

// digits reads a number that is written in digits.
func (r *numberReader) digits() {
	start := r.i
	if r.insideName(start) {
		r.skipWord()
		return
	}
	value, step, plain, end := r.literal(start)
	if d, _ := r.digitAt(end); d >= 0 || len(plain) > maxDigits { // an identifier
		r.i = end
		r.skipWord()
		return
	}
	if q, next, ok := r.numericDate(start, plain, end); ok {
		q.start, q.end = start, next
		r.add(q)
		return
	}
	if r.listNumber(start, end, plain) {
		r.i = end
		return
	}
	if start > 0 && r.s[start-1] == '.' && (start == 1 || r.s[start-2] == ' ' || r.s[start-2] == '(') { // .5
		plain = "0." + plain
		value, step = parseDecimal(plain)
		start--
	}
	q := quantity{value: value, step: step, start: start, end: end, rounded: strings.Contains(plain, ".")}
	if n := ordinalSuffix(r.s[end:]); n > 0 {
		q.kind, q.end = ordinal, end+n
		r.add(q)
		return
	}
	if len(plain) == 4 && value >= 1000 && value < 2100 && strings.HasPrefix(r.s[end:], "s") && !letterAt(r.s, end+1) {
		q.kind, q.end = decade, end+1
		r.add(q)
		return
	}
	r.finish(q)
}

// insideName reports whether the digits at i go on with a word: A320, COVID-19. A year after a hyphen
// (mid-1990, post-2008) stands for itself.
func (r *numberReader) insideName(i int) bool {
	if i == 0 {
		return false
	}
	c, w := utf8.DecodeLastRuneInString(r.s[:i])
	if c < 0x2e80 && unicode.IsLetter(c) || c == '_' {
		return !r.currencyBefore(i)
	}
	if c == '-' && i > w {
		if p, _ := utf8.DecodeLastRuneInString(r.s[:i-w]); p < 0x2e80 && unicode.IsLetter(p) {
			return r.digitRun(i) != 4
		}
	}
	return false
}

// currencyBefore accepts letters that are a currency's code: US5 million is none, USD5 is.
func (r *numberReader) currencyBefore(i int) bool {
	return slices.ContainsFunc([]string{"USD", "EUR", "GBP", "CNY", "RMB", "JPY"}, func(code string) bool { return strings.HasSuffix(r.s[:i], code) })
}

// skipWord goes past letters and digits.
func (r *numberReader) skipWord() {
	for r.i < len(r.s) {
		if d, w := r.digitAt(r.i); d >= 0 {
			r.i += w
			continue
		}
		if c := r.s[r.i]; c >= utf8.RuneSelf || !isLetter(c) {
			return
		}
		r.i++
	}
}

// listNumber reports whether digits only number an item: "3. " or "3) " at the beginning of a line.
func (r *numberReader) listNumber(start, end int, plain string) bool {
	if len(plain) > 3 || end >= len(r.s) || r.s[end] != '.' && r.s[end] != ')' || end+1 < len(r.s) && r.s[end+1] != ' ' {
		return false
	}
	for i := start - 1; i >= 0; i-- {
		switch r.s[i] {
		case ' ', '\t', '#', '*', '(':
			if start-i > 8 {
				return false
			}
			continue
		case '\n':
			return true
		}
		return false
	}
	return end+1 < len(r.s)
}

func ordinalSuffix(s string) int {
	for _, suffix := range []string{"st", "nd", "rd", "th"} {
		if strings.HasPrefix(s, suffix) && !letterAt(s, 2) {
			return 2
		}
	}
	return 0
}

func letterAt(s string, i int) bool { return i < len(s) && isLetter(s[i]) }

// finish reads scale, unit and the words around a number that is otherwise complete.
func (r *numberReader) finish(q quantity) {
	q.end, q.value, q.step, q.rounded = r.readScale(q)
	q.unit, q.end = readUnit(r.s, q.start, q.end, r.analyzer)
	r.addAmount(q)
}

// addAmount adds a number, converted to the base of its unit, with its relation.
func (r *numberReader) addAmount(q quantity) {
	q = r.measureIn(q)
	q.relation = relationAround(r.s[:q.start], r.s[q.end:])
	r.add(q)
}

func (r *numberReader) add(q quantity) {
	r.out = append(r.out, q)
	r.i = max(q.end, r.i+1)
}

// quantitiesIn reads the numbers of a text as a language writes them.
func quantitiesIn(language, text string, a *passages.Analyzer) []quantity {
	r := numberReader{s: text, analyzer: a, units: lexicon.For(language)}
	switch language {
	case "de", "fr", "es", "it", "pt", "nl", "sv", "no", "ru", "hu":
		r.comma, r.words = true, r.units
	}
	return r.read()
}

// entry looks a word up in the numbers of the language.
func (r *numberReader) entry(kind lexicon.Kind, class, word string) (float64, bool) {
	if r.words == nil || word == "" || len(word) > 24 {
		return 0, false
	}
	for _, e := range r.words.Lookup(word) {
		if e.Kind == kind && e.Class == class {
			return e.Value, true
		}
	}
	return 0, false
}

// month returns the number of a month's name, 0 for another word.
func (r *numberReader) month(word string) int {
	if m := monthNumber(word); m > 0 {
		return m
	}
	m, _ := r.entry(lexicon.Calendar, "month", word)
	return int(m)
}

// scale returns what a word such as "million" multiplies by, 0 for another word.
func (r *numberReader) scale(word string) float64 {
	if f, ok := r.entry(lexicon.Number, "scale", word); ok {
		return f
	}
	return numerals()["scale"][word]
}

// wideWord returns the run of letters at the start of s, at most 24 bytes.
func wideWord(s string) string {
	for i, c := range s {
		if !unicode.IsLetter(c) || i >= 24 {
			return s[:i]
		}
	}
	return s
}
