package loops

import (
	"context"
	"strings"

	"github.com/citeloop/citeloop/internal/views"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// maxQuotedChars bounds the passages of a contradiction: a few sentences.
	maxQuotedChars = 1_000
	// maxQuotedSides bounds the quoted sources of a contradiction.
	maxQuotedSides = 8
)

// quoteContradictions adds to each contradiction the best passage of each cited source on its topic.
func (s *Service) quoteContradictions(ctx context.Context, loop string, in []loopstate.ContradictionInput) error {
	cited := map[string]bool{}
	for i := range in {
		in[i].Passages = nil
		for _, id := range in[i].SourceIDs {
			cited[id] = true
		}
	}
	if len(cited) == 0 {
		return nil
	}
	var sources []loopstate.Source
	known := map[string]bool{}
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		sources = append(sources, st.Sources...)
		for id := range cited {
			_, known[id] = st.SourceByID(id)
		}
		return nil
	})
	if err != nil {
		return err
	}
	index, err := s.index(ctx, loop, sources, cited)
	if err != nil {
		return err
	}
	pages := pagesOf(sources)
	for i, x := range in {
		query := strings.TrimSpace(x.Topic + " " + x.Resolution)
		for _, id := range views.FirstOf(x.SourceIDs, maxQuotedSides) {
			if !known[id] { // the step returns the error
				continue
			}
			for _, hit := range index.Search(query, 1, views.Among([]string{id})) {
				p := hit.Passage
				text := []rune(p.Text)
				text = text[:min(len(text), maxQuotedChars)]
				in[i].Passages = append(in[i].Passages, loopstate.Quoted{SourceID: id, Start: p.Start, End: p.Start + len(text), Text: string(text), Page: pages[id].At(p.Start)})
			}
		}
	}
	return nil
}
