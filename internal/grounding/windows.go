package grounding

import "slices"

const (
	closeSentences = 4   // sentences of a document that are looked at closely
	closeShare     = 0.5 // of the best one's share of the claim, below which a sentence is not
	nearlyAll      = 0.7 // of the claim: then the windows beside the best are tried as well
)

// closest compares the claim with the passages around the best sentences of each document and returns the best account; nil
// where no document has a word of the claim.
func (k *comparer) closest(m *comparison) *account {
	type place struct{ doc, first int }
	var out []*account
	seen := make(map[place]bool)
	try := func(doc, first int) {
		d := m.docs[doc]
		at := place{doc, max(0, min(first, len(d.sentences)-windowSentences))}
		if !seen[at] {
			seen[at] = true
			last := min(len(d.sentences), at.first+windowSentences) - 1
			out = append(out, k.account(d, at.first, k.withRefutation(d, last)))
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
	best := least(out)
	if best == nil || best.grounds() || best.covered < nearlyAll*best.weight {
		return best
	}
	n, first := slices.Index(m.docs, best.doc), best.first
	out = []*account{best}
	try(n, first-1)
	try(n, first+1)
	for _, r := range m.ranked[:min(len(m.ranked), closeSentences)] { // the words of a phrase that a pronoun names are not matched there
		if r.doc == n && r.sentence >= first && r.sentence < first+windowSentences {
			if x := k.account(m.docs[n], r.sentence, k.withRefutation(m.docs[n], r.sentence)); x.grounds() {
				out = append(out, x)
			}
		}
	}
	return least(out)
}

// withRefutation returns the last sentence of a passage, or the next one if that refutes it.
func (k *comparer) withRefutation(d *document, last int) int {
	if last+1 < len(d.sentences) && k.claims.mayRefute(d.sentences[last+1].Text) && k.sentence(d, last+1).refutesBefore() {
		return last + 1
	}
	return last
}

// least returns the account of the least badness, the first of several; nil for none.
func least(list []*account) *account {
	var best *account
	for _, x := range list {
		if best == nil || x.leastBadness() < best.badness() && x.badness() < best.badness() {
			best = x
		}
	}
	return best
}

// badness orders accounts: what is missing weighs most.
func (x *account) badness() float64 {
	if x.grounds() {
		return -1
	}
	x.judge()
	n := x.weight - x.covered
	n += 0.3*float64(len(x.order)) + 0.2*float64(len(x.unsaid))
	return n
}

// leastBadness is a lower bound of badness that needs no judgement of the order.
func (x *account) leastBadness() float64 {
	if len(x.missing) == 0 {
		return -1
	}
	return x.weight - x.covered
}
