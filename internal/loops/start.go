package loops

import (
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

// start starts a loop with the first id. A repeat of the operation may have started it with one of the others.
func (s *Service) start(ctx context.Context, operation string, ids []string, p loopstate.Started) (Started, error) {
	op := operation
	if op == "" {
		op = s.NewID()
	}
	var out Started
	err := s.states.start(ctx, ids[0], op, p, func(st *loopstate.State) { out = startedAs(st) })
	if operation != "" && errors.Is(err, loopstate.ErrConflict) {
		// A concurrent repeat was faster.
		if out, found, err := s.startedBefore(ctx, operation, ids); found || err != nil {
			return out, err
		}
	}
	if err != nil {
		return Started{}, fmt.Errorf("loops: start a loop: %w", err)
	}
	return out, nil
}

func startedAs(st *loopstate.State) Started {
	return Started{StateID: st.Loop, AsOf: st.AsOf, Angles: loopstate.Angles(), Gaps: st.OpenGaps(),
		Remaining: st.Remaining(), Decision: wording.DecisionOf(st)}
}

// startedBefore finds the loop that an operation has already started.
func (s *Service) startedBefore(ctx context.Context, operation string, ids []string) (out Started, found bool, err error) {
	for _, id := range ids {
		err := s.view(ctx, id, func(st *loopstate.State) error {
			if found = st.Ops[operation] == 1; found {
				out = startedAs(st)
			}
			return nil
		})
		if found || err != nil && !loopstate.Has(err, loopstate.CodeUnknownLoop) {
			return out, found, err
		}
	}
	return out, false, nil
}

// StartOnce is [Service.Start], which a repeat with the same operation does not do again. operation may be empty.
func (s *Service) StartOnce(ctx context.Context, operation string, in loopstate.StartInput) (Started, error) {
	if err := checkOperation(operation); err != nil {
		return Started{}, err
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return Started{}, err
	}
	now := s.Now()
	p, err := loopstate.Start(in, owner, now)
	if err != nil {
		return Started{}, err
	}
	ids := []string{s.NewID()}
	if operation != "" {
		ids = loopIDs(owner, operation, now)
		if out, found, err := s.startedBefore(ctx, operation, ids); found || err != nil {
			out.Folder = s.showFolder(ctx, out.StateID)
			return out, err
		}
	}
	if err := s.checkLoopLimit(ctx); err != nil {
		return Started{}, err
	}
	if err := s.checkSpace(ctx, "query", 0); err != nil {
		return Started{}, err
	}
	out, err := s.start(ctx, operation, ids, p)
	if err == nil {
		out.Folder = s.showFolder(ctx, out.StateID)
	}
	return out, err
}
