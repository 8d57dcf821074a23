package index

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// bestDocuments keeps the best documents seen, each with its best passage: a heap with the worst on top.
type bestDocuments struct {
	limit int
	items []ranked
	of    map[int]int // document: its place in items
}

// threshold is a score that a document must exceed to get in.
func (b *bestDocuments) threshold() float64 {
	if len(b.items) < b.limit {
		return math.Inf(-1)
	}
	return b.items[0].score
}

func (b *bestDocuments) offer(r ranked) {
	if at, in := b.of[r.document]; in {
		if r.score > b.items[at].score {
			b.items[at] = r
			heap.Fix(b, at)
		}
		return
	}
	switch {
	case len(b.items) < b.limit:
		heap.Push(b, r)
	case r.score > b.items[0].score:
		delete(b.of, b.items[0].document)
		b.items[0] = r
		b.of[r.document] = 0
		heap.Fix(b, 0)
	}
}

func (b *bestDocuments) sorted() []ranked {
	slices.SortFunc(b.items, func(x, y ranked) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.document, y.document))
	})
	return b.items
}

func (b *bestDocuments) Len() int { return len(b.items) }
func (b *bestDocuments) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(b.items[i].score, b.items[j].score), cmp.Compare(b.items[j].document, b.items[i].document)) < 0
}
func (b *bestDocuments) Swap(i, j int) {
	b.items[i], b.items[j] = b.items[j], b.items[i]
	b.of[b.items[i].document], b.of[b.items[j].document] = i, j
}
func (b *bestDocuments) Push(x any) {
	r := x.(ranked)
	b.of[r.document] = len(b.items)
	b.items = append(b.items, r)
}
func (b *bestDocuments) Pop() any {
	last := b.items[len(b.items)-1]
	b.items = b.items[:len(b.items)-1]
	delete(b.of, last.document)
	return last
}
