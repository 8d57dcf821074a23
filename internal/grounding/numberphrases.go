package grounding

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// withPhrases adds the numbers that only a language's word list knows: shares (a fifth, one in fifty, 3割), multiples
// (doubled, twice), ordinals, decades, and one of a unit (for a year).
func (r *reader) withPhrases(text string, in []quantity, found []lexicon.Match) []quantity {
	p := phraseReader{reader: r, text: text, out: slices.Clone(in)}
	p.ratios()
	for i := range p.out {
		p.halfMore(&p.out[i])
	}
	for _, m := range found {
		switch {
		case m.Kind == lexicon.Number, m.Kind == lexicon.Amount:
			p.number(m)
		case m.Kind == lexicon.Rate:
			p.period(m)
		}
	}
	p.dateRanges()
	for _, m := range found {
		if m.Kind == lexicon.Bound {
			p.bound(m)
		}
	}
	return p.out
}

// bound gives the number beside a match of the list of bounds its relation: "at least 20", "20 or more".
func (p *phraseReader) bound(m lexicon.Match) {
	relation, ok := map[string]relation{"at-least": atLeast, "at-most": atMost, "above": moreThan, "below": lessThan, "about": about, "almost": almost, "just-over": moreThan}[m.Name]
	if !ok {
		return
	}
	near := func(from, to int) bool {
		return from <= to && strings.Trim(p.text[from:to], " \u00a0$€£¥") == ""
	}
	behind := p.isWord(lexicon.Amount, "behind", p.text[m.Start:])
	for i := range p.out {
		q := &p.out[i]
		switch {
		case q.kind != cardinal:
		case behind && near(q.end, m.Start):
			q.relation, q.bound = relation, [2]int{m.Start, m.End}
			return
		case near(m.End, q.start) || p.language == "zh" && m.End < q.start && q.start-m.End <= verbBetween && !strings.ContainsAny(p.text[m.End:q.start], "，。、；：（"):
			q.relation, q.bound = relation, [2]int{m.Start, m.End}
			return
		}
	}
}

// verbBetween is how many bytes may be between a bound and its number in Chinese: 最多可容纳200名.
const verbBetween = 9

type phraseReader struct {
	*reader
	text string
	out  []quantity // in the order of the text
}

// put adds a quantity in place of those that it contains. One that only touches another is left out.
func (p *phraseReader) put(q quantity) {
	first := 0
	for first < len(p.out) && p.out[first].end <= q.start {
		first++
	}
	last := first
	for last < len(p.out) && p.out[last].start < q.end {
		if p.out[last].start < q.start || p.out[last].end > q.end {
			return
		}
		last++
	}
	p.out = slices.Replace(p.out, first, last, q)
}

// number reads a match of the lists of numbers and amounts.
func (p *phraseReader) number(m lexicon.Match) {
	q := quantity{value: m.Value, step: 1, word: true, start: m.Start, end: m.End}
	switch m.Class {
	case "fraction":
		p.share(q)
	case "part": // "half" of something, "half a kilogram"; without it the word has other meanings
		rest, before := p.text[m.End:], p.wordBefore(m.Start)
		if !p.isWord(lexicon.Amount, "whole", before) && (p.isWord(lexicon.Amount, "of", rest) || p.unitBehind(rest) || p.isWord(lexicon.Amount, "for", before)) {
			p.share(q)
		}
	case "one-of":
		for _, b := range p.out {
			if b.kind == cardinal && b.start >= m.End && strings.TrimSpace(p.text[m.End:b.start]) == "" && wholeRatio(1, b.value) {
				q.value, q.unit, q.share, q.end = 100/b.value, "%", true, b.end
				p.put(q)
				break
			}
		}
	case "collective":
		if m.Value >= 6 {
			p.put(q)
		}
	case "times", "denominator": // "5 times", "two-thirds" with its number before it
		for i := range p.out {
			n := &p.out[i]
			if n.kind != cardinal || n.end > m.Start || strings.Trim(p.text[n.end:m.Start], " -\u00a0") != "" {
				continue
			}
			q = *n
			q.end, q.unit = m.End, ""
			if m.Class == "times" {
				q.kind = multiple
			} else {
				q.value, q.unit, q.share = 100*n.value/m.Value, "%", true
			}
			p.put(q)
			break
		}
	case "multiplier":
		if m.Value != 1 {
			q.kind = multiple
			p.put(q)
		}
	case "ordinal":
		if p.language != "en" {
			q.kind = ordinal
			p.put(q)
		}
	case "decade":
		q.kind = decade
		p.put(q)
	}
}

