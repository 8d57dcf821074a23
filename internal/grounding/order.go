package grounding

import (
	"slices"
	"unicode"
)

const (
	tightReach = 4  // tokens of the passage between two words that are side by side in the claim
	looseReach = 14 // between two words of one segment
	mostMoves  = 2  // phrases that may be elsewhere in the passage than in the claim
)

// checkOrder lists the tokens that do not follow the one before as they do in the claim. The words of a phrase stay
// together in the passage. Phrases may change places, except where that changes who does what: two names or two
// numbers keep their order, and so do a verb and its subject and object, but for a passive.
func (x *account) checkOrder() {
	t, p := x.claim.tokens, x.passage.tokens
	const opening = 3 // words of content: what a sentence is about is often named in the one before
	prev := -1
	named := -1 // the last word of a phrase that the passage has as a pronoun
	moves, content := 0, 0
	claimAgents, agents := x.k.claims.agents(x.claim), x.k.claims.agents(x.passage)
	turned := x.turned(claimAgents, agents)
	for i := range t {
		if x.at[i] < 0 || t[i].function || t[i].operator > 0 || t[i].speech || t[i].hidden && x.inTitle(i) || slices.Contains(x.label, i) || x.adverbial(i) || x.endsContinuative(i) {
			continue
		}
		if x.otherRole(i) || x.otherPeriod(i) || x.behindOther(i) || x.behindRepeat(i) || x.ofTheRest(i) || x.dropsShare(i) || x.ofOtherClause(i) {
			x.order = append(x.order, i)
			continue
		}
		if x.oppositeBeside(i) {
			x.order = append(x.order, i)
			continue
		}
		if home, _ := x.home(i); home >= 0 && home != p[x.at[i]].sentence && x.resolved(i) || x.extends(named, i) || x.repeated(i) {
			named = i
			continue
		}
		if x.strays(i) {
			x.order = append(x.order, i)
			continue
		}
		if x.k.claims.language == "de" && x.claim.movesFreely(i) || x.adverbOfInfinitive(i) {
			continue
		}
		content++
		if prev < 0 {
			if x.narrowed(i) {
				x.order = append(x.order, i)
			}
			prev = i
			continue
		}
		from, to := x.at[prev], x.at[i]
		d := to - from
		same := p[from].sentence == p[to].sentence
		boundary := t[i].clause != t[prev].clause || x.claim.boundary(prev, i)
		switch {
		case d < 0 && same && x.pairsLists(p[to].sentence), same && x.takesPredicate(prev, i), x.otherSide(i), x.otherObject(i), x.otherName(prev, i):
			x.order = append(x.order, i)
		case d < 0 && same && t[i].han && t[i].segment == t[prev].segment && p[from].segment != p[to].segment:
			x.order = append(x.order, i)
		case t[i].number > 0 && x.numberSwapped(i):
			x.order = append(x.order, i) // the prices of two models
		case same && claimAgents[i] != agents[to] && claimAgents[prev] == agents[from] && d > 0, same && claimAgents[prev] != agents[from] && claimAgents[i] == agents[to] && d > 0:
			x.order = append(x.order, i) // "A praised B" and "A was praised by B"
		case d == -1 && same && x.claim.predicative(prev, i):
		case d < 0 && same && turned[t[i].clause] && d >= -looseReach:
		case d > 0 && !same && content <= opening && !x.ownSubject(to), d > 0 && same && content <= opening+1:
		case d > 0 && same && !boundary && !x.goesOn(from, to):
			x.order = append(x.order, i)
		case d >= 0 && same && (d <= tightReach || d <= looseReach && (i-prev > 1 || boundary)):
		case d < 0 && same && i-prev == 1 && d >= -2 && t[i].number == 0 && t[prev].number == 0 && !t[i].capital:
		case d < 0 && same && t[i].segment == t[prev].segment && (t[i].number > 0 && t[prev].number > 0 && !(boundary && x.otherKind(prev, i)) || t[i].time && t[prev].time || t[i].upper && t[prev].upper && x.k.claims.language != "de"):
			x.order = append(x.order, i) // "7 of the 3", "B against A"
		case d < 0 && same && d >= -looseReach && x.nominal(prev, i):
		case boundary && !same && !t[i].han && !x.claim.coordinated(prev, i) && (x.saysMore(p[from].sentence) || x.saysMore(p[to].sentence)):
			// The place of one statement and the figure of another. Chinese joins whole clauses by commas.
			x.order = append(x.order, i)
		case boundary:
			if !x.anchored(i) && !x.anchored(prev) {
				moves++
			}
		default:
			x.order = append(x.order, i)
		}
		prev = i
	}
	if moves > mostMoves {
		x.order = append(x.order, -1)
	}
}

