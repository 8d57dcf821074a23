package grounding

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// account says what of a claim a passage accounts for.
type account struct {
	*alignment
	k           *comparer
	doc         *document
	first, last int // sentences
	missing     []int
	label       []int // tokens of the claim that only name the source at its end
	referred    []int // tokens of the claim that the passage has as a pronoun
	order       []int // tokens of the claim that are in the passage in another order than in the claim
	unsaid      []int // operators of the passage that the claim drops
	below       []int // tokens of the claim that are in the passage below a word that the claim drops
	covered     float64
	weight      float64

	operatorAt []int  // by operator of the claim: of the passage, -1 for none
	used       []bool // by operator of the passage: the claim says it as well
	judged     bool   // order and unsaid are known
}

// grounds reports whether the passage says all that the claim says, and nothing that changes it.
func (x *account) grounds() bool {
	if len(x.missing) > 0 {
		return false
	}
	x.judge()
	return len(x.order) == 0 && len(x.unsaid) == 0 && len(x.below) == 0
}

func (k *comparer) account(d *document, first, last int) *account {
	x := &account{k: k, doc: d, first: first, last: last}
	x.alignment = k.align(k.passage(d, first, last))
	x.takeNames()
	x.matchOperators()
	x.findMissing()
	return x
}

// judge finds what is in another order and what the claim drops, once. Most passages lack too much of the claim to need it.
func (x *account) judge() {
	if x.judged {
		return
	}
	x.judged = true
	x.checkOrder()
	x.findUnsaid()
	x.findBelow()
	x.order = append(x.order, x.otherParts()...)
	x.order = append(x.order, x.otherPredicates()...)
	x.order = append(x.order, x.mixed()...)
	x.order = append(x.order, x.otherHabit()...)
}

// weightOf is what a token of the claim counts for in the coverage.
func (t *token) weightOf() float64 {
	switch {
	case t.number > 0:
		return 1.5
	case t.function || t.speech:
		return 0
	case t.capital:
		return 1.3
	case t.operator > 0:
		return 0.7
	case t.han:
		return 0.5
	}
	return 1
}

// findMissing lists the tokens of the claim that carry meaning and have no counterpart.
func (x *account) findMissing() {
	t := x.claim.tokens
	for i := range t {
		w := t[i].weightOf()
		x.weight += w
		if t[i].causes == 2 && !x.statesCause(i) {
			x.missing = append(x.missing, i)
			continue
		}
		if x.at[i] >= 0 && !x.detached(i) && !x.purpose(i) {
			x.covered += w
			continue
		}
		if t[i].function && t[i].operator == 0 && t[i].number == 0 && !x.oppositeThere(i) {
			continue
		}
		if o := t[i].operator; o > 0 && t[i].number == 0 && (x.operatorAt[o-1] >= 0) {
			x.covered += w
			continue
		}
		switch {
		case t[i].speech && t[i].number == 0:
			continue
		case x.given(i):
			x.covered += w
			continue
		case x.closing(i) && x.k.generic(t[i].word): // "… the harbour page", a link's words after the sentence
			for j := i - 1; j >= 0 && !t[j].function && x.k.known(x.doc, t[j]); j-- {
				x.label = append(x.label, j)
			}
			x.covered += w
			continue
		case x.fullName(i), x.classOf(i), x.occurs(i), x.concedes(i):
			x.covered += w
			continue
		case x.inTitle(i), x.ownPlace(i), x.ownName(i):
			x.covered += w
			continue
		case x.endsContinuative(i):
			continue
		case x.resolved(i), x.phraseOf(i):
			x.covered += w
			x.referred = append(x.referred, i)
			continue
		}
		x.missing = append(x.missing, i)
	}
}

// given reports whether a token belongs to a phrase that only repeats a circumstance of the question, such as "in
// PostgreSQL 15" or "for a 2 TB table": from a preposition to the end of its clause or the next preposition, every word is the
// question's, and the passage has nothing else in its place.
func (x *account) given(i int) bool {
	t := x.claim.tokens
	if len(x.k.given) == 0 || !x.k.given[t[i].keys[0]] || t[i].operator > 0 || !t[i].upper && t[i].number == 0 {
		return false
	}
	first := i
	for first > 0 && t[first-1].clause == t[i].clause && !t[first].joins {
		first--
	}
	if !t[first].joins {
		return false
	}
	for j := first + 1; j < len(t) && t[j].clause == t[i].clause && !t[j].joins; j++ {
		if x.at[j] >= 0 && !t[j].function && j > i {
			break // the phrase has ended: "in PostgreSQL 15 VACUUM needs …"
		}
		if !t[j].function && x.at[j] < 0 && !x.k.given[t[j].keys[0]] {
			return false
		}
	}
	for j := range x.passage.tokens {
		switch p := &x.passage.tokens[j]; {
		case x.taken[j]:
		case t[i].number > 0 && p.number > 0:
			if _, differs := numberDifference(&x.claim.numbers[t[i].number-1], &x.passage.numbers[p.number-1]); differs {
				return false
			}
		case t[i].number == 0 && p.capital && p.number == 0 && !p.function && x.k.claims.language != "de":
			return false
		}
	}
	return true
}

