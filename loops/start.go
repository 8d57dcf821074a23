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
	if err := s.roomForOne(ctx); err != nil {
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

// roomForOne refuses an owner who has as many loops as one may have. Two calls at once may both find room for
// the last one: the limit is there to stop what runs away, not to be exact.
func (s *Service) roomForOne(ctx context.Context) error {
	owner := OwnerOf(ctx)
	if s.MaxLoops == 0 || owner == LocalOwner {
		return nil
	}
	heads, err := s.Store.Loops(ctx, owner)
	if err != nil {
		return fmt.Errorf("loops: counting the loops of %s: %w", owner, err)
	}
	if len(heads) >= s.MaxLoops {
		return &loopstate.ArgumentError{Argument: "query", Problem: fmt.Sprintf("cannot be begun: you have %d loops, as many as one owner may have on this server", len(heads)), Next: "go on with one of them (loop_list shows them), or ask whoever runs the server to delete some"}
	}
	return nil
}
