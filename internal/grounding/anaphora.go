package grounding

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// A text names a thing once and continues with "it", "their" or "the company". A claim about one of its sentences puts the
// name back. Such a word is accounted for where the sentence has a pronoun in its place.

const (
	anaphorReach = 8 // tokens between a pronoun and the word beside the one that it stands for
	topicalUses  = 4 // of a common noun in a text, from which on "the" with another noun may mean it
)

// resolved reports whether the passage has a word in the place of token i of the claim that refers to what the token
// names: a pronoun for what the title or the sentence before names, or "the" with another noun for what the text is about.
func (x *account) resolved(i int) bool {
	t := &x.claim.tokens[i]
	if t.number > 0 || t.operator > 0 || t.function || t.han || x.k.claims.language == "de" && x.claim.movesFreely(i) {
		return false
	}
	sentence, at := x.home(i)
	if sentence < 0 {
		return false
	}
	name := x.nameLike(t)
	p := x.passage.tokens
	for j := range p {
		if p[j].sentence != sentence || p[j].anaphor == "" || p[j].anaphor == "rest" || j < at.first || j > at.last {
			continue
		}
		if p[j].anaphor != "definite" && !x.withOtherNoun(j) {
			if x.k.known(x.doc, *t) || x.namedBefore(t, sentence, name) {
				return true
			}
			continue
		}
		if noun := j + 1; !name && noun < len(p) && p[noun].content() && !x.taken[noun] && (!p[noun].capital || x.k.claims.language == "de") && x.k.topical(x.doc, t) && (x.k.known(x.doc, *t) || x.namedBefore(t, sentence, name)) {
			return true
		}
	}
	return false
}

// phraseOf reports whether token i of the claim belongs to the phrase of a noun that the passage has after a demonstrative,
// and had in full before: "this volume" is "the total volume of hours" of a sentence before.
func (x *account) phraseOf(i int) bool {
	const reach, back = 6, 3 // tokens of a phrase; sentences
	t, p := x.claim.tokens, x.passage.tokens
	if t[i].number > 0 || t[i].operator > 0 || t[i].function {
		return false
	}
	for h := max(0, i-reach); h < min(len(t), i+reach+1); h++ {
		at := x.at[h]
		if h == i || at < 0 || t[h].segment != t[i].segment || !t[h].content() || t[h].number > 0 || !x.passage.demonstrates(at) {
			continue
		}
		for n := p[at].sentence - 1; n >= max(0, p[at].sentence-back); n-- {
			before := x.k.sentence(x.doc, n)
			if head := before.has(t[h].keys[0], -1); head >= 0 { // the nearest mention counts
				if m := before.has(t[i].keys[0], head); m >= 0 && abs(m-head) <= reach && before.tokens[m].segment == before.tokens[head].segment {
					return true
				}
				if !before.demonstrates(head) {
					break
				}
			}
		}
	}
	return false
}

// repeated reports whether a later sentence of the passage refers to the phrase of token i again, by its noun after "the" or a
// demonstrative: "performed a CT scan. The scan revealed …".
func (x *account) repeated(i int) bool {
	const reach = 6 // tokens of a phrase
	t, p := x.claim.tokens, x.passage.tokens
	own := x.at[i]
	if own < 0 || x.first == x.last || t[i].number > 0 || t[i].han {
		return false
	}
	later := -1
	for _, at := range x.at {
		if at >= 0 && p[at].content() && p[at].sentence > p[own].sentence && (later < 0 || p[at].sentence < later) {
			later = p[at].sentence
		}
	}
	if later < 0 {
		return false
	}
	for h := max(0, i-reach); h < min(len(t), i+reach+1); h++ {
		head := x.at[h]
		if head < 0 || t[h].segment != t[i].segment || !t[h].content() || t[h].number > 0 {
			continue
		}
		first, again, n := -1, -1, 0
		for j := range p {
			switch {
			case p[j].sentence != p[own].sentence && p[j].sentence != later || p[j].keys[0] != p[head].keys[0]:
			case p[j].sentence == p[own].sentence:
				first = j
				n++
			case p[j].sentence == later && j > 0 && (p[j-1].anaphor == "definite" || x.passage.demonstrates(j)):
				if j+1 == len(p) || !p[j+1].tight || !p[j+1].content() || x.taken[j+1] { // "the solar park" repeats no "solar roof"
					again = j
				}
			}
		}
		if n == 1 && again >= 0 && (head == first || head == again) && p[first].segment == p[own].segment && abs(first-own) <= abs(h-i)+1 {
			return true
		}
	}
	return false
}

// demonstrates reports whether a demonstrative is before token i, or one word before that: "this same volume".
func (w *wording) demonstrates(i int) bool {
	for j := i - 1; j >= 0 && j >= i-2 && w.tokens[j].segment == w.tokens[i].segment; j-- {
		if w.tokens[j].anaphor == "demonstrative" {
			return true
		}
	}
	return false
}

