package loops

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// maxCheckerBytes bounds the indexed loops in memory, with the results of their checks. Indexing 100 texts of 30 kB takes
	// a third of a second (measured on two cores).
	maxCheckerBytes = 24 << 20
	// bytesPerChar is the memory of an index for each character of its texts, and bytesPerIndex that of an index without
	// any. Measured, see TestCheckersAreBounded.
	bytesPerChar, bytesPerIndex = 24, 24 << 10
	// maxIndexedChars is the maximum size of a loop that is indexed as a whole, about 600 texts of 30 kB. Of larger loops,
	// only the cited sources are indexed, so that no better source can be found.
	maxIndexedChars = 20_000_000
	// textLoaders is how many texts are read from the store at the same time.
	textLoaders = 4
)

// keptChecker is an index of a loop's texts with the results of its checks. It is valid for the same list of sources: a loop
// gets more sources, or is deleted and imported again.
type keptChecker struct {
	texts   []string // hash of each source's text
	size    int      // in bytes, without results
	checker *grounding.Checker
	results *keptResults
}

// covers returns how many of the sources, from the first on, are in the index; 0 if it has others.
func (k *keptChecker) covers(sources []loopstate.Source) int {
	n := len(k.texts)
	if n > len(sources) || !slices.EqualFunc(k.texts, sources[:n], func(hash string, src loopstate.Source) bool { return hash == src.SHA256 }) {
		return 0
	}
	return n
}

// checker returns an index of the loop's texts (whole is true), or of the cited ones if all are too large.
func (s *Service) checker(ctx context.Context, loop string, sources []loopstate.Source, cited map[string]bool) (checker *keptChecker, whole bool, err error) {
	k, ok := s.checkers.get(loop)
	read := 0 // sources that need not be read again
	if ok {
		if read = k.covers(sources); read == len(sources) && len(k.texts) == read {
			return k, true, nil
		}
	}
	chars := 0
	for _, src := range sources {
		chars += src.Chars
	}
	whole = chars <= maxIndexedChars
	if !whole {
		var few []loopstate.Source
		for _, src := range sources {
			if cited[src.ID] {
				few = append(few, src)
			}
		}
		sources, read = few, 0
	}
	texts := make([]grounding.Source, len(sources)-read)
	g, loading := errgroup.WithContext(ctx)
	g.SetLimit(textLoaders)
	for i, src := range sources[read:] {
		g.Go(func() error {
			text, err := s.text(loading, src)
			if err != nil {
				return err
			}
			texts[i] = citing.Source(src, text)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, whole, fmt.Errorf("loops: index loop %s: %w", loop, err)
	}
	var earlier *grounding.Checker
	if read > 0 {
		earlier = k.checker
	}
	index, err := citing.Prepare(ctx, earlier, texts)
	if err != nil {
		return nil, whole, err
	}
	made := &keptChecker{checker: index, size: bytesPerIndex + bytesPerChar*chars, results: newKeptResults()}
	if whole {
		for _, src := range sources {
			made.texts = append(made.texts, src.SHA256)
		}
		s.checkers.remove(loop)
		s.keepChecker(loop, made)
	}
	return made, whole, nil
}

// keepChecker caches a checker by its present size.
func (s *Service) keepChecker(loop string, k *keptChecker) {
	s.checkers.keep(loop, k, k.size+k.results.bytes())
}
