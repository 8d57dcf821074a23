package loops

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Started is the result of Start.
type Started struct {
	StateID   string
	AsOf      string
	Angles    []loopstate.Angle
	Gaps      []loopstate.Gap
	Remaining loopstate.Remaining
	Decision  wording.Decision
	Folder    string // path of the loop's folder, or ""
}

// Start starts a loop.
func (s *Service) Start(ctx context.Context, in loopstate.StartInput) (Started, error) {
	return s.StartOnce(ctx, "", in)
}

// StartOnce is [Service.Start], which a repeat with the same operation and question does not do again. operation may be empty.
func (s *Service) StartOnce(ctx context.Context, operation string, in loopstate.StartInput) (out Started, err error) {
	if err := checkOperation(operation); err != nil {
		return out, err
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return out, err
	}
	p, err := loopstate.Start(in, owner, s.Now())
	if err != nil {
		return out, err
	}
	look := func(st *loopstate.State) error {
		out = Started{StateID: st.Loop, AsOf: st.AsOf, Angles: loopstate.Angles(), Gaps: st.OpenGaps(), Remaining: st.Remaining(),
			Decision: wording.DecisionOf(st)}
		return nil
	}
	id := s.NewID()
	if operation != "" {
		id = loopID(owner, operation, in.Query)
		if err = s.view(ctx, id, look); err == nil || !loopstate.Has(err, loopstate.CodeUnknownLoop) {
			out.Folder = s.showFolder(ctx, out.StateID)
			return out, err
		}
	}
	if err := cmp.Or(s.checkLoopLimit(ctx), s.checkSpace(ctx, "query", 0)); err != nil {
		return out, err
	}
	err = s.states.start(ctx, id, cmp.Or(operation, s.NewID()), p, look)
	if operation != "" && errors.Is(err, loopstate.ErrConflict) { // a concurrent repeat was faster
		err = s.view(ctx, id, look)
	}
	if err != nil {
		return Started{}, fmt.Errorf("loops: start a loop: %w", err)
	}
	out.Folder = s.showFolder(ctx, out.StateID)
	return out, nil
}
