package grounding

import (
	"github.com/citeloop/citeloop/internal/grounding/passages"
)

const (
	// placeWords is how many words on either side of a number are compared with those around another, and
	// placeShared how many of them must agree, in a row, for the two to be in one place (as denialWords).
	placeWords  = 4
	placeShared = 4
)

// replaced finds a number of the claim in whose very place, between the same words, one of the best sentences
// has another. That the text has the claim's number somewhere else excuses nothing then.
func (m *comparison) replaced() bool {
	if len(m.claim.numbers) == 0 || len(m.ranked) == 0 || m.ranked[0].weight < alignedShare {
		return false
	}
	a := m.claim.analyzer
	own := placedTerms(m.claim.text, a)
	for _, r := range m.ranked[:min(len(m.ranked), alignedSentences)] {
		if r.weight < alignedShare {
			break
		}
		d := m.docs[r.doc]
		text := d.sentences[r.sentence].Text
		there := placedTerms(cutChars(text, maxClaimChars), a)
		for _, q := range m.claim.numbers {
			best, agreeing := 0, 0 // the most words shared with a number that differs, and with one that agrees
			for _, n := range d.numbersIn(r.sentence) {
				if n.kind != q.kind || n.end > maxClaimChars {
					continue
				}
				shared := sharedAround(own, q, there, n.quantity)
				switch {
				case q.matches(n.quantity) || n.matches(q):
					agreeing = max(agreeing, shared)
				case shared > best && q.sameForm(n.quantity):
					best = shared
				}
			}
			if best >= placeShared && best > agreeing && !m.agreesElsewhere(q, own, best, a) {
				return true
			}
		}
	}
	return false
}

// sameForm reports whether two numbers measure alike, so that one excludes the other.
func (q quantity) sameForm(o quantity) bool {
	if q.kind == date { // both must say the part in which they differ
		return q.year != 0 && o.year != 0 && q.year != o.year || q.month != 0 && o.month != 0 && q.month != o.month || q.day != 0 && o.day != 0 && q.day != o.day
	}
	return q.unit == o.unit || !q.measure && !o.measure && !measured(q.unit) && !measured(o.unit)
}

// agreesElsewhere reports whether another of the best sentences has q itself between the same words.
func (m *comparison) agreesElsewhere(q quantity, own []placedTerm, shared int, a *passages.Analyzer) bool {
	for _, r := range m.ranked[:min(len(m.ranked), alignedSentences)] {
		d := m.docs[r.doc]
		there := placedTerms(cutChars(d.sentences[r.sentence].Text, maxClaimChars), a)
		for _, n := range d.numbersIn(r.sentence) {
			if q.matches(n.quantity) && sharedAround(own, q, there, n.quantity) >= shared {
				return true
			}
		}
	}
	return false
}

type placedTerm struct {
	term       string
	start, end int // bytes
}

func placedTerms(s string, a *passages.Analyzer) []placedTerm {
	var out []placedTerm
	a.Tokens(s, func(t passages.Token) { out = append(out, placedTerm{t.Term, t.ByteStart, t.ByteEnd}) })
	return out
}

// sharedAround counts the words next to q in a that are next to n in b as well, on both sides, each counted
// until the first that differs. The beginning or end of both counts as one word.
func sharedAround(a []placedTerm, q quantity, b []placedTerm, n quantity) int {
	return sharedFrom(a, lastBefore(a, q.start), b, lastBefore(b, n.start), -1) + sharedFrom(a, firstBehind(a, q.end), b, firstBehind(b, n.end), 1)
}

// sharedFrom counts the words from i on in a that are from j on in b, in one direction.
func sharedFrom(a []placedTerm, i int, b []placedTerm, j, step int) int {
	for shared := range placeWords {
		endA, endB := i < 0 || i == len(a), j < 0 || j == len(b)
		switch {
		case endA && endB:
			return shared + 1
		case endA || endB || a[i].term != b[j].term:
			return shared
		}
		i, j = i+step, j+step
	}
	return placeWords
}

func lastBefore(list []placedTerm, at int) int {
	i := len(list) - 1
	for i >= 0 && list[i].end > at {
		i--
	}
	return i
}

func firstBehind(list []placedTerm, at int) int {
	i := 0
	for i < len(list) && list[i].start < at {
		i++
	}
	return i
}
