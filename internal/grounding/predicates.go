package grounding

// Two clauses of one sentence have two subjects. A claim that gives one the predicate of the other uses its words and says
// something else.

// takesPredicate reports whether token i of the claim stands in another clause of the passage than the token before it, and
// that clause has words of its own before it: in "the council welcomed the plan, but criticised the site", nobody welcomed
// the site.
func (x *account) takesPredicate(prev, i int) bool {
	t, p := x.claim.tokens, x.passage.tokens
	from, to := x.at[prev], x.at[i]
	if to <= from || t[i].clause != t[prev].clause || t[i].han || p[from].clause == p[to].clause {
		return false
	}
	coordinated := false
	for n := from + 1; n < to; n++ {
		if p[n].clause == p[from].clause {
			continue
		}
		coordinated = coordinated && p[n].clause == p[n-1].clause || p[n].links == "coordination"
		if p[n].content() && x.free(n, i) && (p[n].clause == p[to].clause || coordinated || p[n].segment == p[to].segment && p[n].segment != p[from].segment) {
			return true
		}
	}
	return false
}

// free reports whether no token of the claim before token i is matched with token n of the passage.
func (x *account) free(n, i int) bool {
	for j := range i {
		if x.at[j] == n {
			return false
		}
	}
	return true
}

// otherSide reports whether token i stands on the other side of a comparison than in the passage: "A is larger than B".
func (x *account) otherSide(i int) bool {
	t, p := x.claim.tokens, x.passage.tokens
	for c := range t {
		if t[c].links != "comparison" || t[c].segment != t[i].segment {
			continue
		}
		for n := range p {
			if p[n].links == "comparison" && p[n].sentence == p[x.at[i]].sentence {
				return (i < c) != (x.at[i] < n)
			}
		}
	}
	return false
}

// otherObject reports whether the passage has another noun behind the preposition that token i of the claim stands behind, with
// the same word before it: "handed over to the ministry" is not "handed over to the navy".
func (x *account) otherObject(i int) bool {
	const longest = 5 // tokens of the phrase
	t, p := x.claim.tokens, x.passage.tokens
	at := x.claim.preposition(i)
	if at <= 0 || t[at-1].function || x.at[at-1] < 0 || t[i].number > 0 {
		return false
	}
	there := x.at[at-1] + 1
	if there >= len(p) || p[there].fold != t[at].fold || !p[there].preposed || x.at[i] > there && x.at[i] <= there+longest {
		return false
	}
	for n := there + 1; n < len(p) && n <= there+longest && p[n].segment == p[there].segment; n++ {
		if p[n].content() {
			return !x.taken[n]
		}
	}
	return false
}

// narrowed reports whether the passage speaks of some kind of what the claim speaks of in general: untreated plague, plague.
func (x *account) narrowed(i int) bool {
	t, p := x.claim.tokens, x.passage.tokens
	at := x.at[i]
	if !x.opening(i) || i > 0 || t[i].number > 0 || p[at].capital || at == 0 || x.k.claims.language != "en" && x.k.claims.language != "de" {
		return false
	}
	return p[at].tight && p[at-1].content() && !x.taken[at-1] && !p[at-1].capital && p[at-1].number == 0
}

// otherName reports whether token i stands in an apposition to another name than the one that opens the claim: in "Orla thanked
// her friend Bent, a diver", Orla is no diver.
func (x *account) otherName(prev, i int) bool {
	t, p := x.claim.tokens, x.passage.tokens
	from, to := x.at[prev], x.at[i]
	if !t[prev].upper || t[i].upper || p[from].sentence != p[to].sentence {
		return false
	}
	first := x.passage.segmentStart(to)
	return first > from+1 && p[first].determiner && p[first-1].capital && p[first-1].number == 0 && !x.taken[first-1]
}
