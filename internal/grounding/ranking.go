package grounding

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// unit is one thing that a claim says and a text can have: a word or a number.
type unit struct {
	weight float64
	number bool
	named  bool
	index  int // in reading.terms or reading.numbers
}

// sentenceRef is a sentence of one of the documents under comparison, with the units of the claim it covers.
type sentenceRef struct {
	doc, sentence int
	covers        bitset
	weight        float64 // share of the claim's weight that it covers
}

// window is one to three neighbouring sentences.
type window struct {
	doc, first, last int
	covers           bitset
	weight           float64
}

// comparison is a claim laid over documents.
type comparison struct {
	claim     reading
	docs      []*document
	terms     []string    // of the checker
	coverages []*coverage // of docs
	units     []unit
	total     float64       // weight of all units
	ranked    []sentenceRef // best first, at most maxCandidates
	windows   []window      // best first
	chosen    []window      // the greedy choice: each adds something, best first
	present   bitset        // units that the documents have anywhere
	combined  bitset        // units that the chosen windows have
	overlay   *overlay      // made when first asked
}

const (
	// maxCandidates bounds the sentences that are looked at closely (chosen: recall did not grow beyond it).
	maxCandidates = 32
	// windowSentences is the longest window. Prototype: one to three sentences (grounding notes).
	windowSentences = 3
	// numberWeight and nameWeight: what a number or a capitalised name weighs against a word (fitted by hand on
	// development data).
	numberWeight = 1.6
	nameWeight   = 1.4
)

// termIDs numbers the terms of a claim as the documents do; -1 where none has the term.
func (c *Checker) termIDs(claim reading) []int32 {
	ids := make([]int32, len(claim.terms))
	for i, t := range claim.terms {
		ids[i] = -1
		if id, ok := c.vocabulary.ids[t.term]; ok {
			ids[i] = id
		}
	}
	return ids
}

func (c *Checker) compare(claim reading, docs []*document) *comparison {
	m := &comparison{claim: claim, docs: docs, terms: c.vocabulary.terms}
	if m.claim.workings == nil {
		m.claim.workings = newWorkings(claim)
	}
	ids := c.termIDs(claim)
	m.coverages = make([]*coverage, len(docs))
	for i, d := range docs {
		m.coverages[i] = m.claim.workings.cover(claim, ids, d)
	}
	m.weigh()
	m.rank()
	m.buildWindows()
	m.choose()
	return m
}

// weigh gives every unit its weight: its prior, raised by its rarity among the sentences of the documents.
func (m *comparison) weigh() {
	sentences := 0
	for _, d := range m.docs {
		sentences += len(d.sentences)
	}
	most := math.Log(1 + float64(sentences+1)/0.5)
	m.units = make([]unit, 0, len(m.claim.terms)+len(m.claim.numbers))
	for i, t := range m.claim.terms {
		df := 0
		for _, cov := range m.coverages {
			df += int(cov.df[i])
		}
		rarity := math.Log(1+float64(sentences+1)/(float64(df)+0.5)) / most
		w := t.prior * (0.4 + 0.6*rarity)
		if t.named {
			w *= nameWeight
		}
		m.units = append(m.units, unit{weight: w, index: i, named: t.named})
	}
	for i := range m.claim.numbers {
		m.units = append(m.units, unit{weight: numberWeight, index: i, number: true})
	}
	for _, u := range m.units {
		m.total += u.weight
	}
	m.present = newBitset(len(m.units))
	for _, cov := range m.coverages {
		m.present.or(cov.present)
	}
	m.combined = newBitset(len(m.units))
}

// rank finds the sentences that cover most.
func (m *comparison) rank() {
	best := make(bestSentences, 0, maxCandidates+1)
	for di, cov := range m.coverages {
		for i, s := range cov.sentences {
			covers := cov.coverOf(i)
			best.add(sentenceRef{doc: di, sentence: int(s), covers: covers, weight: m.weightOf(covers)})
		}
	}
	m.ranked = best
}

