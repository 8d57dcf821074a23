package grounding

import (
	"math"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// replacedToken finds what the passage has in the place of a word or number of the claim.
func (x *account) replacedToken(i int, add func(DifferenceKind, span, span)) {
	c, p := x.claim.tokens, x.passage.tokens
	at, sure, ok := x.place(i)
	if !ok {
		return
	}
	one := span{i, i}
	if i > 0 && c[i-1].number > 0 && x.at[i-1] < 0 { // "two days before": a part of what is missing
		return
	}
	if c[i].number > 0 {
		q := x.claim.numbers[c[i].number-1]
		for j := max(0, at.first-2); j <= min(len(p)-1, at.last+2); j++ {
			n := p[j].number
			if n == 0 || x.taken[j] {
				continue
			}
			other := x.passage.numbers[n-1]
			if kind, ok := numberDifference(&q, &other); ok && !x.claimHas(other) && x.sameThing(i, j) && (kind == DifferentQuantifier || !x.worksOut(q, other)) {
				if kind == DifferentQuantifier {
					add(kind, x.claim.boundedNumber(i), x.passage.boundedNumber(j))
				} else {
					add(kind, one, span{j, j})
				}
				return
			}
		}
		return
	}
	for j := max(0, at.first-3); j <= min(len(p)-1, at.last+3); j++ {
		if x.taken[j] || p[j].number > 0 || p[j].capital && !c[i].capital && x.k.claims.language != "de" { // part of a name
			continue
		}
		if x.k.opposed(c[i].word, p[j].word) && (x.k.claims.language != "zh" || !c[i].han || x.oppositeThere(i)) && !x.passage.deniedAt(j) && !x.claim.deniedAt(i) && !x.turnsCondition() && !x.otherPlace(i, j) && !x.tooMuch(i, j) && !x.converse(i, j) {
			add(DifferentDirection, one, span{j, j})
			return
		}
	}
	if kind, day := x.k.calendar(c[i].word); day > 0 && (c[i].upper || c[i].operator == 0) { // "may" is no month
		for j := max(0, at.first-1); j <= min(len(p)-1, at.last+1); j++ {
			if other, value := x.k.calendar(p[j].word); !x.taken[j] && p[j].number == 0 && other == kind && value != day {
				add(DifferentTime, one, span{j, j})
				return
			}
		}
	}
	heading := strings.HasPrefix(x.claim.text[c[i].end:], ":") // of a column: "secure; Gains: resists forged answers"
	if !c[i].capital || heading || c[i].operator > 0 || !sure || x.k.claims.language == "de" {
		return
	}
	for j := at.first; j <= at.last; j++ {
		if !x.taken[j] && p[j].capital && p[j].number == 0 && p[j].operator == 0 && !p[j].function && !x.doc.spells(strings.ToUpper(c[i].fold)) {
			add(DifferentName, one, span{j, j})
			return
		}
	}
}

// otherPlace reports whether two opposite prepositions are between other words, or have objects of their own: "off the host", "on a
// second disk". They then name two places, not one turned around.
func (x *account) otherPlace(i, j int) bool {
	c, p := x.claim.tokens, x.passage.tokens
	if !c[i].preposed && !p[j].preposed {
		return false
	}
	object, other := x.claim.beside(i, 1), x.passage.beside(j, 1)
	if before := x.claim.beside(i, -1); (before < 0 || x.at[before] < 0 || x.at[before] != x.passage.beside(j, -1)) && (object < 0 || x.at[object] < 0 || x.at[object] != other) {
		return true // between other words: "advises against corn", "greens for cool weather"
	}
	if i+1 >= len(c) || j+1 >= len(p) || !c[i+1].determiner || c[i+1].segment != c[i].segment {
		return false
	}
	return object >= 0 && other >= 0 && x.at[object] < 0 && !slices.Contains(x.at, other)
}

// tooMuch reports whether both texts have a "too" before two opposites: what is too short for one thing may be too long for another.
func (x *account) tooMuch(i, j int) bool {
	return i > 0 && j > 0 && x.claim.tokens[i-1].fold == "too" && x.passage.tokens[j-1].fold == "too"
}

// converse reports whether two opposite comparisons have their sides swapped: "the Tarn is longer than the Wey", "the Wey is shorter
// than the Tarn".
func (x *account) converse(i, j int) bool {
	c, p := x.claim.tokens, x.passage.tokens
	if i+1 >= len(c) || j+1 >= len(p) || c[i+1].fold != "than" || p[j+1].fold != "than" {
		return false
	}
	before, behind := x.claim.beside(i, -1), x.claim.beside(i+1, 1)
	return before >= 0 && behind >= 0 && x.at[before] > j && x.at[behind] >= 0 && x.at[behind] < j
}

// turnsCondition reports whether only one of the claim and the passage has an "unless" where the other has an "if": then
// opposites behind them agree.
func (x *account) turnsCondition() bool {
	own, said := x.condition("unless", x.claim, x.operatorAt), x.condition("unless", x.passage, nil)
	return own && x.condition("if", x.passage, nil) || said && x.condition("if", x.claim, x.operatorAt)
}

// condition reports whether a text has a condition of a class that the other text lacks.
func (x *account) condition(class string, w *wording, at []int) bool {
	for n := range w.operators {
		if said := at == nil && x.used[n] || at != nil && at[n] >= 0; !said && w.operators[n].means(lexicon.Condition, class) {
			return true
		}
	}
	return false
}

// replacedPhrases finds phrases of several tokens that the passage has the opposite of in their place: 买入 for 卖出.
func (x *account) replacedPhrases(add func(DifferenceKind, span, span)) {
	for _, o := range x.claim.phrases {
		i := slices.IndexFunc(x.missing, func(i int) bool { return i >= o.first && i <= o.last })
		if i < 0 || x.claim.deniedAt(o.first) {
			continue
		}
		at, _, ok := x.place(x.missing[i])
		if !ok {
			continue
		}
		for _, s := range x.passage.phrases {
			const reach = 3
			if s.last >= at.first-reach && s.first <= at.last+reach && x.k.claims.lexicon.Opposed(o.text, s.text) && !x.passage.deniedAt(s.first) {
				add(DifferentDirection, o.span, s.span)
				break
			}
		}
	}
}

// sameThing reports whether the numbers at two tokens count or date the same: by their unit, the words before or the
// word after.
func (x *account) sameThing(i, j int) bool {
	q, n := x.claim.numbers[x.claim.tokens[i].number-1], x.passage.numbers[x.passage.tokens[j].number-1]
	if q.unit != "" && q.unit == n.unit || x.sameBefore(i, j) || q.kind == ordinal {
		return true
	}
	const reach = 3
	for k := i + 1; k < len(x.at) && k <= i+reach; k++ {
		if x.claim.tokens[k].content() {
			return x.at[k] > j && x.at[k] <= j+reach
		}
	}
	for k := i - 1; k >= 0 && k >= i-reach; k-- {
		if x.claim.tokens[k].content() {
			return x.at[k] >= 0 && x.at[k] < j && x.at[k] >= j-reach
		}
	}
	return false
}

// worksOut reports whether a number of the claim may follow from the passage: as the sum or difference of two of its
// numbers, or roughly, where the claim says so.
func (x *account) worksOut(q, other quantity) bool {
	if q.kind != cardinal || isYear(q) {
		return false
	}
	const rough = 0.3
	sum := 1e-9
	if q.relation != exactly {
		sum = 0.03
	}
	near := func(v, tolerance float64) bool { return math.Abs(q.value-v) <= tolerance*math.Abs(q.value) }
	if q.relation != exactly && near(other.value, rough) {
		return true
	}
	list := x.passage.numbers
	for i, a := range list {
		for _, b := range list[i+1:] {
			if a.kind == cardinal && b.kind == cardinal && a.value != 0 && b.value != 0 && !isYear(a) && (near(a.value+b.value, sum) || near(math.Abs(a.value-b.value), sum)) {
				return true
			}
		}
	}
	return false
}

// numberDifference tells in what two numbers differ that are in one place.
func numberDifference(claim, text *quantity) (DifferenceKind, bool) {
	switch {
	case claim.kind == cardinal && text.kind == cardinal && claim.written == text.written && claim.unitName != text.unitName && claim.unitName != "" && text.unitName != "":
		return DifferentUnit, true
	case (claim.word || text.word) && claim.unitName != text.unitName: // "in one day" says nothing of hours
		return "", false
	case claim.matches(*text): // only the bounds differ
		return DifferentQuantifier, claim.relation.bounds()*text.relation.bounds() < 0
	case isYear(*claim) && text.kind == date && text.year != 0 || isYear(*text) && claim.kind == date && claim.year != 0 && claim.month == 0:
		return DifferentTime, true
	case claim.kind != text.kind:
		return "", false
	case claim.kind == ordinal:
		return DifferentOrdinal, true
	case claim.kind == date || claim.kind == clock || claim.kind == decade:
		return DifferentTime, claim.kind != date || claim.sameForm(*text)
	case !claim.sameForm(*text):
		return "", false
	case claim.unit == text.unit && isYear(*claim) && isYear(*text):
		return DifferentTime, true
	}
	return DifferentNumber, isYear(*claim) == isYear(*text)
}

func isYear(q quantity) bool {
	return q.kind == cardinal && !q.measure && !measured(q.unit) && q.value >= 1500 && q.value < 2100 && q.value == float64(int(q.value)) && q.step == 1
}

func (x *account) claimHas(n quantity) bool {
	return slices.ContainsFunc(x.claim.numbers, func(q quantity) bool { return x.k.equalNumbers(&q, &n) })
}

// replacedOperators finds operators of the claim that the passage has otherwise for the same words: "all" for "most".
func (x *account) replacedOperators(add func(DifferenceKind, span, span)) {
	for i, anchor := range x.unmatchedOperators() {
		o := &x.claim.operators[i]
		for n := range x.passage.operators {
			s := &x.passage.operators[n]
			if x.used[n] || x.passage.tokens[s.first].sentence != x.passage.tokens[anchor].sentence {
				continue
			}
			if d := anchor - s.last; d < -3 || d > 4 || s.is(lexicon.Certainty) && x.deniedBeside(n) {
				continue
			}
			if p := x.passage.tokens; s.is(lexicon.Quantifier) && p[s.first].clause != p[anchor].clause {
				continue
			}
			if kind, ok := conflict(o, s); ok && (kind != DifferentCertainty || x.sameVerb(o, s)) && x.around(span{o.first, o.last}, span{s.first, s.last}, false) > needed(DifferentQuantifier) {
				add(kind, span{o.first, o.last}, span{s.first, s.last})
				break
			}
		}
	}
}

// sameVerb reports whether a modal of the claim and one of the passage are about the same word: the next one of content or, at
// the end of a segment, the one before. German verbs are at the end of their clause.
func (x *account) sameVerb(o, s *operator) bool {
	if x.k.claims.language == "de" || x.k.claims.language == "ja" {
		return true
	}
	c, p := x.claim.beside(o.last, 1), x.passage.beside(s.last, 1)
	if c < 0 && p < 0 {
		c, p = x.claim.beside(o.first, -1), x.passage.beside(s.first, -1)
	}
	return c >= 0 && p >= 0 && x.at[c] == p
}

// beside returns the nearest word of content on one side of token i in its segment; -1 for none.
func (w *wording) beside(i, step int) int {
	t := w.tokens
	for j := i + step; j >= 0 && j < len(t) && t[j].segment == t[i].segment; j += step {
		if t[j].content() {
			return j
		}
	}
	return -1
}

// deniedBeside reports whether the sentence of an operator of the passage has a negation that the claim lacks: "who is not
// registered must not" and "who is registered may" agree.
func (x *account) deniedBeside(n int) bool {
	p := x.passage
	for m := range p.operators {
		o := &p.operators[m]
		if m != n && !x.used[m] && o.is(lexicon.Negation) && p.tokens[o.first].sentence == p.tokens[p.operators[n].first].sentence {
			return true
		}
	}
	return false
}

// conflict tells whether two operators exclude each other.
func conflict(a, b *operator) (DifferenceKind, bool) {
	if a.agrees(b) {
		return "", false
	}
	for _, x := range a.meanings {
		for _, y := range b.meanings {
			if x.Kind != y.Kind {
				continue
			}
			switch x.Kind {
			case lexicon.Quantifier:
				if x.Class == y.Class && x.Name != y.Name {
					return DifferentQuantifier, true
				}
			case lexicon.Certainty:
				if x.Class == y.Class && x.Value != y.Value {
					return DifferentCertainty, true
				}
			case lexicon.Relation:
				if x.Class == "before" && y.Class == "after" || x.Class == "after" && y.Class == "before" {
					return DifferentTime, true
				}
			case lexicon.Rate:
				if x.Class != y.Class {
					return DifferentRate, true
				}
			}
		}
	}
	return "", false
}

// boundedNumber is the stretch of a number with the words of its bound: "at least 20".
func (w *wording) boundedNumber(i int) span {
	q := w.numbers[w.tokens[i].number-1]
	out := span{i, i}
	for j := range w.tokens {
		if t := &w.tokens[j]; t.sentence == w.tokens[i].sentence && t.start >= q.bound[0] && t.end <= q.bound[1] {
			out = span{min(out.first, j), max(out.last, j)}
		}
	}
	return out
}

// calendar returns which list of the calendar a word is on, and its number there: months, weekdays, seasons.
func (k *comparer) calendar(word string) (class string, value float64) {
	for _, e := range k.claims.lexicon.Lookup(word) {
		if e.Kind == lexicon.Calendar {
			return e.Class, e.Value
		}
	}
	return "", 0
}
