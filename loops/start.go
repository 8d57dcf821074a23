package loops

import (
	"context"
	"fmt"

	"github.com/citeloop/citeloop/loopstate"
)

// Started is the answer to Start.
type Started struct {
	StateID   string
	AsOf      string
	Angles    []loopstate.Angle
	Gaps      []loopstate.Gap
	Remaining loopstate.Remaining
	Decision  loopstate.Decision
}

// Start makes a loop.
func (s *Service) Start(ctx context.Context, in loopstate.StartInput) (Started, error) {
	now := s.Now()
	p, err := loopstate.Start(in, OwnerOf(ctx), now)
	if err != nil {
		return Started{}, err
	}
	id := s.NewID()
	e, err := loopstate.NewEvent(id, 1, now, s.NewID(), p)
	if err != nil {
		return Started{}, err
	}
	l := s.cache.acquire(id)
	defer s.cache.release(l)
	if err := s.append(ctx, l, e); err != nil {
		return Started{}, fmt.Errorf("loops: starting a loop: %w", err)
	}
	return Started{StateID: id, AsOf: p.AsOf, Angles: loopstate.Angles(), Gaps: l.state.OpenGaps(),
		Remaining: l.state.Remaining(), Decision: loopstate.Decide(l.state)}, nil
}
