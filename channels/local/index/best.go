package index

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// bestDocuments keeps the best documents of a part, each offered once: a heap with the worst on top. Among equals it
// keeps the first ones.
type bestDocuments struct {
	limit int
	items []ranked
}

// better orders documents, best first.
func better(a, b ranked) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.document, b.document))
}

func (b *bestDocuments) offer(r ranked) {
	switch {
	case len(b.items) < b.limit:
		b.items = append(b.items, r)
		siftUp(b.items, better)
	case better(r, b.items[0]) < 0:
		b.items[0] = r
		siftDown(b.items, better)
	}
}

func (b *bestDocuments) sorted() []ranked {
	slices.SortFunc(b.items, better)
	return b.items
}

// siftUp and siftDown keep a heap whose top is last in an order, after its last or its first item changed.
func siftUp[T any](heap []T, order func(a, b T) int) {
	for i := len(heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if order(heap[i], heap[parent]) <= 0 {
			return
		}
		heap[i], heap[parent] = heap[parent], heap[i]
		i = parent
	}
}

func siftDown[T any](heap []T, order func(a, b T) int) {
	for i := 0; ; {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(heap); child++ {
			if order(heap[child], heap[last]) > 0 {
				last = child
			}
		}
		if last == i {
			return
		}
		heap[i], heap[last] = heap[last], heap[i]
		i = last
	}
}

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
