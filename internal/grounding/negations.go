package grounding

import (
	"slices"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// deniedAt reports whether a negation is before token i in its segment, or closely after it.
func (w *wording) deniedAt(i int) bool {
	return slices.ContainsFunc(w.operators, func(o operator) bool {
		return o.is(lexicon.Negation) && w.tokens[o.first].segment == w.tokens[i].segment && o.first > i-8 && o.first < i+5
	})
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
			elsewhere := !o.denies() && slices.ContainsFunc(x.passage.operators, func(s operator) bool { // "without" is with another word
				return s.is(lexicon.Negation) && p[s.first].sentence == p[at].sentence
			})
			if !elsewhere && !x.deniedAround(at) && !x.opposedNear(o.first, o.last) {
				add(DifferentNegation, span{o.first, j}, span{at, at})
			}
			break
		}
	}
	for _, n := range x.unsaid {
		o := &x.passage.operators[n]
		if !o.is(lexicon.Negation) || x.prevents(o.last+1) || x.deniedPrevention(o) {
			continue
		}
		if o.contrasts() && !x.comparedWith(o) {
			continue
		}
		denied := x.governedBefore(o)
		for j := o.last + 1; j < len(p) && p[j].clause == p[o.last].clause && len(denied) < 2; j++ {
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

// prevents reports whether token j of the passage is a verb that denies what follows: "not prevent" denies nothing more.
func (x *account) prevents(j int) bool {
	p := x.passage.tokens
	if j >= len(p) || p[j-1].segment != p[j].segment {
		return false
	}
	e, ok := x.k.claims.lexicon.Is(lexicon.Averted, p[j].word)
	return ok && e.Class == "from" && !x.taken[j]
}

// deniedAround reports whether anything near a token of the passage denies, softly or not.
func (x *account) deniedAround(at int) bool {
	p := x.passage.tokens
	return slices.ContainsFunc(x.passage.operators, func(o operator) bool {
		return o.is(lexicon.Myth) || p[o.first].sentence == p[at].sentence && (o.denies() || o.is(lexicon.Condition))
	})
}

// contrasts reports whether an operator only compares a thing with another: "instead of".
func (o *operator) contrasts() bool { return o.means(lexicon.Negation, "contrast") }

// comparedWith reports whether the claim begins with words that are before an "instead of" of the passage, and compares nothing
// itself. In "buses run instead of the trains that the strike stopped", a claim about the trains that were stopped is not denied.
func (x *account) comparedWith(o *operator) bool {
	c, p := x.claim.tokens, x.passage.tokens
	if slices.ContainsFunc(c, func(t token) bool { return t.links == "comparison" }) {
		return false
	}
	for i := range c {
		if at := x.at[i]; at >= 0 && c[i].content() && !c[i].hidden {
			return p[at].sentence == p[o.first].sentence && at < o.first
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
	if slices.ContainsFunc(x.claim.operators, func(o operator) bool { return o.is(lexicon.Negation) || o.is(lexicon.Condition) || o.is(lexicon.Myth) }) {
		return true
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

// denies reports whether a text denies anything.
func (w *wording) denies() bool {
	return slices.ContainsFunc(w.operators, func(o operator) bool { return o.is(lexicon.Negation) })
}
