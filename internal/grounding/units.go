package grounding

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// readScale applies "million", "bn", 万亿 and the like after a number.
func (r *numberReader) readScale(q quantity) (end int, value, step float64, rounded bool) {
	s := r.s
	end, value, step, rounded = q.end, q.value, q.step, q.rounded
	for range 3 { // 万亿, "hundred thousand"
		if c, w := utf8.DecodeRuneInString(s[end:]); chineseScales()[c] > 0 {
			value, step, rounded = value*chineseScales()[c], step*chineseScales()[c], true
			end += w
			if d, _ := r.digitAt(end); d >= 0 { // 3万5000
				more, one, _, next := r.literal(end)
				next, more, one, _ = r.readScale(quantity{value: more, step: one, start: end, end: next})
				if more < step {
					return next, value + more, one, false
				}
			}
			continue
		}
		from := end
		spaced := false
		if from < len(s) && (s[from] == ' ' || s[from] == '-' || s[from] == '\n') {
			from++
			spaced = true
		} else if strings.HasPrefix(s[from:], "\u00a0") {
			from += len("\u00a0")
			spaced = true
		}
		word := asciiWord(s[from:])
		f := r.scale(word)
		if f == 0 {
			f = numerals()["scale"][strings.ToLower(word)]
		}
		short := len(word) == 1
		if word == "m" && currencyAtEnd(s[:q.start]).word != "" { // £5m
			f, short = 1e6, false
		}
		if f == 0 || spaced && short || word == "T" {
			return end, value, step, rounded
		}
		value, step, rounded = value*f, step*f, true
		end = from + len(word)
	}
	return end, value, step, rounded
}

// asciiWord returns the run of ASCII letters at the start of s, at most 24.
func asciiWord(s string) string {
	i := 0
	for i < len(s) && i < 24 && isLetter(s[i]) {
		i++
	}
	return s[:i]
}

// amountWord is a word beside a number, and what it stands for here: the sign of a unit, or the name of a relation.
type amountWord struct{ word, means string }

// amountWords lists a section of the words around numbers, in order.
func amountWords(section string) func() []amountWord {
	return sync.OnceValue(func() []amountWord {
		var out []amountWord
		for _, line := range wordlist.Lines("amounts") {
			for _, word := range line.Words {
				if line.Section == section {
					out = append(out, amountWord{strings.ReplaceAll(word, "_", " "), line.Value})
				}
			}
		}
		return out
	})
}

// currenciesBefore are looked for at the end of the text before a number, unitsBehind at the start of the text after it, and
// relationWords before both.
var currenciesBefore, unitsBehind, relationWords = amountWords("currency"), amountWords("unit"), amountWords("relation")

// currencyAtEnd returns the currency that a text before a number ends with, or the zero value.
func currencyAtEnd(before string) amountWord {
	for _, c := range currenciesBefore() {
		if strings.HasSuffix(before, c.word) {
			return c
		}
	}
	return amountWord{}
}

// unitStart skips the space or hyphen between a number that ends at end and its unit.
func unitStart(s string, end int) int {
	if end < len(s) && (s[end] == ' ' || s[end] == '-' || s[end] == '\n') {
		return end + 1
	}
	if strings.HasPrefix(s[end:], "\u00a0") || strings.HasPrefix(s[end:], "\u202f") {
		_, w := utf8.DecodeRuneInString(s[end:])
		return end + w
	}
	return end
}

// measureIn converts q to the base of the unit after it, if it has one that can be converted.
func (r *numberReader) measureIn(q quantity) quantity {
	if q.unit == "%" || measured(q.unit) {
		q.written, q.unitName = q.value, q.unit
		return q
	}
	from := unitStart(r.s, q.end)
	if r.units != nil {
		unit, n, ok := r.units.Prefix(lexicon.Unit, "", r.s[from:])
		if !ok || q.word && n < 3 {
			return q
		}
		q.end = from + n
		q = q.in(unit)
		if strings.HasPrefix(r.s[q.end:], "半") && q.measure { // 两年半
			q.value, q.end = q.value+unit.Value/2, q.end+len("半")
		}
		return q
	}
	u, end, ok := measureAt(r.s, from, q.word)
	if !ok {
		return q
	}
	q.value, q.step, q.unit, q.end = q.value*u.factor, q.step*u.factor, u.base, end
	q.measure = u.base != ""
	return q
}

// mayBeCurrency is a quick look at the last character of s: a letter or space alone is a currency's only after one.
func mayBeCurrency(s string) bool {
	if s == "" {
		return false
	}
	switch c := s[len(s)-1]; c {
	case ' ': // EUR 5, Rs. 5
		return len(s) > 1 && (s[len(s)-2] == '.' || s[len(s)-2] == 's' || s[len(s)-2] >= 'A' && s[len(s)-2] <= 'Z')
	case '$', 'D', 'R', 'P', 'B', 'Y':
		return true
	default:
		return c >= utf8.RuneSelf
	}
}

// readUnit reads what the number counts: a percent sign, a currency, or the next word.
func readUnit(s string, start, end int, a *passages.Analyzer) (string, int) {
	if strings.HasSuffix(s[:start], "百分之") {
		return "%", end
	}
	if mayBeCurrency(s[:start]) {
		if c := currencyAtEnd(s[:start]); c.word != "" {
			return c.means, end
		}
	}
	from := unitStart(s, end)
	for _, u := range unitsBehind() {
		if from < len(s) && s[from] == u.word[0] && strings.HasPrefix(s[from:], u.word) {
			return u.means, from + len(u.word)
		}
	}
	if word := asciiWord(s[from:]); word != "" {
		if !isStop(strings.ToLower(word)) {
			unit := ""
			a.Tokens(word, func(t passages.Token) { unit = t.Term })
			return unit, end
		}
		return "", end
	}
	if r, _ := utf8.DecodeRuneInString(s[end:]); unicode.Is(unicode.Han, r) && from == end {
		return string(r), end
	}
	return "", end
}

// relationAround reads "about", "more than", 约, 超过 before a number and 左右, 多 after it.
func relationAround(before, after string) relation {
	const look = 24 // bytes: the longest of the phrases, with a currency sign between
	tail := before
	if len(tail) > look {
		tail = tail[len(tail)-look:]
	}
	tail = strings.TrimRight(strings.ToLower(tail), " \u00a0$€£¥us\n") // us: of US$
	if tail != "" {
		last := tail[len(tail)-1]
		for _, p := range relationWords() {
			if p.word[len(p.word)-1] == last && strings.HasSuffix(tail, p.word) {
				return map[string]relation{"about": about, "more": moreThan, "almost": almost, "less": lessThan}[p.means]
			}
		}
	}
	switch {
	case strings.HasPrefix(after, "左右"), strings.HasPrefix(after, "上下"), strings.HasPrefix(after, " or so"):
		return about
	case strings.HasPrefix(after, "多"), strings.HasPrefix(after, "余"), strings.HasPrefix(after, "+"), strings.HasPrefix(after, "以上"):
		return moreThan
	}
	return exactly
}