// extends reports whether token i of the claim continues with the phrase of an earlier one in the passage.
func (x *account) extends(named, i int) bool {
	if named < 0 {
		return false
	}
	p := x.passage.tokens
	d := x.at[i] - x.at[named]
	return d > 0 && d <= tightReach && p[x.at[i]].sentence == p[x.at[named]].sentence
}

// otherRole reports whether the subject that opens the claim is after a preposition in the passage: "at CERN, the
// supplier asked" does not say that CERN asked. A genitive and the agent of a passive are subjects as well.
func (x *account) otherRole(i int) bool {
	t := x.claim.tokens
	if !x.opening(i) || t[i].number > 0 || x.claim.preposition(i) >= 0 || !t[i].upper && (i == 0 || !t[i-1].determiner) {
		return false
	}
	p := x.passage.tokens
	for j := range p {
		if p[j].sentence == p[x.at[i]].sentence && p[j].keys[0] == t[i].keys[0] && x.passage.preposition(j) < 0 {
			return false
		}
	}
	at := x.passage.preposition(x.at[i])
	return at >= 0 && !x.k.claims.genitive(p[at].fold) && !x.k.claims.namesAgent(p[at].fold)
}

// genitive reports whether a preposition joins a noun with its subject, owner or other name.
func (r *reader) genitive(word string) bool {
	switch r.language {
	case "en":
		return word == "of" || word == "as"
	case "de":
		return word == "von" || word == "vom" || word == "als"
	case "fr", "es":
		return word == "de" || word == "d" || word == "du" || word == "del" || word == "comme" || word == "como"
	}
	return false
}

// behindOther reports whether the passage has another number of the same kind between a number of the claim and a word
// after it: in "100 euros for parking and 150 euros for speeding", speeding costs no 100 euros.
func (x *account) behindOther(i int) bool {
	t, p := x.claim.tokens, x.passage.tokens
	to := x.at[i]
	for j := range t {
		from := x.at[j]
		if j == i || t[j].number == 0 || from < 0 || from > to || p[from].number == 0 || p[from].sentence != p[to].sentence {
			continue
		}
		q := &x.passage.numbers[p[from].number-1]
		for n := from + 1; n < to; n++ {
			if p[n].number == 0 || x.taken[n] {
				continue
			}
			other := &x.passage.numbers[p[n].number-1]
			if other.kind == q.kind && other.value != q.value && (q.unit != "" && other.unit == q.unit || q.kind == cardinal && q.sameForm(*other) && isYear(*q) == isYear(*other)) {
				return true
			}
		}
	}
	return false
}

// behindRepeat reports whether the passage repeats a noun between the one that the claim has and token i: in "red ink for
// lists and blue ink for letters", letters need no red ink.
func (x *account) behindRepeat(i int) bool {
	t, p := x.claim.tokens, x.passage.tokens
	to := x.at[i]
	for j := range t {
		from := x.at[j]
		if j == i || from < 0 || from >= to || !t[j].content() || t[j].number > 0 || t[j].han || p[from].sentence != p[to].sentence {
			continue
		}
		for n := from + 1; n < to; n++ {
			if !x.taken[n] && p[n].keys[0] == p[from].keys[0] && p[n].content() && n > 0 && p[n-1].tight && p[n-1].content() && !x.taken[n-1] {
				return true
			}
		}
	}
	return false
}

// ofTheRest reports whether token i is after "the others" in the passage, which the claim leaves out, and words of the
// claim before it: "the small boats leave at noon, the others in the evening".
func (x *account) ofTheRest(i int) bool {
	p := x.passage.tokens
	to := x.at[i]
	rest := -1
	for n := to - 1; n >= 0 && p[n].sentence == p[to].sentence; n-- {
		if p[n].anaphor == "rest" && !x.taken[n] {
			rest = n
		}
		if rest > n && x.taken[n] && p[n].content() {
			return true
		}
	}
	return false
}

// dropsShare reports whether the passage speaks of a part of what token i of the claim names, and the claim of all of it: "two
// of the five boats", "a third of the farmers".
func (x *account) dropsShare(i int) bool {
	p := x.passage.tokens
	to := x.at[i]
	if !p[to].content() || p[to].number > 0 {
		return false
	}
	numbers, joined := 0, false
	for n := to - 1; n >= 0 && p[n].segment == p[to].segment; n-- {
		switch {
		case x.taken[n] && !p[n].function:
			return false
		case p[n].number > 0:
			q := &x.passage.numbers[p[n].number-1]
			numbers++
			if q.share || joined && (numbers > 1 || q.unit == "%") {
				return true
			}
		case p[n].joins:
			joined = true
		case !p[n].function:
			return false
		}
	}
	return false
}

