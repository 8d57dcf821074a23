package passage

import (
	"cmp"
	"slices"
	"sync"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Hit is a passage that answers a query. Score is its BM25 score: higher is better, comparable only within
// one answer.
type Hit struct {
	Doc     string
	Passage Passage
	Score   float64
	Share   float64 // of the query's words, without function words, that the passage has: 0 to 1
}

// Index ranks passages by BM25, in memory. It is safe for concurrent use; searches do not wait for each other.
type Index struct {
	mu       sync.RWMutex
	analyzer words.Analyzer // for adding
	docs     map[string]*document
	passages int
	length   int // terms in all passages
}

// document is the passages of one document, with what searches need.
type document struct {
	passages []Passage
	lengths  []int // terms of each passage
	length   int
	postings map[string][]posting // by term
	headings map[string][]int     // by term: passages whose heading has it
}

type posting struct{ passage, count int }

// NewIndex returns an empty index.
func NewIndex() *Index { return &Index{docs: make(map[string]*document)} }

// Add puts the passages of a document in. A document that is there already is replaced.
func (ix *Index) Add(doc string, ps []Passage) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if before, ok := ix.docs[doc]; ok {
		ix.passages, ix.length = ix.passages-len(before.passages), ix.length-before.length
	}
	d := &document{passages: slices.Clone(ps), postings: map[string][]posting{}, headings: map[string][]int{}}
	d.lengths = make([]int, len(ps))
	for i, p := range ps {
		ix.analyzer.SearchTerms(cmp.Or(p.Section, headingOf(p.Text)), func(t words.SearchTerm) {
			if of := d.headings[t.Term]; len(of) == 0 || of[len(of)-1] != i {
				d.headings[t.Term] = append(of, i)
			}
		})
		ix.analyzer.SearchTerms(p.Text, func(t words.SearchTerm) {
			d.lengths[i]++
			of := d.postings[t.Term]
			if len(of) == 0 || of[len(of)-1].passage != i {
				of = append(of, posting{passage: i})
				d.postings[t.Term] = of
			}
			of[len(of)-1].count++
		})
		d.length += d.lengths[i]
	}
	ix.docs[doc] = d
	ix.passages += len(ps)
	ix.length += d.length
}

const (
	// headingWeight is what a word counts in the heading of a passage's section, in the search of one page; over several pages it moved
	// deciding passages down. Chosen on the development halves of the questions (bench/README.md).
	headingWeight = 0.2
	// functionWeight is what a function word of a query counts against another word (chosen).
	functionWeight = 0.1
)

// Search returns the passages that answer a query among the documents that keep accepts (nil: all), best first; equal scores
// go by document, then by place. A limit below 1 returns none. keep must not call the index.
func (ix *Index) Search(query string, limit int, keep func(doc string) bool) []Hit {
	wanted := queryWords(query)
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	weights := make([]float64, len(wanted))
	asked := 0.0 // words without function words
	for i, w := range wanted {
		having := 0
		for _, d := range ix.docs {
			having += len(d.postings[w.term])
		}
		if weights[i] = Weight(having, ix.passages); w.function {
			weights[i] *= functionWeight
		} else {
			asked++
		}
	}
	average := float64(max(1, ix.length)) / float64(max(1, ix.passages))
	var hits []Hit
	for name, d := range ix.docs {
		if keep == nil || keep(name) {
			for i, h := range d.score(wanted, weights, average, len(ix.docs) == 1) {
				if h.Score > 0 {
					h.Doc, h.Passage, h.Share = name, d.passages[i], h.Share/max(1, asked)
					hits = append(hits, h)
				}
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc), cmp.Compare(a.Passage.Start, b.Passage.Start))
	})
	return slices.Clip(hits[:max(0, min(limit, len(hits)))])
}

// score returns the score of each passage, and as its share how many words of the query it has; nil if no passage has any.
func (d *document) score(wanted []queryWord, weights []float64, average float64, headings bool) []Hit {
	var out []Hit
	last := make([]int, len(d.passages)) // the number of the word that a passage had last, from 1
	for n, w := range wanted {
		has := func(passage int, gain float64) {
			if out == nil {
				out = make([]Hit, len(d.passages))
			}
			out[passage].Score += gain
			if last[passage] <= n && !w.function {
				out[passage].Share++
			}
			last[passage] = n + 1
		}
		for _, p := range d.postings[w.term] {
			has(p.passage, Gain(weights[n], float64(p.count), Norm(float64(d.lengths[p.passage]), average)))
		}
		if headings {
			for _, i := range d.headings[w.term] {
				has(i, headingWeight*weights[n])
			}
		}
	}
	return out
}

// minAlike letters and at most one more make a form of the same word (chosen): weight and weigh.
const minAlike = 5

// Absent lists the words of a query, without function words, that no passage of the documents that keep accepts (nil: all)
// has, not even one that begins alike. keep must not call the index.
func (ix *Index) Absent(query string, keep func(doc string) bool) []string {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var out []string
	for _, w := range queryWords(query) {
		if !w.function && !w.pair && !ix.has(w.term, keep) {
			out = append(out, w.text)
		}
	}
	return out
}

func (ix *Index) has(wanted string, keep func(doc string) bool) bool {
	for name, d := range ix.docs {
		if keep != nil && !keep(name) {
			continue
		}
		if d.postings[wanted] != nil {
			return true
		}
		for term := range d.postings {
			short := min(len(wanted), len(term))
			if short >= minAlike && max(len(wanted), len(term)) <= short+1 && wanted[:short] == term[:short] {
				return true
			}
		}
	}
	return false
}