// has returns the token with a key that is the nearest to token at, or the last one where that is -1; -1 for none.
func (w *wording) has(key string, at int) int {
	found := -1
	for j := range w.tokens {
		if w.tokens[j].keys[0] == key && (found < 0 || at < 0 || abs(j-at) < abs(found-at)) {
			found = j
		}
	}
	return found
}

// withOtherNoun reports whether a demonstrative of the passage is before a noun that the claim does not have: "these
// patients" are not the scooters of the sentence before.
func (x *account) withOtherNoun(j int) bool {
	p := x.passage.tokens
	return p[j].anaphor == "demonstrative" && j+1 < len(p) && p[j+1].tight && p[j+1].content() && !x.taken[j+1]
}

// ownPlace reports whether token i of the claim only adds the country or city that the passage is about: "the French
// government" where the passage has "the government" beside "the French agency", and no other place.
func (x *account) ownPlace(i int) bool {
	t := &x.claim.tokens[i]
	if t.place == "" || i > 0 && x.claim.preposition(i) == i-1 {
		return false
	}
	found := false
	for j, p := range x.passage.tokens {
		if p.place != "" && p.place != t.place && !x.taken[j] {
			return false
		}
		found = found || p.place == t.place
	}
	return found
}

// ownName reports whether token i of the claim is the name of what the whole source is about, beside a noun that the
// passage has without it: "the number of Tindra worker processes", "the main file of Tindra".
func (x *account) ownName(i int) bool {
	t := x.claim.tokens
	if i == 0 || t[i].number > 0 || t[i].operator > 0 || t[i].han || !x.namesSource(&t[i]) {
		return false
	}
	attribute := i+1 < len(t) && t[i+1].tight && t[i+1].content() && x.at[i+1] >= 0 || t[i-1].fold == "of" || t[i-1].fold == "in"
	sentence, _ := x.home(i)
	if !attribute || sentence < 0 {
		return false
	}
	for j, p := range x.passage.tokens {
		if p.sentence == sentence && p.capital && !p.function && p.number == 0 && !x.taken[j] {
			return false // another name
		}
	}
	return true
}

// namesSource reports whether a word is the name by which the title or the host of the source begins.
func (x *account) namesSource(t *token) bool {
	labels := strings.Split(strings.TrimPrefix(x.doc.host(), "www."), ".")
	if len(labels) > 1 && t.fold == passages.Fold(labels[0]) {
		return true
	}
	first, _, _ := strings.Cut(strings.TrimSpace(x.doc.Title), " ")
	return t.upper && len(t.fold) > 2 && passages.Fold(first) == t.fold && x.k.claims.language != "de"
}

// nameLike reports whether a token of the claim names one thing. German writes every noun with a capital; one that the
// text uses with an article is no name.
func (x *account) nameLike(t *token) bool {
	if !t.upper || x.k.claims.language != "de" {
		return t.upper
	}
	return !slices.ContainsFunc([]string{"der ", "die ", "das ", "den ", "dem ", "des ", "ein ", "eine ", "einen ", "einem ", "einer "}, func(article string) bool { return strings.Contains(x.doc.folded(), article+t.fold) })
}

// home is the sentence of the passage that has the words around token i of the claim, and the stretch of it where the
// counterpart of the token would be, or -1.
func (x *account) home(i int) (int, span) {
	p := x.passage.tokens
	left, right := x.neighbour(i, -1), x.neighbour(i, 1)
	switch {
	case left >= 0 && right > left && p[left].sentence == p[right].sentence:
		return p[left].sentence, span{left + 1, right - 1}
	case right >= 0 && (left < 0 || x.at[i] < 0 || p[right].sentence != p[x.at[i]].sentence):
		return p[right].sentence, span{right - anaphorReach, right - 1}
	case left >= 0:
		return p[left].sentence, span{left + 1, left + anaphorReach}
	}
	return -1, span{}
}

// neighbour is the counterpart of the nearest matched word of content on one side of token i in its segment; -1 for none.
func (x *account) neighbour(i, step int) int {
	t := x.claim.tokens
	for j := i + step; j >= 0 && j < len(t) && t[j].segment == t[i].segment; j += step {
		if x.at[j] >= 0 && !t[j].function && !t[j].hidden {
			return x.at[j]
		}
	}
	return -1
}

// namedBefore reports whether the sentence before has what a token names: any noun, but of several names only the first.
func (x *account) namedBefore(t *token, sentence int, name bool) bool {
	if sentence == 0 {
		return false
	}
	first := -1
	before := x.k.sentence(x.doc, sentence-1).tokens
	for j := range before {
		b := &before[j]
		if name && b.upper && !b.function && b.number == 0 {
			if first < 0 || j == first+1 && b.tight { // the words of one name
				first = j
			} else {
				return false
			}
		}
		if b.keys[0] == t.keys[0] {
			return true
		}
	}
	return false
}

// topical reports whether a text is about what a common noun names.
func (k *comparer) topical(d *document, t *token) bool {
	return k.known(d, *t) || len(t.fold) > 3 && strings.Count(d.folded(), t.fold) >= topicalUses
}
