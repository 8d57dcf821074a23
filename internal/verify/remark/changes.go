package remark

import "slices"

// The thresholds of near-verbatim sentences, in words, or in characters of a script without spaces.
const (
	minContent   = 3 // content words of a claim that is compared, and of those that must be the same around a change
	contextWords = 7 // words on each side of a change where these are
	maxChange    = 6 // words of a change
)

// changes are the rules of near-verbatim sentences on a claim and the best sentence.
type changes struct {
	*sentence
	lexicon
	text     string // of the claim
	claim    []token
	of, back []int // see align
	out      []Remark
}

// compare remarks what differs between a claim and a sentence: a word in the place of its opposite, and a negation of one side.
func (x *changes) compare() []Remark {
	if content(x.claim) < minContent {
		return nil
	}
	x.of, x.back = align(x.claim, x.tokens)
	for _, h := range hunks(x.of, len(x.tokens)) {
		if x.context(h) {
			x.changed(h)
		}
	}
	if len(x.out) == 0 && paired(x.claim, x.of) && !x.denies(x.claim) {
		x.denied()
	}
	return x.out
}

// add appends a remark on tokens a to b of the claim and c to d of the sentence.
func (x *changes) add(kind Kind, h hunk) {
	at := x.tokens[min(h.c, len(x.tokens)-1):max(h.d, min(h.c+1, len(x.tokens)))]
	r := x.remark(kind, at[0].Start, at[len(at)-1].End)
	r.Claim, r.Text = said(x.text, x.claim[h.a:h.b]), said(x.Text, x.tokens[h.c:h.d])
	x.out = append(x.out, r)
}

// said returns the words of tokens as the text has them.
func said(text string, tokens []token) string {
	if len(tokens) == 0 {
		return ""
	}
	return text[tokens[0].ByteStart:tokens[len(tokens)-1].ByteEnd]
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

// changed finds a word in the place of its opposite, and a negation that only one side has. Where the claim has it, the content words of
// the sentence around it must have partners: another word may deny in its own way.
func (x *changes) changed(h hunk) {
	claim, source := x.claim[h.a:h.b], x.tokens[h.c:h.d]
	denies := x.denies(claim) != x.denies(source)
	if o, ok := x.opposed(claim, source); ok && !denies {
		x.add(Opposite, hunk{h.a + o.a, h.a + o.b, h.c + o.c, h.c + o.d})
		return
	}
	from, to := max(0, h.c-contextWords), min(len(x.back), h.d+contextWords)
	if denies && content(claim)+content(source) <= 1 && (!x.denies(claim) || paired(x.tokens[from:to], x.back[from:to])) {
		x.add(Negation, hunk{h.a, min(h.b+2, len(x.claim)), h.c, min(h.d+2, len(x.tokens))})
	}
}

// paired reports whether all content words have partners.
func paired(tokens []token, partners []int) bool {
	for i, t := range tokens {
		if !t.function && partners[i] < 0 {
			return false
		}
	}
	return true
}

// denied finds a word that denies in a sentence that has all content words of the claim, before the last of them.
func (x *changes) denied() {
	for _, j := range x.negations(x.tokens) {
		if x.back[j] < 0 && j < slices.Max(x.of) {
			x.add(Negation, hunk{c: j, d: j + 1})
			return
		}
	}
}
