package grounding

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// Shares of the claim that a passage must account for before it can contradict the rest: a passage about something
// else has other numbers and names, which say nothing. Chosen on development data.
const (
	aboutSame   = 0.5  // of the claim
	halfSame    = 0.6  // of the words of its segment, where the two words before are the same as well
	nearlySame  = 0.75 // of the words of its segment
	restIsEqual = 0.92 // of the claim, where the passage says more, such as a condition
)

// span is a stretch of tokens, last included.
type span struct{ first, last int }

// differences lists where the passage says otherwise than the claim.
func (x *account) differences() []Difference {
	words := x.weight // without the numbers that differ
	for _, i := range x.missing {
		if x.claim.tokens[i].number > 0 {
			words -= x.claim.tokens[i].weightOf()
		}
	}
	if words <= 0 || x.covered < aboutSame*words {
		return nil
	}
	var out []Difference
	add := func(kind DifferenceKind, claim, source span) {
		least := needed(kind)
		if least == nearlySame && x.sameBefore(claim.first, source.first) {
			least = halfSame
		}
		if kind != DifferentRole && kind != DifferentBinding && x.around(claim, source, least <= nearlySame) < least {
			return
		}
		d := x.difference(kind, claim, source)
		if !slices.ContainsFunc(out, func(o Difference) bool { return o.Start == d.Start && o.ClaimStart == d.ClaimStart }) {
			out = append(out, d)
		}
	}
	x.replacedOperators(add)
	for _, i := range x.missing {
		x.replacedToken(i, add)
	}
	x.replacedPhrases(add)
	x.negations(add)
	x.swaps(add)
	x.dropped(add)
	slices.SortStableFunc(out, func(a, b Difference) int { return cmp.Compare(a.ClaimStart, b.ClaimStart) })
	return out
}

// needed is how much of the segment around a difference the passage must have. Where the passage says something in
// other words, a negation or a name that stands there proves nothing.
func needed(kind DifferenceKind) float64 {
	switch kind {
	case DifferentNegation:
		return 0.85
	case DifferentName, DifferentCondition, DifferentMyth, DifferentCertainty, DifferentQuantifier:
		return 0.99
	}
	return nearlySame
}

// sameBefore reports whether the two words before a token of the claim stand before one of the passage.
func (x *account) sameBefore(i, j int) bool {
	c, p := x.claim.tokens, x.passage.tokens
	return i > 1 && j > 1 && c[i-1].fold == p[j-1].fold && c[i-2].keys[0] == p[j-2].keys[0]
}

// around is the share of the claim's words in the segment of a difference, the differing ones left out, that stand
// in the same sentence of the passage, or anywhere in it.
func (x *account) around(claim, source span, anywhere bool) float64 {
	c := x.claim.tokens
	from, to := claim.first, claim.last
	for from > 0 && c[from-1].segment == c[claim.first].segment {
		from--
	}
	for to+1 < len(c) && c[to+1].segment == c[claim.last].segment {
		to++
	}
	if there, n := x.shared(claim, source, span{from, to}, anywhere); n >= 3 {
		return there
	}
	there, n := x.shared(claim, source, span{0, len(c) - 1}, anywhere) // a segment of two words says little
	if n < 2 {
		return 0
	}
	return there
}

// shared is the share of the words of a stretch of the claim that the passage has, and how many these are.
func (x *account) shared(claim, source, stretch span, anywhere bool) (float64, int) {
	c, p := x.claim.tokens, x.passage.tokens
	all, there, n := 0.0, 0.0, 0
	for i := stretch.first; i <= stretch.last; i++ {
		w := c[i].weightOf()
		if w == 0 || i >= claim.first && i <= claim.last || c[i].hidden || x.at[i] < 0 && (c[i].number > 0 || c[i].operator > 0 && x.operatorAt[c[i].operator-1] < 0) {
			continue
		}
		all += w
		if at := x.at[i]; at >= 0 && (anywhere || p[at].sentence == p[source.first].sentence) {
			there += w
			n++
		} else if o := c[i].operator; at < 0 && o > 0 && x.operatorAt[o-1] >= 0 {
			there += w
		}
	}
	if n == 0 {
		return 0, 0
	}
	return there / all, n
}