// isWord reports whether rest begins with a listed word of a class.
func (p *phraseReader) isWord(kind lexicon.Kind, class, rest string) bool {
	_, _, ok := p.lexicon.Prefix(kind, class, rest[unitStart(rest, 0):])
	return ok
}

// unitBehind reports whether a unit follows, with an article or without.
func (p *phraseReader) unitBehind(rest string) bool {
	_, _, ok := p.unitAfter(rest)
	return ok
}

// unitAfter reads a unit at the start of rest, after an article if there is one. end is where it ends.
func (p *phraseReader) unitAfter(rest string) (unit lexicon.Entry, end int, ok bool) {
	from := unitStart(rest, 0)
	if _, n, article := p.lexicon.Prefix(lexicon.Amount, "article", rest[from:]); article {
		from += n
		from += unitStart(rest[from:], 0)
	}
	unit, n, ok := p.lexicon.Prefix(lexicon.Unit, "", rest[from:])
	if !ok || n < len("kg") { // one letter is no unit after a word
		return lexicon.Entry{}, 0, false
	}
	return unit, from + n, true
}

// share completes a fraction: of a unit ("half a kilogram"), or of a whole, in percent.
func (p *phraseReader) share(q quantity) {
	if unit, n, ok := p.unitAfter(p.text[q.end:]); ok && convertible(unit) {
		q.end += n
		q = q.in(unit)
	} else {
		q.value, q.unit, q.share = q.value*100, "%", true
	}
	q.relation = relationAround(p.text[:q.start], p.text[q.end:])
	p.put(q)
}

// ratios joins two numbers that give a share: "one in fifty", "4 von 5", 五分之一. Other pairs ("5 in 2019", "56 of 61")
// are two numbers.
func (p *phraseReader) ratios() {
	for i := 0; i+1 < len(p.out); i++ {
		a, b := p.out[i], p.out[i+1]
		if a.kind != cardinal || b.kind != cardinal || a.end >= b.start || !wholeRatio(a.value, b.value) || p.unitBehind(p.text[b.end:]) {
			continue
		}
		if between := strings.TrimSpace(p.text[a.end:b.start]); between != "" && p.connects("ratio", between) {
			p.out[i] = quantity{value: 100 * a.value / b.value, step: 1, unit: "%", share: true, word: a.word, start: a.start, end: b.end, relation: a.relation}
			p.out = slices.Delete(p.out, i+1, i+2)
		}
	}
	for _, mark := range []string{"分之", "分の"} {
		for from := 0; ; {
			at := strings.Index(p.text[from:], mark)
			if at < 0 {
				break
			}
			at += from
			from = at + len(mark)
			p.eastRatio(at, from)
		}
	}
	for i := range p.out { // 3割, 三成
		q := &p.out[i]
		end := q.end
		if q.unit == "割" || q.unit == "成" {
			end += len(q.unit)
		}
		if end > q.end && q.kind == cardinal && q.value > 0 && q.value <= 10 {
			q.value, q.step, q.unit, q.share, q.end = q.value*10, q.step*10, "%", true, end
		}
	}
}

// wholeRatio reports whether a of b is a share as people say it: one in fifty, nine out of ten.
func wholeRatio(a, b float64) bool {
	return a > 0 && a < b && a == math.Trunc(a) && (b <= 10 || b == 12 || b == 20 || b == 25 || b == 50 || math.Log10(b) == math.Trunc(math.Log10(b)))
}

// connects reports whether between is one of the words of a class.
func (p *phraseReader) connects(class, between string) bool {
	_, n, ok := p.lexicon.Prefix(lexicon.Amount, class, between)
	return ok && n == len(between)
}

// eastRatio reads 三分之一 around the mark from byte at to end.
func (p *phraseReader) eastRatio(at, end int) {
	start := at
	for start > 0 {
		c, w := utf8.DecodeLastRuneInString(p.text[:start])
		if _, digit := chineseDigit(c); !digit && chineseScales()[c] == 0 && !unicode.IsDigit(c) {
			break
		}
		start -= w
	}
	r := numberReader{s: p.text}
	whole, _ := r.cjkNumber(start)
	part, n := r.cjkNumber(end)
	if start == at || n == 0 || whole == 0 || part >= whole || whole == 100 {
		return
	}
	q := quantity{value: 100 * float64(part) / float64(whole), step: 1, unit: "%", share: true, word: true, start: start, end: end + n}
	q.relation = relationAround(p.text[:q.start], p.text[q.end:])
	p.put(q)
}