// bestSentences keeps the maxCandidates that cover most, best first; equal ones go by their place.
type bestSentences []sentenceRef

func (best *bestSentences) add(s sentenceRef) {
	list := *best
	if len(list) == maxCandidates && compareSentences(&list[maxCandidates-1], &s) < 0 {
		return
	}
	at := sort.Search(len(list), func(i int) bool { return compareSentences(&list[i], &s) >= 0 })
	list = slices.Insert(list, at, s)
	*best = list[:min(len(list), maxCandidates)]
}

func compareSentences(a, b *sentenceRef) int {
	return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.doc, b.doc), cmp.Compare(a.sentence, b.sentence))
}

// weightOf is the share of the claim's weight that a set of units has.
func (m *comparison) weightOf(b bitset) float64 { return m.weightOfBoth(b, b) }

// weightOfBoth is the share of the claim's weight that the union of two sets has, summed in a fixed order.
func (m *comparison) weightOfBoth(a, b bitset) float64 {
	if m.total == 0 {
		return 0
	}
	w := 0.0
	for i, x := range a {
		for x |= b[i]; x != 0; x &= x - 1 {
			w += m.units[i*64+bits.TrailingZeros64(x)].weight
		}
	}
	return w / m.total
}

// buildWindows grows each candidate sentence by its neighbours while they add something.
func (m *comparison) buildWindows() {
	m.windows = make([]window, 0, len(m.ranked))
	candidate := func(doc, sentence int) bitset { // nil for a sentence that is not among the best
		for i := range m.ranked {
			if r := &m.ranked[i]; r.sentence == sentence && r.doc == doc {
				return r.covers
			}
		}
		return nil
	}
	const worthwhile = 0.04 // share of the claim that a neighbour has to add (chosen)
	for _, r := range m.ranked {
		w := window{doc: r.doc, first: r.sentence, last: r.sentence, covers: r.covers, weight: r.weight}
		for w.last-w.first+1 < windowSentences {
			before, after := candidate(w.doc, w.first-1), candidate(w.doc, w.last+1)
			gainBefore, gainAfter := m.gain(w, before), m.gain(w, after)
			switch {
			case gainAfter >= gainBefore && gainAfter >= worthwhile:
				w.last++
				w.covers = w.covers.with(after)
			case gainBefore >= worthwhile:
				w.first--
				w.covers = w.covers.with(before)
			default:
				goto done
			}
			w.weight = m.weightOf(w.covers)
		}
	done:
		m.windows = append(m.windows, w)
	}
	slices.SortStableFunc(m.windows, func(a, b window) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.last-a.first, b.last-b.first))
	})
}

func (m *comparison) gain(w window, add bitset) float64 {
	if add == nil {
		return 0
	}
	return m.weightOfBoth(w.covers, add) - w.weight
}

// choose takes windows greedily while they cover something new, and then the best of the rest, so that the
// first passages together say as much as they can.
func (m *comparison) choose() {
	taken := make([]bool, len(m.windows))
	overlaps := func(w *window) bool {
		return slices.ContainsFunc(m.chosen, func(c window) bool { return c.doc == w.doc && w.first <= c.last && c.first <= w.last })
	}
	for len(m.chosen) < MaxPassages {
		best, bestScore := -1, -1.0
		have := m.weightOf(m.combined)
		for i := range m.windows {
			w := &m.windows[i]
			if taken[i] || overlaps(w) {
				continue
			}
			// What is new counts most; among passages that add nothing, the better match comes first.
			score := (m.weightOfBoth(m.combined, w.covers) - have) + repeatWeight*w.weight
			if score > bestScore+1e-12 {
				best, bestScore = i, score
			}
		}
		if best < 0 {
			return
		}
		taken[best] = true
		m.chosen = append(m.chosen, m.windows[best])
		m.combined.or(m.windows[best].covers)
	}
}

// repeatWeight is what it counts to cover again what a passage before has covered (fitted by hand).
const repeatWeight = 0.6
