package passages

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"strings"
	"sync"
)

// Hit is a passage that answers a query. Score is its BM25 score: higher is better, comparable only within
// one answer.
type Hit struct {
	Doc     string
	Passage Passage
	Section string // what is above the passage, if it was added with sections
	Score   float64
	Share   float64 // of the query's words, without function words, that the passage has: 0 to 1
}

// Index ranks passages by BM25, in memory. It is safe for concurrent use; searches do not wait for each other.
type Index struct {
	mu       sync.RWMutex
	analyzer Analyzer
	terms    map[string]int32
	postings [][]posting // by term
	df       []int32     // by term: live passages that have it
	entries  []entry     // by passage id; removed ones stay until compact
	sections []section   // in order; those of removed passages stay until compact
	headings [][]int32   // by term: sections whose heading has it
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
	section string
	length  int32
	removed bool
}

// section is the passages below one heading.
type section struct{ from, through int32 }

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
	parts := make([]Selected, len(ps))
	for i, p := range ps {
		parts[i].Passage = p
	}
	ix.AddSections(doc, parts)
}

// AddSections is Add for passages with their sections, which the hits repeat.
func (ix *Index) AddSections(doc string, ps []Selected) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.remove(doc)
	ids := make([]int32, 0, len(ps))
	counts := make(map[int32]uint16)
	var order []int32 // the terms of a passage as they come, so that the same input gives the same index
	for _, p := range ps {
		id := int32(len(ix.entries))
		if lead := leadOf(p.Text); lead != "" || len(ids) == 0 {
			ix.openSection(lead, id)
		}
		clear(counts)
		order = order[:0]
		length := int32(0)
		ix.analyzer.Tokens(p.Text, func(t Token) {
			length++
			term := ix.term(t.Term)
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
		ix.entries = append(ix.entries, entry{doc: doc, passage: p.Passage, section: p.Section, length: length})
		ix.sections[len(ix.sections)-1].through = id + 1
		ids = append(ids, id)
		ix.live++
		ix.length += int64(length)
	}
	ix.docs[doc] = ids
}

// term returns the number of a term.
func (ix *Index) term(name string) int32 {
	term, ok := ix.terms[name]
	if !ok {
		term = int32(len(ix.postings))
		ix.terms[name] = term
		ix.postings = append(ix.postings, nil)
		ix.headings = append(ix.headings, nil)
		ix.df = append(ix.df, 0)
	}
	return term
}

// openSection begins a section with a passage.
func (ix *Index) openSection(heading string, passage int32) {
	n := int32(len(ix.sections))
	ix.sections = append(ix.sections, section{passage, passage})
	ix.analyzer.Tokens(heading, func(t Token) {
		term := ix.term(t.Term)
		if list := ix.headings[term]; len(list) == 0 || list[len(list)-1] != n {
			ix.headings[term] = append(list, n)
		}
	})
}

// leadOf returns the headings that a passage begins with, or the passage if it is nothing else.
func leadOf(text string) string {
	end := 0
	for {
		line, _, more := strings.Cut(text[end:], "\n\n")
		if len(line) > maxLeadLine || !leadLine(line) {
			return strings.TrimSpace(text[:end])
		}
		if end += len(line); !more {
			return strings.TrimSpace(text[:end])
		}
		end += len("\n\n")
	}
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
		e.passage.Text, e.section = "", ""
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
	sections := make([]int32, len(ix.sections))
	var open []section
	for i, s := range ix.sections {
		sections[i] = -1
		if ids[s.from] >= 0 {
			sections[i] = int32(len(open))
			open = append(open, section{ids[s.from], ids[s.through-1] + 1})
		}
	}
	ix.sections = open
	for term, list := range ix.headings {
		var kept []int32
		for _, s := range list {
			if sections[s] >= 0 {
				kept = append(kept, sections[s])
			}
		}
		ix.headings[term] = kept
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
	wanted := queryWords(query)
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if ix.live == 0 {
		return nil
	}
	average := max(1, float64(ix.length)/float64(ix.live))
	scores, gains, above := make([]float64, len(ix.entries)), make([]float64, len(ix.entries)), make([]float64, len(ix.entries))
	shares, matches := make([]float64, len(ix.entries)), make([]float64, len(ix.entries))
	asked := 0.0 // the number of the query's words without function words
	var headings [][]int32
	if len(ix.docs) == 1 {
		headings = ix.headings
	}
	var touched, found []int32
	for _, word := range wanted {
		found = found[:0]
		rarest := math.Inf(1) // a related word counts no more than the word of the query
		for i, v := range word.variants {
			term, ok := ix.terms[v.Term]
			if !ok {
				continue
			}
			idf := ix.rarity(ix.df[term])
			if i == 0 {
				rarest = idf
			}
			weight := v.Match * min(rarest, idf)
			for _, p := range ix.postings[term] {
				e := &ix.entries[p.id]
				if e.removed {
					continue
				}
				if gains[p.id] == 0 && above[p.id] == 0 {
					found = append(found, p.id)
				}
				matches[p.id] = max(matches[p.id], v.Match)
				tf := float64(p.count)
				gains[p.id] = max(gains[p.id], weight*tf*(bm25K1+1)/(tf+bm25K1*(1-bm25B+bm25B*float64(e.length)/average)))
			}
			if headings == nil {
				continue
			}
			for _, n := range headings[term] {
				for id := ix.sections[n].from; id < ix.sections[n].through && !ix.entries[id].removed; id++ {
					if gains[id] == 0 && above[id] == 0 {
						found = append(found, id)
					}
					matches[id] = max(matches[id], v.Match)
					above[id] = max(above[id], headingWeight*weight)
				}
			}
		}
		counts := 1.0
		if word.function {
			counts = 0
		}
		asked += counts
		for _, id := range found {
			if scores[id] == 0 {
				touched = append(touched, id)
			}
			scores[id] += gains[id] + above[id]
			shares[id] += counts * matches[id]
			gains[id], above[id], matches[id] = 0, 0, 0
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
		e := &ix.entries[id]
		hits[i] = Hit{Doc: e.doc, Passage: e.passage, Section: e.section, Score: scores[id], Share: 1}
		if asked > 0 {
			hits[i].Share = shares[id] / asked
		}
	}
	return hits
}

// rarity is BM25's weight of a term that so many passages have.
func (ix *Index) rarity(passages int32) float64 {
	df := float64(passages)
	return math.Log(1 + (float64(ix.live)-df+0.5)/(df+0.5))
}

// headingWeight is what a word counts in the heading of a passage's section, against its rarity. It applies to the
// search of one page, whose sections it tells apart; over several pages it moved deciding passages down. Chosen on the
// development halves of the questions (bench/README.md).
const headingWeight = 0.2

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
