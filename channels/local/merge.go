package local

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/citeloop/citeloop/channels/local/index"
)

const (
	// Segments with less text than smallBytes are merged, so that a text is rewritten a few times only and a merge takes
	// seconds.
	smallBytes = segmentBytes / 2
	// maxSmall is how many small segments may exist: each costs a search about 20 µs a word (chosen).
	maxSmall = 8
)

// merge keeps the number of segments small: at most maxSmall small ones in addition to those of segmentBytes. A segment
// is also rewritten if more than half of it is deleted.
func (c *Corpus) merge(ctx context.Context, f *folder) error {
	for ctx.Err() == nil {
		v := f.now()
		chosen := v.toMerge()
		if len(chosen) == 0 {
			return nil
		}
		if err := c.mergeOnce(ctx, f, v, chosen); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// toMerge returns the indexes of the parts to merge, or none: the smallest ones up to the size of a segment, after those
// of which more than half is deleted.
func (v *view) toMerge() (chosen []int) {
	var small []int
	hollow := func(i int) bool { return 2*v.parts[i].deleted.Count() > v.parts[i].segment.Files() }
	for i, p := range v.parts {
		if hollow(i) || p.live() < smallBytes {
			small = append(small, i)
		}
	}
	if len(small) <= maxSmall && !slices.ContainsFunc(small, hollow) {
		return nil
	}
	slices.SortFunc(small, func(a, b int) int {
		return cmp.Or(b2i(hollow(b))-b2i(hollow(a)), v.parts[a].live()-v.parts[b].live())
	})
	sum := 0
	for _, i := range small {
		if sum += v.parts[i].live(); sum > segmentBytes && (len(chosen) > 1 || len(chosen) == 1 && hollow(chosen[0])) {
			break
		}
		chosen = append(chosen, i)
	}
	return chosen
}

func (c *Corpus) mergeOnce(ctx context.Context, f *folder, v *view, chosen []int) error {
	b, err := index.NewBuilder()
	if err != nil {
		return err
	}
	merged := part{touched: map[string]int64{}}
	for _, i := range chosen {
		p := v.parts[i]
		for _, file := range p.eachFile() {
			if err := ctx.Err(); err != nil {
				return err
			}
			documents, err := p.segment.Texts(file)
			if errors.Is(err, index.ErrDamaged) {
				f.drop(p.name)
				return nil // and the next pass reads its files
			}
			if err != nil {
				return err
			}
			if err := b.Add(file, documents); err != nil {
				return err
			}
		}
	}
	parts := make([]part, 0, len(v.parts))
	for i, p := range v.parts {
		if !slices.Contains(chosen, i) {
			parts = append(parts, p)
		}
	}
	if b.Files() > 0 {
		merged.name = c.segmentName()
		if merged.segment, merged.file, err = f.disk.put(merged.name, b); err != nil {
			return err
		}
		parts = append(parts, merged)
	}
	return f.publish(parts, c.cfg.Edition)
}
