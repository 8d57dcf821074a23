package grounding

import (
	"cmp"
	"math"
	"slices"
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
	claim    reading
	docs     []*document
	units    []unit
	total    float64       // weight of all units
	ranked   []sentenceRef // best first, at most maxCandidates
	windows  []window      // best first
	chosen   []window      // the greedy choice: each adds something, best first
	present  bitset        // units that the documents have anywhere
	combined bitset        // units that the chosen windows have
	overlay  *overlay      // made when first asked
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

func (c *Checker) compare(claim reading, docs []*document) *comparison {
	m := &comparison{claim: claim, docs: docs}
	m.weigh(c.vocabulary.ids)
	m.rank(c.vocabulary.ids)
	m.buildWindows()
	m.choose()
	return m
}

// weigh gives every unit its weight: its prior, raised by its rarity among the sentences of the documents.
func (m *comparison) weigh(ids map[string]int32) {
	sentences := 0
	for _, d := range m.docs {
		sentences += len(d.sentences)
	}
	most := math.Log(1 + float64(sentences+1)/0.5)
	for i, t := range m.claim.terms {
		df := 0
		if id, ok := ids[t.term]; ok {
			for _, d := range m.docs {
				df += len(d.postings[id])
			}
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
	m.combined = newBitset(len(m.units))
}

// rank finds the sentences that cover most.
func (m *comparison) rank(ids map[string]int32) {
	var all []sentenceRef
	width := len(m.present)
	var covers []uint64 // of all sentences in all, width each
	for di, d := range m.docs {
		at := make([]int32, len(d.sentences)) // place in all, from 1
		mark := func(sentence int32, u int) {
			m.present.set(u)
			if sentence < 0 { // the title
				return
			}
			if at[sentence] == 0 {
				all = append(all, sentenceRef{doc: di, sentence: int(sentence)})
				covers = append(covers, make([]uint64, width)...)
				at[sentence] = int32(len(all))
			}
			i := int(at[sentence]) - 1
			if b := bitset(covers[i*width : (i+1)*width]); !b.has(u) {
				b.set(u)
				all[i].weight += m.units[u].weight // units come in order, so the sum is always the same
			}
		}
		for ui, u := range m.units {
			if u.number {
				q := m.claim.numbers[u.index]
				for _, n := range d.numbers {
					if q.matches(n.quantity) {
						mark(n.sentence, ui)
					}
				}
				continue
			}
			id, ok := ids[m.claim.terms[u.index].term]
			if !ok {
				continue
			}
			if d.title[id] {
				m.present.set(ui)
			}
			for _, s := range d.postings[id] {
				mark(s, ui)
			}
		}
	}
	for i := range all {
		all[i].covers = covers[i*width : (i+1)*width]
		if m.total > 0 {
			all[i].weight /= m.total
		}
	}
	m.ranked = bestSentences(all)
}

// bestSentences keeps the maxCandidates that cover most, best first; equal ones go by their place.
func bestSentences(all []sentenceRef) []sentenceRef {
	better := func(a, b sentenceRef) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.doc, b.doc), cmp.Compare(a.sentence, b.sentence))
	}
	best := make([]sentenceRef, 0, maxCandidates+1)
	for _, s := range all {
		if len(best) == maxCandidates && better(best[maxCandidates-1], s) < 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, s, better)
		best = slices.Insert(best, at, s)
		best = best[:min(len(best), maxCandidates)]
	}
	return best
}

// weightOf is the share of the claim's weight that a set of units has, summed in a fixed order.
func (m *comparison) weightOf(b bitset) float64 {
	if m.total == 0 {
		return 0
	}
	w := 0.0
	for i, u := range m.units {
		if b.has(i) {
			w += u.weight
		}
	}
	return w / m.total
}

// buildWindows grows each candidate sentence by its neighbours while they add something.
func (m *comparison) buildWindows() {
	covers := make(map[[2]int]bitset, len(m.ranked))
	for _, r := range m.ranked {
		covers[[2]int{r.doc, r.sentence}] = r.covers
	}
	const worthwhile = 0.04 // share of the claim that a neighbour has to add (chosen)
	for _, r := range m.ranked {
		w := window{doc: r.doc, first: r.sentence, last: r.sentence, covers: r.covers.clone(), weight: r.weight}
		for w.last-w.first+1 < windowSentences {
			before, after := covers[[2]int{w.doc, w.first - 1}], covers[[2]int{w.doc, w.last + 1}]
			gainBefore, gainAfter := m.gain(w, before), m.gain(w, after)
			switch {
			case gainAfter >= gainBefore && gainAfter >= worthwhile:
				w.last++
				w.covers.or(after)
			case gainBefore >= worthwhile:
				w.first--
				w.covers.or(before)
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
	u := w.covers.clone()
	u.or(add)
	return m.weightOf(u) - w.weight
}

// choose takes windows greedily while they cover something new, and then the best of the rest, so that the
// first passages together say as much as they can.
func (m *comparison) choose() {
	taken := make([]bool, len(m.windows))
	overlaps := func(w window) bool {
		for _, c := range m.chosen {
			if c.doc == w.doc && w.first <= c.last && c.first <= w.last {
				return true
			}
		}
		return false
	}
	for len(m.chosen) < MaxPassages {
		best, bestScore := -1, -1.0
		have := m.weightOf(m.combined)
		for i, w := range m.windows {
			if taken[i] || overlaps(w) {
				continue
			}
			u := m.combined.clone()
			u.or(w.covers)
			// What is new counts most; among passages that add nothing, the better match comes first.
			score := (m.weightOf(u) - have) + repeatWeight*w.weight
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

type bitset []uint64

func newBitset(n int) bitset    { return make(bitset, (n+63)/64) }
func (b bitset) set(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) has(i int) bool { return b != nil && b[i/64]&(1<<(i%64)) != 0 }
func (b bitset) clone() bitset  { return slices.Clone(b) }
func (b bitset) or(o bitset) {
	for i := range o {
		b[i] |= o[i]
	}
}
