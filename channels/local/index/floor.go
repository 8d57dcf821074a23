package index

import (
	"cmp"
	"math"
	"sync"
	"sync/atomic"
)

// floor is the score that a document must reach to be among the best of all parts, as far as known. Parts are searched
// in parallel, and each raises the floor for all. A document with exactly this score is kept: ties are ordered by path.
type floor struct {
	limit int
	now   atomic.Uint64 // the bits of the score

	mu     sync.Mutex
	scores []float64 // of the best documents: a heap with the lowest on top
}

func newFloor(limit int) *floor {
	f := &floor{limit: limit}
	f.now.Store(math.Float64bits(math.Inf(-1)))
	return f
}

func (f *floor) value() float64 { return math.Float64frombits(f.now.Load()) }

// found records the score of a document. It is called once per document.
func (f *floor) found(score float64) {
	if score <= f.value() {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	highest := func(a, b float64) int { return cmp.Compare(b, a) }
	if len(f.scores) < f.limit {
		f.scores = append(f.scores, score)
		siftUp(f.scores, highest)
	} else if score > f.scores[0] {
		f.scores[0] = score
		siftDown(f.scores, highest)
	}
	if len(f.scores) == f.limit {
		f.now.Store(math.Float64bits(f.scores[0]))
	}
}
