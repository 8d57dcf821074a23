package grounding

import (
	"cmp"
	"slices"
)

const (
	closeSentences = 4   // sentences of a document that are looked at closely
	closeShare     = 0.5 // of the best one's share of the claim, below which a sentence is not
	nearlyAll      = 0.7 // of the claim: then the windows beside the best are tried as well
)

// accounts compares the claim with the passages around the best sentences of each document, the best account first.
func (k *comparer) accounts(m *comparison) []*account {
	type place struct {
		doc   int
		first int
	}
	var out []*account
	seen := make(map[place]bool)
	try := func(doc, first int) {
		d := m.docs[doc]
		at := place{doc, max(0, min(first, len(d.sentences)-windowSentences))}
		if !seen[at] {
			seen[at] = true
			last := min(len(d.sentences), at.first+windowSentences) - 1
			if last+1 < len(d.sentences) && k.sentence(d, last+1).refutesBefore() {
				last++
			}
			out = append(out, k.account(d, at.first, last))
		}
	}
	taken := make(map[int]int)
	for _, r := range m.ranked {
		if taken[r.doc]++; taken[r.doc] <= closeSentences && r.weight >= closeShare*m.ranked[0].weight {
			try(r.doc, r.sentence-1)
			if n := len(out); n > 0 && out[n-1].grounds() { // none can be better
				break
			}
		}
	}
	byBadness := func(a, b *account) int { return cmp.Compare(a.badness(), b.badness()) }
	slices.SortStableFunc(out, byBadness)
	if len(out) > 0 && !out[0].grounds() && out[0].covered >= nearlyAll*out[0].weight {
		n := slices.Index(m.docs, out[0].doc)
		first := out[0].first
		try(n, first-1)
		try(n, first+1)
		for _, r := range m.ranked[:min(len(m.ranked), closeSentences)] { // the words of a phrase that a pronoun names are not matched there
			if r.doc == n && r.sentence >= first && r.sentence < first+windowSentences {
				last := r.sentence
				if last+1 < len(m.docs[n].sentences) && k.sentence(m.docs[n], last+1).refutesBefore() {
					last++
				}
				if x := k.account(m.docs[n], r.sentence, last); x.grounds() {
					out = append(out, x)
				}
			}
		}
		slices.SortStableFunc(out, byBadness)
	}
	return out
}

// badness orders accounts: what is missing weighs most.
func (x *account) badness() float64 {
	if x.grounds() {
		return -1
	}
	n := x.weight - x.covered
	n += 0.3*float64(len(x.order)) + 0.2*float64(len(x.unsaid))
	return n
}
