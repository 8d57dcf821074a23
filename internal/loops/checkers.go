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
	// maxCheckers bounds the indexed loops kept in memory; indexing 100 texts of 30 kB again takes a third
	// of a second (measured on a prototype, two cores).
	maxCheckers = 4
	// maxIndexedChars is how much text of one loop is indexed as a whole, about 600 texts of 30 kB. Beyond
	// it only the cited sources are, and no better source is looked for.
	maxIndexedChars = 20_000_000
	// textLoaders read texts from the store at once.
	textLoaders = 4
)

// keptChecker is an index of a loop's texts. It is complete while the sources are the same: more may come, and
// a deleted loop may have been imported again.
type keptChecker struct {
	texts   []string // the hash of each source's
	checker *grounding.Checker
}

func (k keptChecker) covers(sources []loopstate.Source) bool {
	return slices.EqualFunc(k.texts, sources, func(hash string, src loopstate.Source) bool { return hash == src.SHA256 })
}

// checker indexes the loop's texts, or as many of them as fit: then only the cited ones.
func (s *Service) checker(ctx context.Context, loop string, sources []loopstate.Source, cited map[string]bool) (checker *grounding.Checker, whole bool, err error) {
	if k, ok := s.checkers.Get(loop); ok && k.covers(sources) {
		return k.checker, true, nil
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
		sources = few
	}
	texts := make([]grounding.Source, len(sources))
	g, loading := errgroup.WithContext(ctx)
	g.SetLimit(textLoaders)
	for i, src := range sources {
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
		return nil, whole, fmt.Errorf("loops: indexing loop %s: %w", loop, err)
	}
	c := grounding.NewChecker(texts)
	if whole {
		hashes := make([]string, len(sources))
		for i, src := range sources {
			hashes[i] = src.SHA256
		}
		s.checkers.Add(loop, keptChecker{hashes, c})
	}
	return c, whole, nil
}

// FoundPassage is a passage of a kept text that answers a query.
type FoundPassage struct {
	SourceID string
	Start    int
	End      int
	Text     string
	Score    float64
	Page     int // of a PDF, on which it begins; else 0
	// Flags warn of words that address a model: in the passage, or elsewhere in its source.
	Flags []string
}

// maxPassages bounds FindPassages.
const maxPassages = 50

// FindPassages ranks the passages of the loop's texts (or of some of them) by how well they answer: as many as fit
// into an answer, the best first. They count as shown to the host.
func (s *Service) FindPassages(ctx context.Context, loop, query string, sourceIDs []string, limit int) ([]FoundPassage, error) {
	if err := checkQuery(query); err != nil {
		return nil, err
	}
	if err := loopstate.CheckRange("limit", float64(limit), 0, maxPassages); err != nil {
		return nil, err
	}
	if limit == 0 {
		limit = 8
	}
	var sources []loopstate.Source
	wanted := map[string]bool{}
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		for i, id := range sourceIDs {
			if _, ok := st.SourceByID(id); !ok {
				return unreadSource(fmt.Sprintf("sources[%d]", i), id)
			}
			wanted[id] = true
		}
		sources = append(sources, st.Sources...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(sources) == 0 {
		return nil, nil
	}
	if len(wanted) == 0 {
		for _, src := range sources {
			wanted[src.ID] = true
		}
	}
	checker, _, err := s.checker(ctx, loop, sources, wanted)
	if err != nil {
		return nil, err
	}
	pages := pagesOf(sources)
	flagsAt := s.suspicions(ctx, sources)
	var out []FoundPassage
	var shown []loopstate.ShownText
	left := AnswerTokens - foundTokens
	for _, r := range checker.Find(query, sourceIDs, limit) {
		p := FoundPassage{SourceID: r.SourceID, Start: r.Start, End: r.End, Text: r.Text, Score: r.Score, Page: pages[r.SourceID].At(r.Start)}
		if p.Flags, err = flagsAt(r.Evidence); err != nil {
			return nil, err
		}
		if left -= tokensOf(p); left < 0 && len(out) > 0 {
			break
		}
		out = append(out, p)
		shown = append(shown, loopstate.ShownText{SourceID: p.SourceID, Spans: loopstate.Spans{{p.Start, p.End}}})
	}
	return out, s.enter(ctx, loop, shown)
}

// foundTokens is room for what an answer says beside the passages.
const foundTokens = 500
