package grounding

import (
	"fmt"
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

// vetoes returns what the vetoes take off the log odds (0: there is none), and their flags.
func (m *comparison) vetoes() (float64, []string) {
	veto := 0.0
	var flags []string
	if what, ok := m.numberMismatch(); ok {
		veto += numberVeto
		flags = append(flags, FlagNumberMismatch+": "+what)
	}
	what, ok := m.negationMismatch()
	if !ok {
		what, ok = m.deniedNowhere()
	}
	if ok {
		veto += negationVeto
		flags = append(flags, FlagNegationMismatch+": "+what)
	}
	if n, ok := m.absentName(); ok {
		if strings.ContainsAny(n, " -") {
			veto += fullNameVeto
		} else {
			veto += nameVeto
		}
		flags = append(flags, fmt.Sprintf("%s: %q is nowhere in %s", FlagNameAbsent, n, m.sourceIDs()))
	}
	return veto, flags
}

// numberMismatch finds a number of the claim that the documents do not have, and what stands in its place.
func (m *comparison) numberMismatch() (string, bool) {
	if claimed, written, source, ok := m.replaced(); ok {
		return fmt.Sprintf("%s in the claim, %s in %s", claimed, written, source), true
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
		if m.writtenSomewhere(q, written) || !m.comparable(q) {
			continue
		}
		if other, doc := m.inPlaceOf(q); other != "" {
			return fmt.Sprintf("%s in the claim, %s in %s", written, other, doc), true
		}
		return fmt.Sprintf("%s in the claim, not in %s", written, m.sourceIDs()), true
	}
	return "", false
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
	if m.sameDay(q) {
		return false
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

// sameDay reports whether one of the best sentences has the day or month of q and leaves the year out.
func (m *comparison) sameDay(q quantity) bool {
	if q.kind != date || q.month == 0 {
		return false
	}
	for _, r := range m.ranked[:min(len(m.ranked), alignedSentences)] {
		for _, n := range m.docs[r.doc].numbersIn(r.sentence) {
			if n.kind == date && n.year == 0 && n.month == q.month && n.day == q.day {
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

// inPlaceOf finds the number that the best sentences have where the claim has q: the same unit, or both dates.
func (m *comparison) inPlaceOf(q quantity) (written, source string) {
	for _, r := range m.ranked[:min(len(m.ranked), alignedSentences)] {
		d := m.docs[r.doc]
		text := d.sentences[r.sentence].Text
		for _, n := range d.numbersIn(r.sentence) {
			if q.sameMeasure(n.quantity) || q.kind == date && n.kind == date || q.kind == clock && n.kind == clock {
				return strings.TrimSpace(text[n.start:n.end]), d.ID
			}
		}
	}
	return "", ""
}

// negationMismatch compares the claim with its best sentences. One of them that agrees is enough.
func (m *comparison) negationMismatch() (string, bool) {
	if len(m.ranked) == 0 || m.ranked[0].weight < alignedShare {
		return "", false
	}
	a := m.claim.analyzer
	best := m.ranked[0]
	text := m.docs[best.doc].sentences[best.sentence].Text
	found, ok := polarityMismatch(m.claim.text, text, a)
	if !ok {
		return "", false
	}
	for _, r := range m.ranked[1:min(len(m.ranked), alignedSentences)] {
		if r.weight < 0.9*best.weight {
			break
		}
		other := m.docs[r.doc].sentences[r.sentence].Text
		// A sentence without any negation cannot agree with a claim that denies, however alike it is.
		if _, differs := polarityMismatch(m.claim.text, other, a); !differs && (!found.byClaim || hasNegator(other)) {
			return "", false
		}
	}
	side := "the claim denies it, the text does not"
	if !found.byClaim {
		side = "the text denies it, the claim does not"
	}
	return fmt.Sprintf("%q in %s: %s", found.word, m.docs[best.doc].ID, side), true
}

// undeniedShare is how much of a denying claim a window must have before it has to deny something itself: on real
// claims, from 0.6 on, one of a hundred true ones met none (development data).
const undeniedShare = 0.6

// deniedNowhere finds a claim that denies, of which a window says most with no denial in it or beside it.
func (m *comparison) deniedNowhere() (string, bool) {
	if len(m.windows) == 0 || m.windows[0].weight < undeniedShare {
		return "", false
	}
	a := m.claim.analyzer
	word := ""
	for _, w := range negationWords(m.claim.text, a) {
		if w.negator {
			word = w.surface
		}
	}
	if word == "" {
		return "", false
	}
	w := m.windows[0]
	d := m.docs[w.doc]
	around := d.evidence(max(0, w.first-1), min(len(d.sentences)-1, w.last+1)).Text
	for _, x := range negationWords(cutChars(around, maxClaimChars), a) {
		concedes := x.surface == "only" || x.surface == "although" || x.surface == "despite" // soft, and denies nothing
		if x.negator || x.soft && !concedes {
			return "", false
		}
	}
	return fmt.Sprintf("%q in the claim, no denial in %s: the claim denies it, the text does not", word, d.ID), true
}

func (m *comparison) sourceIDs() string {
	ids := make([]string, len(m.docs))
	for i, d := range m.docs {
		ids[i] = d.ID
	}
	return strings.Join(ids, ", ")
}