func (x *account) difference(kind DifferenceKind, claim, source span) Difference {
	d := Difference{Kind: kind, SourceID: x.doc.ID}
	c, p := x.claim.tokens, x.passage.tokens
	from, to := c[claim.first].start, c[claim.last].end
	d.Claim = strings.TrimSpace(x.claim.text[from:to])
	d.ClaimStart = utf8.RuneCountInString(x.claim.text[:from])
	d.ClaimEnd = utf8.RuneCountInString(x.claim.text[:to])
	first, last := p[source.first], p[source.last]
	a, b := x.doc.sentences[first.sentence], x.doc.sentences[last.sentence]
	d.Start = a.Start + utf8.RuneCountInString(a.Text[:first.start])
	d.End = b.Start + utf8.RuneCountInString(b.Text[:last.end])
	if first.sentence == last.sentence && first.start < last.end {
		d.Source = strings.TrimSpace(a.Text[first.start:last.end])
	}
	return d
}

// place is the stretch of the passage where the counterpart of an unmatched token of the claim would stand, between
// the counterparts of its neighbours. sure means that both neighbours are matched.
func (x *account) place(i int) (at span, sure, ok bool) {
	const far = 3 // tokens of content to either side
	c, p := x.claim.tokens, x.passage.tokens
	left, right := -1, -1
	for j, n := i-1, 0; j >= 0 && n < far && left < 0; j-- {
		if c[j].function || c[j].speech || c[j].operator > 0 {
			continue
		}
		n++
		left = x.at[j]
	}
	for j, n := i+1, 0; j < len(c) && n < far && right < 0; j++ {
		if c[j].function || c[j].speech || c[j].operator > 0 {
			continue
		}
		n++
		right = x.at[j]
	}
	const reach, gap = 4, 9
	switch {
	case left >= 0 && right > left && right-left <= gap && p[left].sentence == p[right].sentence:
		return span{left + 1, right - 1}, true, right-left > 1
	case right >= 0:
		at = span{max(0, right-reach), right - 1}
	case left >= 0:
		at = span{left + 1, min(len(p)-1, left+reach)}
	default:
		return at, false, false
	}
	return at, false, at.first <= at.last
}

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
		if x.taken[j] || p[j].number > 0 {
			continue
		}
		if x.k.opposed(c[i].word, p[j].word) && !x.negated(j) && !x.claimNegated(i) {
			add(DifferentDirection, one, span{j, j})
			return
		}
	}
	if kind, day := x.k.calendar(c[i].word); day > 0 {
		for j := max(0, at.first-1); j <= min(len(p)-1, at.last+1); j++ {
			if other, value := x.k.calendar(p[j].word); !x.taken[j] && p[j].number == 0 && other == kind && value != day {
				add(DifferentTime, one, span{j, j})
				return
			}
		}
	}
	if !c[i].capital || c[i].operator > 0 || !sure || x.k.claims.language == "de" {
		return
	}
	for j := at.first; j <= at.last; j++ {
		if !x.taken[j] && p[j].capital && p[j].number == 0 && p[j].operator == 0 && !p[j].function && !x.doc.spells(strings.ToUpper(c[i].fold)) {
			add(DifferentName, one, span{j, j})
			return
		}
	}
}

// replacedPhrases finds phrases of several tokens that the passage has the opposite of in their place: 买入 for 卖出.
func (x *account) replacedPhrases(add func(DifferenceKind, span, span)) {
	for _, o := range x.claim.phrases {
		i := slices.IndexFunc(x.missing, func(i int) bool { return i >= o.first && i <= o.last })
		if i < 0 || x.claimNegated(o.first) {
			continue
		}
		at, _, ok := x.place(x.missing[i])
		if !ok {
			continue
		}
		for _, s := range x.passage.phrases {
			const reach = 3
			if s.last >= at.first-reach && s.first <= at.last+reach && x.k.claims.lexicon.Opposed(o.text, s.text) && !x.negated(s.first) {
				add(DifferentDirection, o.span, s.span)
				break
			}
		}
	}
}

// sameThing reports whether the numbers at two tokens count or date the same: by their unit, the words before or the
// word behind.
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

// numberDifference tells in what two numbers differ that stand in one place.
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

// negated reports whether the passage denies token j.
func (x *account) negated(j int) bool { return x.passage.deniedAt(j) }

// claimNegated reports whether the claim denies token i.
func (x *account) claimNegated(i int) bool { return x.claim.deniedAt(i) }

// deniedAt reports whether a negation stands before token i in its segment, or closely behind it.
func (w *wording) deniedAt(i int) bool {
	for n := range w.operators {
		o := &w.operators[n]
		if o.is(lexicon.Negation) && w.tokens[o.first].segment == w.tokens[i].segment && o.first > i-8 && o.first < i+5 {
			return true
		}
	}
	return false
}

