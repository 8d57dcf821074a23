package textcheck

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
)

const (
	// windowClaims is the number of claims that are checked together, so that each text is indexed once for all of
	// them.
	windowClaims = 16_384
	// jointBytes bounds the texts of one index. An index takes up to forty times its text once claims have been
	// checked in it (measured on texts of 4 kB).
	jointBytes = 4 << 20
	// failedCost is the additional cost of an ungrounded claim in an index of many texts, which is searched for a
	// better source. The unit is bytes of text that could be indexed in that time (measured: 1 ms, 0.35 µs a byte).
	failedCost = 3000
	// chunkClaims is how many claims of one group a goroutine checks at a time.
	chunkClaims = 32
)

// question is a claim to check.
type question struct {
	row   Row
	claim citing.Claim
	ids   []string // distinct, of known texts
}

// group is claims that are checked with one index. A verdict depends only on the cited texts, so the choice of the index
// only affects the cost: one index over all texts would search all of them for a better source, and hold them in memory.
// So each text that is cited alone has its own index, and texts that are cited together share one if that is cheaper.
type group struct {
	ids       []string
	questions []*question
	left      atomic.Int32 // chunks that are not checked yet
	index     func() (*grounding.Checker, error)
}

// answer checks the claims of one window on all cores. An index is released after its last claim.
func answer(ctx context.Context, texts *textSet, window []*question) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, part := range groupsOf(texts, window) {
		chunks := slices.Collect(slices.Chunk(part.questions, chunkClaims))
		part.left.Store(int32(len(chunks)))
		part.index = sync.OnceValues(func() (*grounding.Checker, error) { return indexOf(texts, part.ids) })
		for _, chunk := range chunks {
			g.Go(func() error {
				checker, err := part.index()
				if err != nil {
					return err
				}
				for _, q := range chunk {
					if err := ctx.Err(); err != nil {
						return err
					}
					q.claim.Check(checker)
					if err := q.row.take(&q.claim); err != nil {
						return err
					}
				}
				if part.left.Add(-1) == 0 {
					part.index = nil // releases the index
				}
				return nil
			})
			if ctx.Err() != nil {
				return g.Wait()
			}
		}
	}
	return g.Wait()
}

func indexOf(texts *textSet, ids []string) (*grounding.Checker, error) {
	sources := make([]grounding.Source, len(ids))
	for i, id := range ids {
		var err error
		if sources[i], err = texts.load(id); err != nil {
			return nil, err
		}
	}
	return grounding.NewChecker(sources), nil
}

// groupsOf groups the claims with citations.
func groupsOf(texts *textSet, window []*question) []*group {
	var out []*group
	byKey := map[string]*group{}
	put := func(q *question) {
		key := keyOf(q.ids)
		if byKey[key] == nil {
			byKey[key] = &group{ids: q.ids}
			out = append(out, byKey[key])
		}
		byKey[key].questions = append(byKey[key].questions, q)
	}
	var together []*question
	for _, q := range window {
		switch len(q.ids) {
		case 0:
		case 1:
			put(q)
		default:
			together = append(together, q)
		}
	}
	for _, part := range connected(together) {
		if ids := jointly(texts, part); ids != nil {
			out = append(out, &group{ids: ids, questions: part})
			continue
		}
		for _, q := range part {
			put(q)
		}
	}
	return out
}

// jointly returns the texts of connected claims, or nil if an index for each set of texts is cheaper.
func jointly(texts *textSet, part []*question) []string {
	var all []string
	seen, sets := map[string]bool{}, map[string]bool{}
	once, each := 0, 0
	for _, q := range part {
		key, size := keyOf(q.ids), 0
		for _, id := range q.ids {
			size += texts.at[id].bytes
			if !seen[id] {
				seen[id] = true
				all = append(all, id)
				once += texts.at[id].bytes
			}
		}
		if !sets[key] {
			sets[key] = true
			each += size
		}
	}
	if len(sets) == 1 || once > jointBytes || once+failedCost*len(part) >= each {
		return nil
	}
	return all
}

// keyOf returns a key for a set of ids.
func keyOf(ids []string) string {
	var b strings.Builder
	for _, id := range slices.Sorted(slices.Values(ids)) {
		fmt.Fprintf(&b, "%d:%s", len(id), id)
	}
	return b.String()
}

// connected splits questions so that no text is cited in two parts.
func connected(questions []*question) [][]*question {
	part := map[string]int{} // text -> a question that cites it
	parent := make([]int, len(questions))
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i, q := range questions {
		parent[i] = i
		for _, id := range q.ids {
			if j, ok := part[id]; ok {
				parent[root(i)] = root(j)
			} else {
				part[id] = i
			}
		}
	}
	at := map[int]int{}
	var out [][]*question
	for i, q := range questions {
		r := root(i)
		n, ok := at[r]
		if !ok {
			n = len(out)
			at[r] = n
			out = append(out, nil)
		}
		out[n] = append(out[n], q)
	}
	return out
}
