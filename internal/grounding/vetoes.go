package grounding

import (
	"slices"
	"strings"
)

// A veto is evidence against a claim that is precise on its own. It is taken off the log odds, so that the order
// of vetoed claims still means something; how much follows from how precise it is on real claims.
const (
	numberVeto   = -4.5
	negationVeto = -3.2
	nameVeto     = -2.2 // a name of one word
	fullNameVeto = -4.0 // of several: rarely another word for the same
)

const (
	// closeWording is the most that wording counts for in the log odds where something speaks against the claim.
	closeWording = 1.25
	// What a quote that is absent, or has single words changed, leaves of the support.
	quoteVeto = 0.1
	fuzzyVeto = 0.5
)

const (
	// alignedShare is how much of a claim its best sentence must have before their polarity is compared.
	alignedShare = 0.5
	// datedShare is the same before their dates are: a news text has dates of many things.
	datedShare = 0.7
	// alignedSentences is how many of the best sentences may excuse a difference of polarity.
	alignedSentences = 3
)

// penalty is what speaks against the claim, off the log odds; 0 where nothing does.
func (m *comparison) penalty() float64 {
	sum := 0.0
	if m.numberMismatch() {
		sum += numberVeto
	}
	if m.negationMismatch() || m.deniedNowhere() {
		sum += negationVeto
	}
	if n, ok := m.absentName(); ok {
		if strings.ContainsAny(n, " -") {
			sum += fullNameVeto
		} else {
			sum += nameVeto
		}
	}
	return sum
}

// numberMismatch reports a number of the claim that the documents do not have, or have otherwise in its place.
func (m *comparison) numberMismatch() bool {
	if m.replaced() {
		return true
	}
	for i, u := range m.units {
		if !u.number || m.present.has(i) {
			continue
		}
		q := m.claim.numbers[u.index]
		if q.kind == date && q.start == 0 && m.claim.chinese {
			continue // the dateline of a notice: when it was published, not what happened
		}
		written := strings.TrimSpace(m.claim.text[q.start:q.end])
		if !m.writtenSomewhere(q, written) && m.comparable(q) {
			return true
		}
	}
	return false
}

// comparable reports whether the documents could contradict q: a date only by dates that say as much. A small
// number in words is as often a way of speaking ("two-dimensional", "the two") as a count.
func (m *comparison) comparable(q quantity) bool {
	if q.word && q.kind == cardinal && q.value <= 2 {
		return false
	}
	year := q.kind == cardinal && q.unit == "" && q.value >= 1500 && q.value < 2100 && q.value == float64(int(q.value))
	if q.kind != date && !year {
		return true
	}
	if len(m.ranked) > 0 && m.ranked[0].weight >= datedShare {
		best := m.ranked[0]
		for _, n := range m.docs[best.doc].numbersIn(best.sentence) {
			if n.kind == date && (q.day != 0 && n.day != 0 || q.month != 0 && n.month != 0) {
				return true
			}
		}
	}
	for _, d := range m.docs {
		for _, n := range d.numbers {
			hasYear := n.kind == date && n.year != 0 || n.kind == cardinal && n.unit == "" && n.value >= 1500 && n.value < 2100 && n.value == float64(int(n.value))
			if (year || q.year != 0 && q.month == 0) && hasYear || q.month != 0 && n.month != 0 && n.kind == date && (q.year == 0 || n.year != 0) {
				return true
			}
		}
	}
	return false
}

// writtenSomewhere reports whether a text has the digits just so: inside a name, or where the number was not
// recognised as one. Short numbers are everywhere and prove nothing.
func (m *comparison) writtenSomewhere(q quantity, written string) bool {
	const telling = 3
	if q.kind == date || q.word || len(written) < telling {
		return false
	}
	for _, d := range m.docs {
		for from := 0; ; {
			i := strings.Index(d.Text[from:], written)
			if i < 0 {
				break
			}
			i += from
			end := i + len(written)
			if (i == 0 || !digitOrPoint(d.Text[i-1])) && (end == len(d.Text) || !digitOrPoint(d.Text[end]) || end+1 == len(d.Text) || !digitByte(d.Text[end+1])) && (end == len(d.Text) || !digitByte(d.Text[end])) {
				return true
			}
			from = end
		}
	}
	return false
}

func digitByte(c byte) bool    { return c >= '0' && c <= '9' }
func digitOrPoint(c byte) bool { return digitByte(c) || c == '.' || c == ',' }

// negationMismatch compares the claim with its best sentences. One of them that agrees is enough.
func (m *comparison) negationMismatch() bool {
	if len(m.ranked) == 0 || m.ranked[0].weight < alignedShare {
		return false
	}
	a := m.claim.analyzer
	best := m.ranked[0]
	text := m.docs[best.doc].sentences[best.sentence].Text
	found, ok := polarityMismatch(m.claim.text, text, a)
	if !ok {
		return false
	}
	for _, r := range m.ranked[1:min(len(m.ranked), alignedSentences)] {
		if r.weight < 0.9*best.weight {
			break
		}
		other := m.docs[r.doc].sentences[r.sentence].Text
		// A sentence without any negation cannot agree with a claim that denies, however alike it is.
		if _, differs := polarityMismatch(m.claim.text, other, a); !differs && (!found.byClaim || hasNegator(other)) {
			return false
		}
	}
	return true
}

// undeniedShare is how much of a denying claim a window must have before it has to deny something itself: on real
// claims, from 0.6 on, one of a hundred true ones met none (development data).
const undeniedShare = 0.6

// deniedNowhere reports a claim that denies, of which a window says most with no denial in it or beside it.
func (m *comparison) deniedNowhere() bool {
	if len(m.windows) == 0 || m.windows[0].weight < undeniedShare {
		return false
	}
	a := m.claim.analyzer
	if !slices.ContainsFunc(negationWords(m.claim.text, a), func(w negatedWord) bool { return w.negator }) {
		return false
	}
	w := m.windows[0]
	d := m.docs[w.doc]
	around := d.evidence(max(0, w.first-1), min(len(d.sentences)-1, w.last+1)).Text
	return !slices.ContainsFunc(negationWords(cutChars(around, maxClaimChars), a), func(x negatedWord) bool {
		concedes := x.surface == "only" || x.surface == "although" || x.surface == "despite" // soft, and denies nothing
		return x.negator || x.soft && !concedes
	})
}
