package passages

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"sync"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// Hit is a passage that answers a query. Score is its BM25 score: higher is better, comparable only within
// one answer.
type Hit struct {
	Doc     string
	Passage Passage
	Score   float64
}

// Index ranks passages by BM25, in memory. It is safe for concurrent use; searches do not wait for each other.
type Index struct {
	mu       sync.RWMutex
	analyzer Analyzer
	terms    map[string]int32
	postings [][]posting // by term
	df       []int32     // by term: live passages that have it
	entries  []entry     // by passage id; removed ones stay until compact
	docs     map[string][]int32
	live     int
	length   int64 // terms in live passages
}

type posting struct {
	id    int32
	count uint16
}

type entry struct {
	doc     string
	passage Passage
	length  int32
	removed bool
}

// NewIndex returns an empty index.
func NewIndex() *Index {
	return &Index{terms: make(map[string]int32), docs: make(map[string][]int32)}
}

// Len counts the passages.
func (ix *Index) Len() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.live
}

// Add puts the passages of a document in. A document that is there already is replaced.
func (ix *Index) Add(doc string, ps []Passage) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.remove(doc)
	ids := make([]int32, 0, len(ps))
	counts := make(map[int32]uint16)
	var order []int32 // the terms of a passage as they come, so that the same input gives the same index
	for _, p := range ps {
		id := int32(len(ix.entries))
		clear(counts)
		order = order[:0]
		length := int32(0)
		ix.analyzer.Tokens(p.Text, func(t Token) {
			length++
			term, ok := ix.terms[t.Term]
			if !ok {
				term = int32(len(ix.postings))
				ix.terms[t.Term] = term
				ix.postings = append(ix.postings, nil)
				ix.df = append(ix.df, 0)
			}
			n := counts[term]
			if n == 0 {
				order = append(order, term)
			}
			if n < math.MaxUint16 {
				counts[term] = n + 1
			}
		})
		for _, term := range order {
			ix.postings[term] = append(ix.postings[term], posting{id, counts[term]})
			ix.df[term]++
		}
		ix.entries = append(ix.entries, entry{doc: doc, passage: p, length: length})
		ids = append(ids, id)
		ix.live++
		ix.length += int64(length)
	}
	ix.docs[doc] = ids
}

// Remove takes a document out. An unknown document is no error.
func (ix *Index) Remove(doc string) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.remove(doc)
}

func (ix *Index) remove(doc string) {
	ids, ok := ix.docs[doc]
	if !ok {
		return
	}
	delete(ix.docs, doc)
	seen := make(map[int32]bool)
	for _, id := range ids {
		e := &ix.entries[id]
		clear(seen)
		ix.analyzer.Tokens(e.passage.Text, func(t Token) {
			if term := ix.terms[t.Term]; !seen[term] {
				seen[term] = true
				ix.df[term]--
			}
		})
		e.removed = true
		ix.live--
		ix.length -= int64(e.length)
		e.passage.Text = ""
	}
	if dead := len(ix.entries) - ix.live; dead > 1024 && dead > ix.live {
		ix.compact()
	}
}

// compact drops removed passages and gives the others new ids. It costs a pass over all postings and comes
// at most once for as many removals as passages are left.
func (ix *Index) compact() {
	ids := make([]int32, len(ix.entries))
	entries := make([]entry, 0, ix.live)
	for i, e := range ix.entries {
		ids[i] = -1
		if !e.removed {
			ids[i] = int32(len(entries))
			entries = append(entries, e)
		}
	}
	for term, ps := range ix.postings {
		kept := make([]posting, 0, ix.df[term])
		for _, p := range ps {
			if ids[p.id] >= 0 {
				kept = append(kept, posting{ids[p.id], p.count})
			}
		}
		ix.postings[term] = kept
	}
	for _, list := range ix.docs {
		for i, id := range list {
			list[i] = ids[id]
		}
	}
	ix.entries = entries
}