// pairsLists reports whether the claim or a sentence of the passage pairs the items of two lists by their order.
func (x *account) pairsLists(sentence int) bool {
	return len(x.claim.respective) > 0 || slices.Contains(x.passage.respective, sentence)
}

// goesOn reports whether a clause of the passage that token a belongs to continues at token b: no words of another clause
// are before b in its segment.
func (x *account) goesOn(a, b int) bool {
	const most = 1 // words of content, such as an adverb
	p := x.passage.tokens
	content := 0
	for j := b - 1; p[b].segment != p[a].segment && j > a && p[j].segment == p[b].segment; j-- {
		if p[j].content() && !x.taken[j] {
			content++
		}
	}
	return content <= most
}

// movesFreely reports whether token i of a German text is a verb or adverb. An adjective is before its noun.
func (w *wording) movesFreely(i int) bool {
	t := w.tokens
	if t[i].number > 0 || t[i].upper || unicode.IsUpper(firstRune(w.text[t[i].start:])) {
		return false
	}
	return i+1 == len(t) || !t[i+1].tight || !t[i+1].upper
}

// nominal reports whether the passage has a verb of the claim as a noun, with its subject or object after it: "TNG50
// models a universe", "a model of a universe called TNG50".
func (x *account) nominal(subject, verb int) bool {
	t, p := x.claim.tokens, x.passage.tokens
	at := x.at[verb]
	return t[subject].number == 0 && t[verb].number == 0 && !t[verb].upper && at+1 < len(p) && verb+1 < len(t) &&
		p[at+1].preposed && !t[verb+1].preposed && t[verb+1].determiner
}

// predicative reports whether a form of "be" joins a noun of the claim with a later adjective: "the calibration is perfect".
func (w *wording) predicative(noun, adjective int) bool {
	t := w.tokens
	return t[noun].number == 0 && t[adjective].number == 0 && !t[adjective].upper && t[noun].clause == t[adjective].clause &&
		slices.ContainsFunc(t[noun+1:adjective], func(t token) bool { return t.copula })
}

// boundary reports whether a phrase begins between two tokens of the claim: after a preposition, a conjunction or a
// mark, or where a prepositional phrase ends before an article, an auxiliary or a pronoun.
func (w *wording) boundary(a, b int) bool {
	t := w.tokens
	if t[a].segment != t[b].segment {
		return true
	}
	for j := a + 1; j < b; j++ {
		if t[j].joins || t[j].preposed {
			return true
		}
	}
	return b-a > 1 && (w.preposition(a) >= 0 || w.timePhrase(a) && t[b-1].determiner)
}

// timePhrase reports whether a token ends a phrase such as "last year" or "el año pasado".
func (w *wording) timePhrase(i int) bool {
	return w.tokens[i].time || i > 0 && w.tokens[i].tight && w.tokens[i-1].time
}

// preposition is the token that opens the prepositional phrase of token i; -1 where i is in none.
func (w *wording) preposition(i int) int {
	const longest = 8
	t := w.tokens
	article := false
	for j := i - 1; j >= 0 && j >= i-longest && t[j].segment == t[i].segment; j-- {
		switch {
		case t[j].preposed:
			return j
		case t[j].genitive:
		case t[j].determiner && !article:
			article = true
		case t[j].function || article: // an auxiliary, or words before the article
			return -1
		}
	}
	return -1
}

// anchored reports whether the prepositional phrase of token i has the same preposition in the passage.
func (x *account) anchored(i int) bool {
	at := x.claim.preposition(i)
	there := x.passage.preposition(x.at[i])
	if at < 0 || there < 0 {
		return false
	}
	return x.claim.tokens[at].fold == x.passage.tokens[there].fold
}

// strays reports whether a word of the claim is matched in another sentence than the words around it, although that
// sentence has the name as well, or although both its neighbours are there.
func (x *account) strays(i int) bool {
	const reach = 4 // tokens to either side
	t, p := x.claim.tokens, x.passage.tokens
	own := p[x.at[i]].sentence
	nearest := [2]int{-1, -1} // sentences of the next matched words of content
	for side, step := range [2]int{-1, 1} {
		for j := i + step; j >= 0 && j < len(t) && t[j].segment == t[i].segment; j += step {
			if x.at[j] < 0 || t[j].function {
				continue
			}
			sentence := p[x.at[j]].sentence
			if nearest[side] < 0 {
				nearest[side] = sentence
			}
			if sentence != own && t[i].upper && abs(j-i) <= reach && x.names(sentence, &t[i]) {
				return true
			}
		}
	}
	if nearest[0] >= 0 && nearest[0] == nearest[1] && nearest[0] != own {
		return true
	}
	if i == 0 || !t[i].tight || t[i].number == 0 && t[i-1].number == 0 || x.at[i-1] < 0 || t[i-1].function {
		return false
	}
	return p[x.at[i-1]].sentence != own // a number and what it counts
}

