package grounding

import "github.com/citeloop/citeloop/internal/grounding/passages"

// A claim is restated where the text has its very words in its order, and only writes the numbers and dates
// otherwise: "took 3 years" and "took three years".

const (
	// minRestated is how much a claim must say before every word of it in order in one place counts as verbatim.
	minRestated = 5
	// minRestatedWords is the same for its running words, numbers as one word each.
	minRestatedWords = 5
)

// restated reports whether the best window says all of the claim in its order, or one of the best passages word
// for word but for the form of its numbers.
func (m *comparison) restated() bool {
	if len(m.windows) == 0 {
		return false
	}
	if len(m.units) >= minRestated && m.windows[0].weight > 0.999 && m.layOver().order > 0.999 {
		return true
	}
	if len(m.claim.numbers) == 0 || m.windows[0].weight < 0.999 {
		return false
	}
	a := m.claim.analyzer
	own := runningWords(m.claim.text, quantities(m.claim.text), a)
	if len(own) < minRestatedWords {
		return false
	}
	for _, w := range m.windows[:min(len(m.windows), alignedSentences)] {
		text := stripMarks(cutChars(m.docs[w.doc].evidence(w.first, w.last).Text, maxClaimChars))
		if runsIn(own, runningWords(text, quantities(text), a)) {
			return true
		}
	}
	return false
}

// runningWord is a word, or a number as a whole.
type runningWord struct {
	term   string
	number *quantity
}

func runningWords(s string, numbers []quantity, a *passages.Analyzer) []runningWord {
	var out []runningWord
	q := 0
	add := func(end int) {
		for q < len(numbers) && numbers[q].start < end {
			out = append(out, runningWord{number: &numbers[q]})
			q++
		}
	}
	a.Tokens(s, func(t passages.Token) {
		add(t.ByteStart)
		if q > 0 && t.ByteStart < numbers[q-1].end {
			return
		}
		if q < len(numbers) && numbers[q].start < t.ByteEnd {
			add(t.ByteEnd)
			return
		}
		out = append(out, runningWord{term: t.Term})
	})
	add(len(s) + 1)
	return out
}

// runsIn reports whether a is in b without a gap.
func runsIn(a, b []runningWord) bool {
	for at := 0; at+len(a) <= len(b); at++ {
		k := 0
		for k < len(a) && a[k].same(b[at+k]) {
			k++
		}
		if k == len(a) {
			return true
		}
	}
	return false
}

func (w runningWord) same(o runningWord) bool {
	if w.number != nil && o.number != nil {
		return w.number.matches(*o.number) || w.number.kind == o.number.kind && w.number.value == o.number.value
	}
	return w.number == nil && o.number == nil && w.term == o.term
}