// period reads "a year" as one year where a preposition or a bound is before it: elsewhere it is a rate.
func (p *phraseReader) period(m lexicon.Match) {
	text := p.text[m.Start:m.End]
	_, n, article := p.lexicon.Prefix(lexicon.Amount, "article", text)
	if !article {
		return
	}
	if !p.spans(p.wordBefore(m.Start)) {
		return
	}
	if unit, n, ok := p.lexicon.Prefix(lexicon.Unit, "time", strings.TrimSpace(text[n:])); ok && n > 0 {
		q := quantity{value: 1, step: 1, word: true, start: m.Start, end: m.End}.in(unit)
		p.halfMore(&q)
		p.put(q)
	}
}

// wordBefore is the word that ends before byte i.
func (p *phraseReader) wordBefore(i int) string {
	before := strings.TrimSpace(p.text[:i])
	return before[strings.LastIndexAny(before, " \n(,")+1:]
}

// spans reports whether a word before a period makes it a length of time: after, within, about.
func (p *phraseReader) spans(word string) bool {
	for _, e := range p.lexicon.Lookup(word) {
		switch {
		case e.Kind == lexicon.Bound, e.Kind == lexicon.Relation && e.Name != "in":
			return true
		case e.Kind == lexicon.Amount && e.Class == "for":
			return true
		}
	}
	return false
}

// halfMore adds the half of "two and a half years" and "a year and a half", and the 百分之 before a number.
func (p *phraseReader) halfMore(q *quantity) {
	if before, ok := strings.CutSuffix(p.text[:q.start], "百分之"); ok && q.unit == "%" {
		q.start = len(before)
	}
	from := q.end + unitStart(p.text[q.end:], 0)
	_, n, ok := p.lexicon.Prefix(lexicon.Amount, "half-more", p.text[from:])
	if !ok || q.kind != cardinal {
		return
	}
	q.end = from + n
	if q.measure {
		q.value += q.value / q.written / 2
		return
	}
	q.value, q.step = q.value+0.5, 0.5
	if unit, n, ok := p.unitAfter(p.text[q.end:]); ok {
		q.end += n
		*q = q.in(unit)
	}
}

// dateRanges gives the first day of "14. bis 16. November" its month.
func (p *phraseReader) dateRanges() {
	for i := 0; i+1 < len(p.out); i++ {
		a, b := &p.out[i], p.out[i+1]
		if a.kind != cardinal && a.kind != ordinal || a.word || b.kind != date || b.day == 0 || a.value < 1 || a.value > 31 || a.value != math.Trunc(a.value) || a.end > b.start {
			continue
		}
		between := strings.TrimSpace(strings.TrimPrefix(p.text[a.end:b.start], "."))
		if between == "-" || between == "–" || p.connects("range", between) {
			*a = quantity{kind: date, day: int(a.value), month: b.month, year: b.year, start: a.start, end: a.end}
		}
	}
	for i := 1; i < len(p.out); i++ { // "November 14-16"
		a, b := p.out[i-1], &p.out[i]
		if a.kind == date && a.day > 0 && a.month > 0 && b.kind == cardinal && !b.word && b.value > float64(a.day) && b.value <= 31 && (p.text[a.end:b.start] == "-" || p.text[a.end:b.start] == "–") {
			*b = quantity{kind: date, day: int(b.value), month: a.month, year: a.year, start: b.start, end: b.end}
		}
	}
}

// convertible reports whether amounts in a unit can be compared with amounts in others of its dimension.
func convertible(unit lexicon.Entry) bool {
	switch unit.Class {
	case "length", "mass", "time", "data", "area", "volume", "energy", "power", "frequency", "speed", "pressure":
		return unit.Name != "night"
	}
	return false
}

// in is q in a unit: converted to the base of its dimension, if it can be.
func (q quantity) in(unit lexicon.Entry) quantity {
	q.written, q.unitName = q.value, unit.Name
	switch {
	case convertible(unit):
		q.value, q.step, q.unit, q.measure = q.value*unit.Value, q.step*unit.Value, unit.Class, true
	case unit.Name == "percent":
		q.unit = "%"
	case unit.Name == "permille":
		q.value, q.step, q.unit = q.value/10, q.step/10, "%"
	case unit.Name == "percentage-point":
		q.unit = "pp"
	case unit.Name == "basis-point":
		q.value, q.step, q.unit = q.value/100, q.step/100, "pp"
	default:
		q.unit, q.measure = unit.Name, true
	}
	return q
}
