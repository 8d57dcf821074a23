package grounding

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Shares of the claim that a passage must account for before it can contradict the rest: a passage about something
// else has other numbers and names, which say nothing. Chosen on development data.
const (
	aboutSame   = 0.5  // of the claim
	halfSame    = 0.6  // of the words of its segment, where the two words before are the same as well
	nearlySame  = 0.75 // of the words of its segment
	restIsEqual = 0.92 // of the claim, where the passage says more, such as a condition
)

// span is a stretch of tokens, last included.
type span struct{ first, last int }

// differences lists where the passage says otherwise than the claim.
func (x *account) differences() []Difference {
	words := x.weight // without the numbers that differ
	for _, i := range x.missing {
		if x.claim.tokens[i].number > 0 {
			words -= x.claim.tokens[i].weightOf()
		}
	}
	if words <= 0 || x.covered < aboutSame*words {
		return nil
	}
	var out []Difference
	add := func(kind DifferenceKind, claim, source span) {
		least := needed(kind)
		if least == nearlySame && x.sameBefore(claim.first, source.first) {
			least = halfSame
		}
		if kind != DifferentRole && kind != DifferentBinding && x.around(claim, source, least <= nearlySame) < least {
			return
		}
		d := x.difference(kind, claim, source)
		if !slices.ContainsFunc(out, func(o Difference) bool { return o.Start == d.Start && o.ClaimStart == d.ClaimStart }) {
			out = append(out, d)
		}
	}
	x.replacedOperators(add)
	for _, i := range x.missing {
		x.replacedToken(i, add)
	}
	x.replacedPhrases(add)
	x.negations(add)
	x.swaps(add)
	x.crossed(add)
	x.dropped(add)
	slices.SortStableFunc(out, func(a, b Difference) int { return cmp.Compare(a.ClaimStart, b.ClaimStart) })
	return out
}

// needed is how much of the segment around a difference the passage must have. Where the passage says something in
// other words, a negation or a name that is there proves nothing.
func needed(kind DifferenceKind) float64 {
	switch kind {
	case DifferentNegation:
		return 0.85
	case DifferentName, DifferentCondition, DifferentMyth, DifferentCertainty, DifferentQuantifier:
		return 0.99
	}
	return nearlySame
}

// sameBefore reports whether the two words before a token of the claim are before one of the passage.
func (x *account) sameBefore(i, j int) bool {
	c, p := x.claim.tokens, x.passage.tokens
	return i > 1 && j > 1 && c[i-1].fold == p[j-1].fold && c[i-2].keys[0] == p[j-2].keys[0]
}

// around is the share of the claim's words in the segment of a difference, the differing ones left out, that stand
// in the same sentence of the passage, or anywhere in it.
func (x *account) around(claim, source span, anywhere bool) float64 {
	c := x.claim.tokens
	from, to := claim.first, claim.last
	for from > 0 && c[from-1].segment == c[claim.first].segment {
		from--
	}
	for to+1 < len(c) && c[to+1].segment == c[claim.last].segment {
		to++
	}
	if there, n := x.shared(claim, source, span{from, to}, anywhere); n >= 3 {
		return there
	}
	there, n := x.shared(claim, source, span{0, len(c) - 1}, anywhere) // a segment of two words says little
	if n < 2 {
		return 0
	}
	return there
}

// shared is the share of the words of a stretch of the claim that the passage has, and how many these are.
func (x *account) shared(claim, source, stretch span, anywhere bool) (float64, int) {
	c, p := x.claim.tokens, x.passage.tokens
	all, there, n := 0.0, 0.0, 0
	for i := stretch.first; i <= stretch.last; i++ {
		w := c[i].weightOf()
		if w == 0 || i >= claim.first && i <= claim.last || c[i].hidden || x.at[i] < 0 && (c[i].number > 0 || c[i].operator > 0 && x.operatorAt[c[i].operator-1] < 0) {
			continue
		}
		all += w
		if at := x.at[i]; at >= 0 && (anywhere || p[at].sentence == p[source.first].sentence) {
			there += w
			n++
		} else if o := c[i].operator; at < 0 && o > 0 && x.operatorAt[o-1] >= 0 {
			there += w
		}
	}
	if n == 0 {
		return 0, 0
	}
	return there / all, n
}

func (x *account) difference(kind DifferenceKind, claim, source span) Difference {
	d := Difference{Kind: kind, SourceID: x.doc.ID}
	c, p := x.claim.tokens, x.passage.tokens
	from, to := c[claim.first].start, c[claim.last].end
	d.Claim = strings.TrimSpace(x.claim.text[from:to])
	d.ClaimStart = utf8.RuneCountInString(x.claim.text[:from])
	d.ClaimEnd = utf8.RuneCountInString(x.claim.text[:to])
	first, last := p[source.first], p[source.last]
	a, b := x.doc.sentences[first.sentence], x.doc.sentences[last.sentence]
	d.Start = a.Start + utf8.RuneCountInString(a.Text[:first.start])
	d.End = b.Start + utf8.RuneCountInString(b.Text[:last.end])
	if first.sentence == last.sentence && first.start < last.end {
		d.Source = strings.TrimSpace(a.Text[first.start:last.end])
	}
	return d
}

// place is the stretch of the passage where the counterpart of an unmatched token of the claim would stand, between
// the counterparts of its neighbours. sure means that both neighbours are matched.
func (x *account) place(i int) (at span, sure, ok bool) {
	const far = 3 // tokens of content to either side
	c, p := x.claim.tokens, x.passage.tokens
	nearest := func(step int) int {
		found := -1
		for j, n := i+step, 0; j >= 0 && j < len(c) && n < far && found < 0; j += step {
			if c[j].content() {
				n++
				found = x.at[j]
			}
		}
		return found
	}
	left, right := nearest(-1), nearest(1)
	const reach, gap = 4, 9
	switch {
	case left >= 0 && right > left && right-left <= gap && p[left].sentence == p[right].sentence:
		return span{left + 1, right - 1}, true, right-left > 1
	case right >= 0:
		at = span{max(0, right-reach), right - 1}
	case left >= 0:
		at = span{left + 1, min(len(p)-1, left+reach)}
	default:
		return at, false, false
	}
	return at, false, at.first <= at.last
}
