package index

import (
	"cmp"
	"slices"
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
