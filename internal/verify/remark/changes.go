package remark

import (
	"slices"
	"strings"
)

// The thresholds of near-verbatim sentences, in words, or in characters of a script without spaces.
const (
	minContent   = 3 // content words of a claim that is compared, and of those that must be the same around a change
	contextWords = 7 // words on each side of a change where these are
	maxChange    = 6 // words of a change
	subjectWords = 5 // words within which a sentence has not come to its predicate yet
)

// changes are the rules of near-verbatim sentences on one alignment.
type changes struct {
	alignment
	text, language      string // of the claim
	negations, harmless []phrase
	all                 []sentence
	out                 []Remark
}

// compare remarks what differs between a claim and a sentence.
func (x *changes) compare() []Remark {
	if content(x.claim) < minContent {
		return nil
	}
	hunks := x.hunks()
	for _, h := range hunks {
		if x.context(h) {
			x.changed(h)
		}
	}
	if len(x.out) == 0 && x.missing == 0 && !x.denies(x.claim) {
		x.denied()
	}
	if len(x.out) == 0 && len(hunks) == 1 && (x.missing == 0 || x.context(hunks[0])) {
		x.dropped(hunks[0])
	}
	return x.out
}

// add appends a remark on tokens a to b of the claim and c to d of the sentence.
func (x *changes) add(kind Kind, h hunk) {
	at := x.tokens[min(h.c, len(x.tokens)-1):max(h.d, min(h.c+1, len(x.tokens)))]
	r := x.remark(kind, at[0].Start, at[len(at)-1].End)
	r.Claim, r.Text = quote(x.text, x.claim, h.a, h.b), quote(x.Text, x.tokens, h.c, h.d)
	x.out = append(x.out, r)
}

// context reports whether the words around a hunk are the same in claim and sentence.
func (x *changes) context(h hunk) bool {
	n := 0
	for i := max(0, h.a-contextWords); i < min(len(x.of), h.b+contextWords); i++ {
		if x.of[i] >= 0 && !x.claim[i].function {
			n++
		}
	}
	return n >= minContent && max(h.b-h.a, h.d-h.c) <= maxChange
}

func (x *changes) denies(tokens []token) bool { return len(find(x.negations, x.harmless, tokens)) > 0 }

// changed finds a word in the place of its opposite, a negation that only one side has, and a name in the place of another.
func (x *changes) changed(h hunk) {
	claim, source := x.claim[h.a:h.b], x.tokens[h.c:h.d]
	denies := x.denies(claim) != x.denies(source)
	a, b, c, d := opposed(x.language, claim, source)
	switch {
	case b > 0 && !denies:
		x.add(Opposite, hunk{h.a + a, h.a + b, h.c + c, h.c + d})
	case denies && content(claim)+content(source) <= 1 && (!x.denies(claim) || x.paired(h)):
		x.add(Negation, hunk{h.a, min(h.b+2, len(x.claim)), h.c, min(h.d+2, len(x.tokens))})
	case names(claim) && names(source) && !alike(source, x.claim) &&
		!slices.ContainsFunc(x.all, func(s sentence) bool { return alike(claim, s.tokens) }):
		x.add(Name, h)
	}
}

// paired reports whether the content words of the sentence around a hunk have partners: another word may deny in its own way.
func (x *changes) paired(h hunk) bool {
	for j := max(0, h.c-contextWords); j < min(len(x.back), h.d+contextWords); j++ {
		if x.back[j] < 0 && !x.tokens[j].function {
			return false
		}
	}
	return true
}

// names reports whether all tokens are words with capitals. An abbreviation may stand for other words.
func names(tokens []token) bool {
	return len(tokens) > 0 && !slices.ContainsFunc(tokens, func(t token) bool {
		return !t.capital || t.function || t.text == strings.ToUpper(t.text)
	})
}

// alike reports whether a token of names is among tokens, or a word that begins alike: Swedish, Sweden.
func alike(names, tokens []token) bool {
	return slices.ContainsFunc(names, func(n token) bool {
		return slices.ContainsFunc(tokens, func(t token) bool {
			return t.Term == n.Term || len(n.Term) > 4 && strings.HasPrefix(t.Term, n.Term[:4])
		})
	})
}

// denied finds a word that denies in a sentence that has all content words of the claim, before the last of them.
func (x *changes) denied() {
	for _, j := range find(x.negations, x.harmless, x.tokens) {
		if x.back[j] < 0 && j < slices.Max(x.of) {
			x.add(Negation, hunk{c: j, d: j + 1})
			return
		}
	}
}

// dropped finds the only difference between a claim and the part of the sentence that it takes: words dropped from the subject
// without a break. What they restrict is lost; what is dropped from a predicate seldom makes a sentence false.
func (x *changes) dropped(h hunk) {
	source := x.tokens[h.c:h.d]
	breaks := slices.ContainsFunc(x.tokens[h.c:min(h.d+1, len(x.tokens))], func(t token) bool { return t.opens })
	if h.a == h.b && 0 < h.a && h.a <= subjectWords && len(source) > 1 && source[0].function && !source[0].Pair &&
		content(source) > 0 && !x.claim[h.a-1].function && !breaks {
		x.add(Word, h)
	}
}
