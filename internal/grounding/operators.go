package grounding

import (
	"iter"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

const operatorReach = 7 // tokens of the passage between an operator and the word it is attached to

// matchOperators pairs the operators of the claim with those of the passage that say the same of the same words.
func (x *account) matchOperators() {
	x.operatorAt = make([]int, len(x.claim.operators))
	x.used = make([]bool, len(x.passage.operators))
	for i := range x.claim.operators {
		o := &x.claim.operators[i]
		x.operatorAt[i] = -1
		for j := o.first; j <= o.last; j++ {
			if p := x.at[j]; p >= 0 && x.passage.tokens[p].operator > 0 {
				n := x.passage.tokens[p].operator - 1
				if o.agrees(&x.passage.operators[n]) && x.attached(o, &x.passage.operators[n]) {
					x.operatorAt[i] = n
					x.used[n] = true
					break
				}
			}
		}
	}
	for i, anchor := range x.unmatchedOperators() {
		o := &x.claim.operators[i]
		best, distance := -1, operatorReach+1
		for n := range x.passage.operators {
			s := &x.passage.operators[n]
			if x.used[n] || !o.agrees(s) || !x.attached(o, s) || x.passage.tokens[s.first].sentence != x.passage.tokens[anchor].sentence {
				continue
			}
			if d := min(abs(s.first-anchor), abs(s.last-anchor)); d < distance {
				best, distance = n, d
			}
		}
		if best < 0 {
			best = x.awaited(o)
		}
		if best >= 0 {
			x.operatorAt[i] = best
			x.used[best] = true
			for j := o.first; j <= o.last; j++ {
				if x.at[j] < 0 {
					x.at[j] = x.passage.operators[best].first
				}
			}
		}
	}
}

// unmatchedOperators yields the operators of the claim without a counterpart, each with the token of the passage that it is
// attached to.
func (x *account) unmatchedOperators() iter.Seq2[int, int] {
	return func(yield func(i, anchor int) bool) {
		for i := range x.claim.operators {
			if x.operatorAt[i] >= 0 {
				continue
			}
			if anchor := x.anchor(&x.claim.operators[i]); anchor >= 0 && !yield(i, anchor) {
				return
			}
		}
	}
}

// awaited finds for an "only after" of the claim the "until" of a "not … until" around the same words in the passage, and
// marks the negation as said; -1 for none.
func (x *account) awaited(o *operator) int {
	if !o.means(lexicon.Condition, "only-if") ||
		!o.means(lexicon.Relation, "after") && x.claim.tokens[o.last].fold != "after" {
		return -1
	}
	before, behind := x.matchedFrom(o.first, -1), x.matchedFrom(o.last, 1)
	for n := 1; n < len(x.passage.operators); n++ {
		not, until := &x.passage.operators[n-1], &x.passage.operators[n]
		if not.is(lexicon.Negation) && until.is(lexicon.Relation) && x.passage.tokens[until.first].fold == "until" &&
			not.last < before && before < until.first && until.last < behind && x.passage.tokens[not.first].sentence == x.passage.tokens[behind].sentence {
			x.used[n-1] = true
			return n
		}
	}
	return -1
}

// attached reports whether an operator of the passage is in the segment of the word that one of the claim is
// attached to: "not" before another verb says something else.
func (x *account) attached(o, s *operator) bool {
	anchor := x.anchor(o)
	p := x.passage.tokens
	if anchor >= 0 && s.means(lexicon.Negation, "without") {
		const reach = 4 // tokens
		return anchor > s.last && anchor-s.last <= reach || anchor < s.first && s.last+1 < len(p) && p[s.last+1].segment != p[s.last].segment
	}
	if anchor > 0 && s.is(lexicon.Certainty) && s.last+1 < len(p) && p[anchor].segment == p[s.last+1].segment && p[anchor].sentence == p[s.last].sentence {
		return true // "in der Lage, Korn zu mahlen"
	}
	return anchor < 0 || x.passage.tokens[anchor].segment == x.passage.tokens[s.first].segment || x.passage.tokens[anchor].segment == x.passage.tokens[s.last].segment
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// anchor is where the passage has the word that an operator of the claim is attached to: the next word of content
// in the same segment, or else the one before; -1 where it has none. A rate is attached to what is before it.
func (x *account) anchor(o *operator) int {
	at := x.matchedFrom(o.last, 1)
	if before := x.matchedFrom(o.first, -1); at < 0 || o.is(lexicon.Rate) && before >= 0 {
		at = before
	}
	return at
}

// matchedFrom finds the counterpart of the first matched word of content on one side of a token, in its segment.
func (x *account) matchedFrom(i, step int) int {
	const reach = 6
	t := x.claim.tokens
	for n, j := 0, i+step; n < reach && j >= 0 && j < len(t) && t[j].segment == t[i].segment; n, j = n+1, j+step {
		if x.at[j] >= 0 && !t[j].function {
			return x.at[j]
		}
	}
	return -1
}

// detached reports whether the passage has an operator of the claim with other words only, "all" of another sentence, or as a
// word that is none there.
func (x *account) detached(i int) bool {
	o := x.claim.tokens[i].operator
	return o > 0 && x.claim.tokens[i].number == 0 && x.operatorAt[o-1] < 0
}

// agrees reports whether two operators say the same.
func (o *operator) agrees(other *operator) bool {
	for _, a := range o.meanings {
		for _, b := range other.meanings {
			if a.Kind == b.Kind && sameMeaning(a, b) {
				return true
			}
		}
	}
	return false
}

func sameMeaning(a, b lexicon.Entry) bool {
	switch a.Kind {
	case lexicon.Negation, lexicon.Myth:
		return true
	case lexicon.Quantifier:
		return a.Class == b.Class && a.Name == b.Name
	case lexicon.Certainty:
		return a.Class == b.Class && a.Value == b.Value
	}
	return a.Class == b.Class
}
