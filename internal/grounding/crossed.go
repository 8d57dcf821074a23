package grounding

import (
	"slices"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// The words of a claim may all be in the passage and still be combined otherwise. The functions here name such a difference only
// where the passage has the other combination at the very place.

// crossed finds numbers, opposites and negations that the passage combines with other words than the claim.
func (x *account) crossed(add func(DifferenceKind, span, span)) {
	x.crossedNumbers(add)
	x.crossedNegation(add)
	for _, i := range x.order {
		if i <= 0 || i+1 >= len(x.claim.tokens) || x.at[i] < 0 || !x.claim.tokens[i].content() || x.claim.tokens[i].number > 0 {
			continue
		}
		l, r := x.at[i-1], x.at[i+1]
		if l >= 0 && r == l+2 && x.at[i] != l+1 && x.passage.tokens[l+1].clause == x.passage.tokens[r].clause &&
			x.k.opposed(x.claim.tokens[i].word, x.passage.tokens[l+1].word) {
			add(DifferentDirection, span{i, i}, span{l + 1, l + 1})
		}
	}
}

// crossedNumbers finds two numbers of the claim of which the passage has each with the other's words: "55 schools in May and 180
// in June", "in May 180 schools and in June 55".
func (x *account) crossedNumbers(add func(DifferenceKind, span, span)) {
	t, p := x.claim.tokens, x.passage.tokens
	if len(x.claim.respective)+len(x.passage.respective) > 0 {
		return
	}
	var numbers []int
	for i := range t {
		if t[i].number > 0 && x.at[i] >= 0 {
			numbers = append(numbers, i)
		}
	}
	for n, i := range numbers {
		for _, j := range numbers[n+1:] {
			a, b := x.claim.numbers[t[i].number-1], x.claim.numbers[t[j].number-1]
			if t[i].clause == t[j].clause || p[x.at[i]].sentence != p[x.at[j]].sentence || a.kind != b.kind || a.kind != cardinal || a.unit != b.unit || a.value == b.value || isYear(a) != isYear(b) {
				continue
			}
			if x.withOther(i, j) && x.withOther(j, i) {
				add(DifferentBinding, span{i, i}, span{x.at[i], x.at[i]})
				add(DifferentBinding, span{j, j}, span{x.at[j], x.at[j]})
				return
			}
		}
	}
}

// withOther reports whether the words of content in the clause of number i of the claim are all beside number j in the passage.
func (x *account) withOther(i, j int) bool {
	t, p := x.claim.tokens, x.passage.tokens
	far := func(a, b int) int {
		d := abs(a - b)
		if p[a].segment != p[b].segment {
			d += maxTokens
		}
		return d
	}
	n := 0
	for h := range t {
		at := x.at[h]
		if t[h].clause != t[i].clause || !t[h].content() || t[h].number > 0 || at < 0 || p[at].sentence != p[x.at[i]].sentence {
			continue
		}
		if far(at, x.at[j]) >= far(at, x.at[i]) {
			return false
		}
		n++
	}
	return n > 0
}

// crossedNegation finds a negation that the passage has with another word of the claim: "it is A and does not seek B", "it is not
// A but seeks B".
func (x *account) crossedNegation(add func(DifferenceKind, span, span)) {
	for n := range x.claim.operators {
		own := &x.claim.operators[n]
		if !own.denies() {
			continue
		}
		denied := x.claim.deniedWord(own)
		if denied < 0 || x.at[denied] < 0 || x.passage.deniedInClause(x.at[denied]) {
			continue
		}
		for m := range x.passage.operators {
			other := &x.passage.operators[m]
			if !other.denies() || x.passage.tokens[other.first].sentence != x.passage.tokens[x.at[denied]].sentence {
				continue
			}
			there := x.passage.deniedWord(other)
			if i := slices.Index(x.at, there); there >= 0 && i >= 0 && !x.claim.deniedInClause(i) {
				add(DifferentNegation, span{own.first, denied}, span{x.at[denied], x.at[denied]})
				return
			}
		}
	}
}

// deniedWord is the next word of content after a negation in its clause; -1 for none.
func (w *wording) deniedWord(o *operator) int {
	for i := o.last + 1; i < len(w.tokens) && w.tokens[i].clause == w.tokens[o.last].clause; i++ {
		if w.tokens[i].content() {
			return i
		}
	}
	return -1
}

// deniedInClause reports whether a negation is in the clause of a token.
func (w *wording) deniedInClause(i int) bool {
	return slices.ContainsFunc(w.operators, func(o operator) bool {
		return o.is(lexicon.Negation) && w.tokens[o.first].clause == w.tokens[i].clause
	})
}
