package grounding

// Two clauses of one sentence have two subjects. A claim that gives one the predicate of the other uses its words and says
// something else.

// takesPredicate reports whether token i of the claim is in another clause of the passage than the token before it, and
// that clause has words of its own before it: in "the council welcomed the plan, but criticised the site", nobody welcomed
// the site.
func (x *account) takesPredicate(prev, i int) bool {
	t, p := x.claim.tokens, x.passage.tokens
	from, to := x.at[prev], x.at[i]
	if to <= from || t[i].clause != t[prev].clause || p[from].clause == p[to].clause {
		return false
	}
	if t[i].han {
		return p[from].segment != p[to].segment && (x.inPlaceOf(prev, i) || x.ownTopic(to))
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

// inPlaceOf reports whether the clause of token i has a noun of the claim with another word before it, and the claim has that
// noun with the word of another clause: in 新码头完工，旧码头拆除, it is not the 新码头 that 拆除 speaks of.
func (x *account) inPlaceOf(prev, i int) bool {
	t, p := x.claim.tokens, x.passage.tokens
	from, to := x.at[prev], x.at[i]
	if prev == i-1 && t[i].tight && p[to].tight && p[from+1].keys[0] == t[i].keys[0] && x.leavesCharacter(to-1) {
		return true
	}
	for n := prev + 1; n < i; n++ {
		if t[n].content() {
			return false
		}
	}
	n := to - 1
	for n > 0 && p[n].segment == p[to].segment && !p[n].content() { // 可
		n--
	}
	return p[n].segment == p[to].segment && p[n].tight && p[n].keys[0] == t[prev].keys[0] && x.leavesCharacter(n) && x.leavesCharacter(n-1)
}

// leavesCharacter reports whether the claim leaves out a Chinese character of the passage that has a meaning of its own.
func (x *account) leavesCharacter(n int) bool {
	return n >= 0 && x.passage.tokens[n].han && x.passage.tokens[n].content() && !x.taken[n]
}

// ownTopic reports whether the segment of a word of the passage names a Japanese subject before it that the claim lacks.
func (x *account) ownTopic(to int) bool {
	for n := x.passage.segmentStart(to); n < to; n++ {
		if t := &x.passage.tokens[n]; t.part == "subject" && t.content() && !x.taken[n] {
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

// otherSide reports whether token i is on the other side of a comparison than in the passage: "A is larger than B".
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

// otherObject reports whether the passage has another noun after the preposition that token i of the claim is after, with
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

// otherName reports whether token i is in an apposition to another name than the one that opens the claim: in "Orla thanked
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
