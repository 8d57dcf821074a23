package grounding

import "slices"

// Coordinated predicates share a subject, and each has its own dates and places: a mill "built in 1912 and sold in 1987" was
// not sold in 1912.

// otherPredicates lists the dates and places of the claim that belong to another predicate of the passage than its verb.
func (x *account) otherPredicates() []int {
	t := x.claim.tokens
	var out []int
	coordinated := slices.ContainsFunc(t, func(t token) bool { return t.links == "coordination" || t.han })
	for first := 0; first < len(t); {
		last := first + 1
		for last < len(t) && (!coordinated || t[last].clause == t[first].clause) {
			last++
		}
		out = append(out, x.mixedPredicates(first, last)...)
		first = last
	}
	return out
}

// mixedPredicates is otherPredicates for the tokens first to last-1 of the claim.
func (x *account) mixedPredicates(first, last int) []int {
	var out []int
	p := x.passage.tokens
	for i := first; i < last; i++ {
		at := x.at[i]
		if at < 0 || !x.adjunct(at) {
			continue
		}
		start, end := x.passage.predicate(at)
		before, behind, others := false, false, false // words that the claim takes from elsewhere in the sentence; other words from here
		for j := first; j < last; j++ {
			switch n := x.at[j]; {
			case n < 0 || !x.rests(j) || p[n].sentence != p[at].sentence:
			case n < start:
				before = true
			case n >= end:
				behind = true
			case !x.adjunct(n):
				others = true
			}
		}
		switch {
		case before && !others && x.coordinates(start, end) && x.leaves(start, end, p[at].number > 0):
			out = append(out, i)
		case !behind || !others || !x.coordinates(end, x.passage.predicateEnd(end)):
		case x.followsOther(start, at, end) || x.k.claims.language == "zh" && x.ownDate(at, end):
			out = append(out, i)
		}
	}
	return out
}

// adjunct reports whether a token of the passage is a date or another number, or is in a prepositional phrase. A German
// verb may end the clause right after the phrase.
func (x *account) adjunct(at int) bool {
	p := x.passage.tokens
	if p[at].number > 0 || p[at].time {
		return true
	}
	verb := x.k.claims.language == "de" && !p[at].upper && (at+1 == len(p) || !p[at+1].tight || !p[at+1].upper)
	return x.passage.preposition(at) >= 0 && !verb
}

// predicate returns the bounds of the coordinated part of its sentence that a token is in.
func (w *wording) predicate(at int) (start, end int) {
	for start = at; start > 0 && !w.opensPredicate(start) && w.tokens[start-1].sentence == w.tokens[at].sentence; start-- {
	}
	return start, w.predicateEnd(at)
}

func (w *wording) predicateEnd(at int) int {
	end := at + 1
	for end < len(w.tokens) && !w.opensPredicate(end) && w.tokens[end].sentence == w.tokens[at].sentence {
		end++
	}
	return end
}

// opensPredicate reports whether a token may open a coordinated part: a conjunction such as "and", or the first one after a mark.
// Words such as "aber" also occur within one.
func (w *wording) opensPredicate(i int) bool {
	return i > 0 && (w.tokens[i].segment != w.tokens[i-1].segment || w.tokens[i].links == "coordination" && !floats(w.tokens[i].fold))
}

// floats reports whether a German conjunction may be within its clause.
func floats(word string) bool { return word == "aber" || word == "jedoch" }

// coordinates reports whether a part of the passage is joined to the one before it: by a conjunction, or by a mark alone in
// Chinese and Japanese.
func (x *account) coordinates(start, end int) bool {
	return slices.ContainsFunc(x.passage.tokens[start:end], func(t token) bool { return t.links == "coordination" || t.han })
}

// leaves reports whether the claim leaves out a word of a part of the passage that is no adjunct: its predicate. Of a number it
// also needs the adjuncts: "7 crowns, or 5 crowns for members".
func (x *account) leaves(start, end int, number bool) bool {
	for n := start; n < end; n++ {
		t := &x.passage.tokens[n]
		if t.content() && !x.taken[n] && (!x.adjunct(n) || number && t.number == 0) {
			return true
		}
	}
	return false
}

// ownDate reports whether the part of the passage from token start on has a date or number of the same kind as that of token at,
// and the claim lacks it.
func (x *account) ownDate(at, start int) bool {
	p := x.passage.tokens
	if p[at].number == 0 {
		return false
	}
	q := &x.passage.numbers[p[at].number-1]
	for n := start; n < x.passage.predicateEnd(start); n++ {
		if p[n].number == 0 || x.taken[n] {
			continue
		}
		other := &x.passage.numbers[p[n].number-1]
		if other.kind == q.kind && other.unit == q.unit && isYear(*other) == isYear(*q) {
			return true
		}
	}
	return false
}

// followsOther reports whether an adjunct of the passage belongs to a predicate that the claim leaves out: the claim has the
// subject, and no other words after a word that it leaves out.
func (x *account) followsOther(start, at, end int) bool {
	p := x.passage.tokens
	governor := at - 1 // the word that the adjunct is after
	if n := x.passage.preposition(at); n >= 0 {
		governor = n - 1
	}
	verbLast := x.k.claims.language == "de" || x.k.claims.language == "ja"
	subject, left := false, false
	for n := start; n < end; n++ {
		switch {
		case n == governor && subject && p[n].content() && !x.taken[n]:
			left = true
		case !p[n].content() || x.adjunct(n):
		case x.taken[n]:
			if left {
				return false
			}
			subject = subject || n < at
		default:
			left = left || subject && (n < at || verbLast)
		}
	}
	return left
}