// statesCause reports whether the passage states a cause where it has the words around a "because" of the claim.
func (x *account) statesCause(i int) bool {
	p := x.passage.tokens
	left, right := x.neighbour(i, -1), x.neighbour(i, 1)
	return slices.ContainsFunc(p, func(t token) bool {
		return t.causes > 0 && (left >= 0 && t.sentence == p[left].sentence || right >= 0 && t.sentence == p[right].sentence)
	})
}

// occurs reports whether token i only says that a cause came about: "because a storm came" is "because of a storm".
func (x *account) occurs(i int) bool {
	t := x.claim.tokens
	e, known := x.k.claims.lexicon.Is(lexicon.Function, t[i].word)
	if !known || e.Class != "light" || i < 2 || x.at[i-1] < 0 || i+1 < len(t) && t[i+1].segment == t[i].segment {
		return false
	}
	for j := i - 2; j >= 0 && t[j].segment == t[i].segment && t[j].function; j-- {
		if t[j].causes == 2 {
			return x.statesCause(j)
		}
	}
	return false
}

// purpose reports whether the passage has a verb of the claim as what something is meant for: "um sie zu senken" does not
// say that they fell.
func (x *account) purpose(i int) bool {
	p, at := x.passage.tokens, x.at[i]
	if x.k.claims.language != "de" || at == 0 || p[at-1].fold != "zu" || i > 0 && x.claim.tokens[i-1].fold == "zu" {
		return false
	}
	first := x.passage.segmentStart(at)
	return p[first].fold == "um"
}

// fullName reports whether a token is part of a name that the passage shortens and the text writes in full elsewhere.
func (x *account) fullName(i int) bool {
	t := x.claim.tokens
	first, last := i, i
	for first > 0 && t[first].tight && t[first-1].upper && t[first-1].number == 0 && !t[first-1].function {
		first--
	}
	for last+1 < len(t) && t[last+1].tight && t[last+1].upper && t[last+1].number == 0 {
		last++
	}
	const longest = 5 // words of a name
	if !t[i].upper || first == last || last-first >= longest || x.at[last] < 0 || !x.passage.tokens[x.at[last]].upper || x.k.claims.language == "de" {
		return false
	}
	if at := x.at[last] - (last - i); at >= 0 && x.passage.tokens[at].upper && !x.passage.tokens[at].function && x.passage.tokens[at+1].tight { // another name has its place
		return false
	}
	return slices.ContainsFunc([]int{last, min(i+1, last)}, func(end int) bool { // "DeLonghi Dedica" is enough for "DeLonghi Dedica EC685"
		name := x.claim.text[t[first].start:t[end].end]
		return strings.Contains(x.doc.Text, name) && containsWord(x.doc.folded(), passages.Fold(name))
	})
}

// classOf reports whether a token only says what kind of thing the name before it is, as the text does elsewhere: "the Dragonfly
// mission" for "Dragonfly". A noun after the name in the passage would be part of it.
func (x *account) classOf(i int) bool {
	t, p := x.claim.tokens, x.passage.tokens
	if i == 0 || !t[i].tight || t[i].upper || t[i].operator > 0 || t[i].number > 0 || !t[i-1].upper || x.at[i-1] < 0 || x.k.claims.language != "en" {
		return false
	}
	if at := x.at[i-1]; !p[at].upper || at+1 < len(p) && p[at+1].tight && p[at+1].content() && p[at+1].segment == p[at].segment && !x.taken[at+1] {
		return false
	}
	return containsWord(x.doc.folded(), passages.Fold(x.claim.text[t[i-1].start:t[i].end]))
}

// oppositeThere reports whether the passage has the opposite of a token between the same two words.
func (x *account) oppositeThere(i int) bool {
	if i == 0 || i+1 == len(x.at) || x.at[i-1] < 0 || x.at[i+1] != x.at[i-1]+2 {
		return false
	}
	return x.k.opposed(x.claim.tokens[i].word, x.passage.tokens[x.at[i-1]+1].word)
}

// concedes reports whether a token belongs to an "even if" before a negation of the claim that the passage has as "without":
// "even if its calibration is not perfect", "without perfect calibration".
func (x *account) concedes(i int) bool {
	t := x.claim.tokens
	even := i
	if t[i].fold == "if" && i > 0 {
		even--
	}
	if t[even].fold != "even" || even+1 == len(t) || t[even+1].fold != "if" {
		return false
	}
	for n := range x.claim.operators {
		o := &x.claim.operators[n]
		if o.first > even && t[o.first].segment == t[even].segment {
			return o.denies() && x.operatorAt[n] >= 0 && !x.passage.operators[x.operatorAt[n]].denies()
		}
	}
	return false
}

// segmentStart is the first token in the segment of token i.
func (w *wording) segmentStart(i int) int {
	for i > 0 && w.tokens[i-1].segment == w.tokens[i].segment {
		i--
	}
	return i
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}
