package loops

import (
	"context"
	"slices"

	"github.com/citeloop/citeloop/internal/views"
	"github.com/citeloop/citeloop/loopstate"
)

// Detail returns a loop as it is now (round 0), or as it was at the end of a round.
func (s *Service) Detail(ctx context.Context, loop string, round int) (LoopDetail, error) {
	var p LoopDetail
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		p.Closed, p.Imported = st.Round, views.ImportOf(st)
		if round == 0 {
			p.From(st)
		}
		return nil
	})
	if err != nil || round == 0 {
		return p, err
	}
	return p, s.viewAt(ctx, loop, round, func(st *loopstate.State) error { p.From(st); return nil })
}

// ShownOf returns the parts of a source's text that the host was shown. The call itself does not count as showing.
func (s *Service) ShownOf(ctx context.Context, loop, id string) (loopstate.Spans, error) {
	var shown loopstate.Spans
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		shown = slices.Clone(st.ShownOf(id))
		return nil
	})
	return shown, err
}