// oppositeBeside reports whether a word of the claim is matched in another sentence than the word beside it, whose sentence
// has an opposite of it: "injuries rose. Most patients fell" does not say that injuries fell.
func (x *account) oppositeBeside(i int) bool {
	t, p := &x.claim.tokens[i], x.passage.tokens
	for _, step := range []int{-1, 1} {
		at := x.neighbour(i, step)
		if at < 0 || p[at].sentence == p[x.at[i]].sentence || !x.ownSubject(x.at[i]) {
			continue
		}
		for j := range p {
			if p[j].sentence == p[at].sentence && !p[j].function && x.k.opposed(t.word, p[j].word) {
				return true
			}
		}
	}
	return false
}

// coordinated reports whether a conjunction joins two tokens of the claim.
func (w *wording) coordinated(a, b int) bool {
	return slices.ContainsFunc(w.tokens[a+1:b], func(t token) bool { return t.joins && !t.preposed })
}

// saysMore reports whether a sentence of the passage has a number that the claim lacks.
func (x *account) saysMore(sentence int) bool {
	for j := range x.passage.tokens {
		if t := &x.passage.tokens[j]; t.sentence == sentence && t.number > 0 && !x.taken[j] {
			return true
		}
	}
	return false
}

// ownSubject reports whether the sentence of a word of the passage has a word of content before it that the claim lacks,
// and so its own subject. A pronoun does not count.
func (x *account) ownSubject(at int) bool {
	p := x.passage.tokens
	for j := at - 1; j >= 0 && p[j].sentence == p[at].sentence; j-- {
		if p[j].content() && !x.taken[j] && p[j].number == 0 {
			return true
		}
	}
	return false
}

// names reports whether a sentence of the passage has a name.
func (x *account) names(sentence int, name *token) bool {
	return slices.ContainsFunc(x.passage.tokens, func(p token) bool { return p.sentence == sentence && p.upper && p.keys[0] == name.keys[0] })
}

// otherPeriod reports whether the claim has "this" before a stretch of time and the passage does not: "this year", "last year".
func (x *account) otherPeriod(i int) bool {
	t, at := x.claim.tokens, x.at[i]
	return t[i].time && i > 0 && t[i-1].anaphor == "demonstrative" && !x.passage.demonstrates(at)
}

// otherKind reports whether two numbers of the claim measure different things: "1.64 GW" and "the first months".
func (x *account) otherKind(i, j int) bool {
	a, b := x.claim.numbers[x.claim.tokens[i].number-1], x.claim.numbers[x.claim.tokens[j].number-1]
	return a.kind != b.kind || a.amount() && b.amount() && a.unit != b.unit
}

// numberSwapped reports whether a number of the claim is in the passage before one of the same unit that the claim
// has before it.
func (x *account) numberSwapped(i int) bool {
	t := x.claim.tokens
	q := x.claim.numbers[t[i].number-1]
	for j := range i {
		if t[j].number == 0 || x.at[j] <= x.at[i] || x.passage.tokens[x.at[j]].sentence != x.passage.tokens[x.at[i]].sentence {
			continue
		}
		if n := x.claim.numbers[t[j].number-1]; n.kind == q.kind && n.unit == q.unit && n.value != q.value {
			return true
		}
	}
	return false
}

// turned marks the clauses of the claim that are passive where the passage is active, or the reverse.
func (x *account) turned(claim, passage []bool) map[int]bool {
	out := make(map[int]bool)
	for i := range x.claim.tokens {
		if at := x.at[i]; at >= 0 && claim[i] != passage[at] && !x.claim.tokens[i].function {
			out[x.claim.tokens[i].clause] = true
		}
	}
	return out
}

// agents marks the words that a passive names as the agent: "by the council".
func (r *reader) agents(w *wording) []bool {
	const longest = 4 // tokens of such a phrase
	out := make([]bool, len(w.tokens))
	for i := range w.tokens {
		if !r.namesAgent(w.tokens[i].fold) {
			continue
		}
		j := i + 1
		for ; j < len(w.tokens) && j <= i+longest && w.tokens[j].segment == w.tokens[i].segment && w.tokens[j].number == 0; j++ {
			if w.tokens[j].function && j > i+2 {
				break
			}
			out[j] = !w.tokens[j].function && !w.tokens[j].time // "por la noche"
		}
		if j < len(w.tokens) && w.tokens[j].relative { // the agent is the subject of what follows
			clear(out[i:j])
		}
	}
	return out
}

func (r *reader) namesAgent(word string) bool {
	switch r.language {
	case "en":
		return word == "by"
	case "de":
		return word == "durch" || word == "von" || word == "vom"
	case "fr":
		return word == "par"
	case "es":
		return word == "por"
	}
	return false
}