// replacedOperators finds operators of the claim that the passage has otherwise for the same words: "all" for "most".
func (x *account) replacedOperators(add func(DifferenceKind, span, span)) {
	for i := range x.claim.operators {
		if x.operatorAt[i] >= 0 {
			continue
		}
		o := &x.claim.operators[i]
		anchor := x.anchor(o)
		if anchor < 0 {
			continue
		}
		for n := range x.passage.operators {
			s := &x.passage.operators[n]
			if x.used[n] || x.passage.tokens[s.first].sentence != x.passage.tokens[anchor].sentence {
				continue
			}
			if d := anchor - s.last; d < -3 || d > 4 || s.is(lexicon.Certainty) && x.deniedBeside(n) {
				continue
			}
			if kind, ok := conflict(o, s); ok && x.around(span{o.first, o.last}, span{s.first, s.last}, false) > needed(DifferentQuantifier) {
				add(kind, span{o.first, o.last}, span{s.first, s.last})
				break
			}
		}
	}
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

// negations finds what only one side denies.
func (x *account) negations(add func(DifferenceKind, span, span)) {
	c, p := x.claim.tokens, x.passage.tokens
	for i := range x.claim.operators {
		o := &x.claim.operators[i]
		if x.operatorAt[i] >= 0 || !o.is(lexicon.Negation) {
			continue
		}
		for j := o.last + 1; j < len(c) && c[j].segment == c[o.last].segment && j <= o.last+4; j++ {
			at := x.at[j]
			if at < 0 || c[j].function {
				continue
			}
			if !x.deniedAround(at) && !x.opposedNear(o.first, o.last) {
				add(DifferentNegation, span{o.first, j}, span{at, at})
			}
			break
		}
	}
	for _, n := range x.unsaid {
		o := &x.passage.operators[n]
		if !o.is(lexicon.Negation) {
			continue
		}
		denied := x.governedBefore(o)
		for j := o.last + 1; j < len(p) && p[j].segment == p[o.last].segment && len(denied) < 2; j++ {
			if !p[j].function {
				denied = append(denied, j)
			}
		}
		for _, j := range denied {
			i := slices.Index(x.at, j)
			if i < 0 || x.claim.tokens[i].function {
				continue
			}
			if !x.claimDenies(i) {
				add(DifferentNegation, span{i, i}, span{min(o.first, j), max(o.last, j)})
			}
			break
		}
	}
}

// governedBefore lists the words that a negation or modal of the passage changes although they stand before it: the verb in
// Japanese, and elsewhere where nothing follows ("schließt nicht", "cierra quizás").
func (x *account) governedBefore(o *operator) []int {
	p := x.passage.tokens
	if x.k.claims.language != "ja" && o.last+1 < len(p) && p[o.last+1].segment == p[o.last].segment {
		return nil
	}
	const reach = 3 // tokens
	var out []int
	for j := o.first - 1; j >= 0 && j >= o.first-reach && p[j].segment == p[o.first].segment; j-- {
		if !p[j].function {
			out = append(out, j)
		}
	}
	return out
}

// deniedAround reports whether anything near a token of the passage denies, softly or not.
func (x *account) deniedAround(at int) bool {
	p := x.passage
	for n := range p.operators {
		o := &p.operators[n]
		same := p.tokens[o.first].sentence == p.tokens[at].sentence
		if o.is(lexicon.Myth) || same && (o.denies() || o.is(lexicon.Condition)) {
			return true
		}
	}
	return false
}

// denies reports whether an operator denies a predicate, and not a thing: "without", "free of".
func (o *operator) denies() bool {
	return slices.ContainsFunc(o.meanings, func(e lexicon.Entry) bool { return e.Kind == lexicon.Negation && e.Class != "without" })
}

// claimDenies reports whether the claim denies anything near token i, with a negation or a word of rejection.
func (x *account) claimDenies(i int) bool {
	for n := range x.claim.operators {
		o := &x.claim.operators[n]
		if o.is(lexicon.Negation) || o.is(lexicon.Condition) || o.is(lexicon.Myth) {
			return true
		}
	}
	// A word that the passage lacks may say the same as the negation: "unable", "refused".
	for _, step := range []int{-1, 1} {
		for j := i + step; j >= 0 && j < len(x.at); j += step {
			if t := &x.claim.tokens[j]; t.function {
				continue
			}
			if x.at[j] < 0 {
				return true
			}
			break
		}
	}
	return false
}

// opposedNear reports whether the passage says the opposite of a word beside a negation of the claim: "did not fall"
// and "rose" agree.
func (x *account) opposedNear(first, last int) bool {
	c, p := x.claim.tokens, x.passage.tokens
	for i := max(0, first-3); i < min(len(c), last+4); i++ {
		if x.at[i] >= 0 {
			continue
		}
		for j := range p {
			if !x.taken[j] && x.k.opposed(c[i].word, p[j].word) {
				return true
			}
		}
	}
	return false
}

// swaps finds two names or two numbers that changed places.
func (x *account) swaps(add func(DifferenceKind, span, span)) {
	if len(x.missing) > 0 || len(x.order) == 0 {
		return
	}
	c, p := x.claim.tokens, x.passage.tokens
	var order []int // matched tokens of content
	for i := range c {
		if x.at[i] >= 0 && !c[i].function && !c[i].speech && c[i].operator == 0 {
			order = append(order, i)
		}
	}
	for m, i := range order {
		for _, j := range order[m+1:] {
			numbers := c[i].number > 0 && c[j].number > 0
			names := c[i].upper && c[j].upper && p[x.at[i]].upper && p[x.at[j]].upper && x.k.claims.language != "de"
			if !numbers && !names || x.at[j] > x.at[i] || p[x.at[i]].sentence != p[x.at[j]].sentence {
				continue
			}
			x.at[i], x.at[j] = x.at[j], x.at[i]
			sorted := slices.IsSortedFunc(order, func(a, b int) int { return cmp.Compare(x.at[a], x.at[b]) })
			x.at[i], x.at[j] = x.at[j], x.at[i]
			if sorted {
				kind := DifferentRole
				if numbers {
					kind = DifferentBinding
				}
				add(kind, span{i, i}, span{x.at[j], x.at[j]})
				add(kind, span{j, j}, span{x.at[i], x.at[i]})
				return
			}
		}
	}
}

// dropped finds what the passage says besides, of which the claim is not true without: a condition, a "may".
func (x *account) dropped(add func(DifferenceKind, span, span)) {
	if x.covered < restIsEqual*x.weight {
		return
	}
	c, p := x.claim.tokens, x.passage.tokens
	for _, n := range x.unsaid {
		o := &x.passage.operators[n]
		if o.is(lexicon.Myth) {
			if near := x.refutes(o); near >= 0 {
				add(DifferentMyth, span{near, near}, span{o.first, o.last})
			}
			continue
		}
		near := -1 // the first token of the claim behind the operator, or the last one before it
		for j := o.last + 1; j < len(p) && p[j].sentence == p[o.last].sentence && near < 0; j++ {
			if i := slices.Index(x.at, j); i >= 0 && !c[i].function {
				near = i
			}
		}
		for j := o.first - 1; j >= 0 && p[j].sentence == p[o.first].sentence && near < 0; j-- {
			if i := slices.Index(x.at, j); i >= 0 && !c[i].function {
				near = i
			}
		}
		if near < 0 {
			continue
		}
		for _, e := range o.meanings {
			switch {
			case e.Kind == lexicon.Condition:
				add(DifferentCondition, span{near, near}, span{o.first, o.last})
			case e.Kind == lexicon.Certainty && !x.claim.denies() && (e.Class == "epistemic" && e.Value <= 2 || e.Class == "realisation"):
				add(DifferentCertainty, span{near, near}, span{o.first, o.last})
			default:
				continue
			}
			break
		}
	}
}

// refutes returns the first word of the claim that a mark of the passage calls a myth; -1 where the claim denies it as
// well, or says more than the refuted sentence.
func (x *account) refutes(o *operator) int {
	c, p := x.claim.tokens, x.passage.tokens
	if slices.ContainsFunc(x.claim.operators, func(o operator) bool { return o.is(lexicon.Negation) || o.is(lexicon.Myth) }) {
		return -1
	}
	sentence := p[o.first].sentence
	if o.refutesBefore() {
		sentence--
	}
	near := -1
	for i := range c {
		switch at := x.at[i]; {
		case !c[i].content() || c[i].hidden:
		case at < 0 || p[at].sentence != sentence:
			return -1
		case near < 0:
			near = i
		}
	}
	return near
}

// denies reports whether a text denies anything.
func (w *wording) denies() bool {
	return slices.ContainsFunc(w.operators, func(o operator) bool { return o.is(lexicon.Negation) })
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
