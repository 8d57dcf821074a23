package grounding

import (
	"math/bits"
	"slices"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// coverage says which units of a claim a document has, and in which sentences. It depends on the two alone, so the
// comparison with all cited documents and the one with each of them share it.
type coverage struct {
	present   bitset
	df        []int32  // by term of the claim: sentences that have it
	sentences []int32  // those that cover something
	covers    []uint64 // of sentences, width words each
	width     int

	verbatim    *Evidence // where the claim appears letter for letter
	verbatimSet bool
	letters     bitset // the runs of four letters that the document has; nil until asked
}

// workings is what the comparisons of one claim share. It saves time and changes nothing; it belongs to one
// goroutine.
type workings struct {
	documents map[*document]*coverage
	letters   string   // the claim's letters, for verbatim
	runs      []uint32 // the runs of four letters of its words
	running   []int32  // its words in order, stop words too, by number
	words     map[string]int32
	degree    []bool  // by number: see features
	places    []int32 // scratch of cover: by sentence, place in coverage.sentences from 1
}

func newWorkings(r reading) *workings {
	w := &workings{documents: make(map[*document]*coverage), words: make(map[string]int32), letters: newLetters(r.text).s}
	r.analyzer.Tokens(r.text, func(t passages.Token) {
		word, known := w.words[t.Term]
		if !known {
			word = int32(len(w.words))
			w.words[t.Term] = word
			w.degree = append(w.degree, isDegree(t.Term))
		}
		w.running = append(w.running, word)
	})
	for _, t := range r.terms {
		fourLetters(t.term, func(run uint32) { w.runs = append(w.runs, run) })
	}
	return w
}

// cover lays the claim over a document, once.
func (w *workings) cover(r reading, ids []int32, d *document) *coverage {
	if cov, ok := w.documents[d]; ok {
		return cov
	}
	units := len(r.terms) + len(r.numbers)
	cov := &coverage{present: newBitset(units), df: make([]int32, len(r.terms)), width: (units + 63) / 64}
	w.documents[d] = cov
	if len(w.places) < len(d.sentences) {
		w.places = make([]int32, len(d.sentences))
	}
	most := 0
	for _, id := range ids {
		if id >= 0 {
			most += len(d.postings[id])
		}
	}
	most = min(most, len(d.sentences))
	cov.sentences, cov.covers = make([]int32, 0, most), make([]uint64, 0, most*cov.width)
	mark := func(sentence int32, u int) {
		i := int(w.places[sentence]) - 1
		if i < 0 {
			i = len(cov.sentences)
			cov.sentences = append(cov.sentences, sentence)
			for range cov.width {
				cov.covers = append(cov.covers, 0)
			}
			w.places[sentence] = int32(i + 1)
		}
		cov.coverOf(i).set(u)
	}
	for u, id := range ids {
		if id < 0 {
			continue
		}
		list := d.postings[id]
		cov.df[u] = int32(len(list))
		if len(list) > 0 || d.title[id] {
			cov.present.set(u)
		}
		for _, s := range list {
			mark(s, u)
		}
	}
	for i := range r.numbers {
		q, u := &r.numbers[i], len(ids)+i
		for k := range d.numbers {
			if n := &d.numbers[k]; q.matchesNumber(&n.quantity) {
				cov.present.set(u)
				if n.sentence >= 0 { // not of the title
					mark(n.sentence, u)
				}
			}
		}
	}
	for _, s := range cov.sentences {
		w.places[s] = 0
	}
	return cov
}

func (cov *coverage) coverOf(i int) bitset { return cov.covers[i*cov.width : (i+1)*cov.width] }

// hasLetters says which of the claim's runs of four letters the document has; held are those of the document.
func (w *workings) hasLetters(cov *coverage, held []uint32) bitset {
	if cov.letters == nil {
		cov.letters = newBitset(len(w.runs))
		for i, run := range w.runs {
			if _, found := slices.BinarySearch(held, run); found {
				cov.letters.set(i)
			}
		}
	}
	return cov.letters
}

// verbatimIn finds the claim letter for letter.
func (w *workings) verbatimIn(cov *coverage, d *document) *Evidence {
	if !cov.verbatimSet {
		cov.verbatimSet = true
		body := d.letters()
		if start, end, ok := body.find(w.letters, 0); ok {
			e := body.evidence(d.Text, start, end)
			e.SourceID = d.ID
			cov.verbatim = &e
		}
	}
	return cov.verbatim
}

type bitset []uint64

func newBitset(n int) bitset    { return make(bitset, (n+63)/64) }
func (b bitset) set(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) has(i int) bool { return b != nil && b[i/64]&(1<<(i%64)) != 0 }
func (b bitset) or(o bitset) {
	for i := range o {
		b[i] |= o[i]
	}
}

// with is the union of two; neither changes.
func (b bitset) with(o bitset) bitset {
	u := slices.Clone(b)
	u.or(o)
	return u
}

func (b bitset) count() int {
	n := 0
	for _, x := range b {
		n += bits.OnesCount64(x)
	}
	return n
}