// BM25's usual constants (Robertson and Zaragoza, 2009).
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// Search returns the passages that answer a query, best first; equal scores go by document, then by place.
// A limit below 1 returns none.
func (ix *Index) Search(query string, limit int) []Hit {
	return ix.SearchFunc(query, limit, nil)
}

// SearchFunc is Search among the documents that keep accepts (nil: all). keep must not call the index.
func (ix *Index) SearchFunc(query string, limit int, keep func(doc string) bool) []Hit {
	if limit < 1 {
		return nil
	}
	terms, weights := queryTerms(query)
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if ix.live == 0 {
		return nil
	}
	average := max(1, float64(ix.length)/float64(ix.live))
	scores := make([]float64, len(ix.entries))
	var touched []int32
	seen := make(map[string]bool, len(terms))
	for _, t := range terms {
		term, ok := ix.terms[t]
		if !ok || seen[t] {
			continue
		}
		seen[t] = true
		df := float64(ix.df[term])
		idf := weights[t] * math.Log(1+(float64(ix.live)-df+0.5)/(df+0.5))
		for _, p := range ix.postings[term] {
			e := &ix.entries[p.id]
			if e.removed {
				continue
			}
			if scores[p.id] == 0 {
				touched = append(touched, p.id)
			}
			tf := float64(p.count)
			scores[p.id] += idf * tf * (bm25K1 + 1) / (tf + bm25K1*(1-bm25B+bm25B*float64(e.length)/average))
		}
	}
	top := worstFirst{index: ix, scores: scores}
	for _, id := range touched {
		if keep != nil && !keep(ix.entries[id].doc) {
			continue
		}
		switch {
		case len(top.ids) < limit:
			heap.Push(&top, id)
		case top.better(id, top.ids[0]):
			top.ids[0] = id
			heap.Fix(&top, 0)
		}
	}
	slices.SortFunc(top.ids, func(a, b int32) int {
		if top.better(a, b) {
			return -1
		}
		return 1
	})
	hits := make([]Hit, len(top.ids))
	for i, id := range top.ids {
		hits[i] = Hit{Doc: ix.entries[id].doc, Passage: ix.entries[id].passage, Score: scores[id]}
	}
	return hits
}

// lessForFunction is what a function word of a query counts against another word (chosen).
const lessForFunction = 0.25

// queryTerms are the terms of a query and their weights.
func queryTerms(query string) ([]string, map[string]float64) {
	var a Analyzer
	var terms []string
	weights := make(map[string]float64)
	words := lexicon.For(claimLanguage(query, nil))
	if words == nil {
		words = lexicon.For("en")
	}
	a.Tokens(query, func(t Token) {
		weight := 1.0
		if _, function := words.Is(lexicon.Function, query[t.ByteStart:t.ByteEnd]); function {
			weight = lessForFunction
		}
		terms = append(terms, t.Term)
		weights[t.Term] = max(weights[t.Term], weight)
	})
	return terms, weights
}

// worstFirst is a heap of passage ids with the worst on top.
type worstFirst struct {
	index  *Index
	scores []float64
	ids    []int32
}

func (h *worstFirst) better(a, b int32) bool {
	if c := cmp.Compare(h.scores[a], h.scores[b]); c != 0 {
		return c > 0
	}
	x, y := &h.index.entries[a], &h.index.entries[b]
	if c := cmp.Compare(x.doc, y.doc); c != 0 {
		return c < 0
	}
	if c := cmp.Compare(x.passage.Start, y.passage.Start); c != 0 {
		return c < 0
	}
	return a < b
}

func (h *worstFirst) Len() int           { return len(h.ids) }
func (h *worstFirst) Less(i, j int) bool { return h.better(h.ids[j], h.ids[i]) }
func (h *worstFirst) Swap(i, j int)      { h.ids[i], h.ids[j] = h.ids[j], h.ids[i] }
func (h *worstFirst) Push(x any)         { h.ids = append(h.ids, x.(int32)) }
func (h *worstFirst) Pop() any {
	last := h.ids[len(h.ids)-1]
	h.ids = h.ids[:len(h.ids)-1]
	return last
}
