package loops

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// Started is the result of Start.
type Started struct {
	StateID   string
	AsOf      string
	Query     string // the reading that the user chose, if any
	Angles    []loopstate.Angle
	Gaps      []loopstate.Gap
	Remaining loopstate.Remaining
	Estimate  loopstate.Estimate
	Decision  loopstate.Decision
	Folder    string // path of the loop's folder, or ""
}

// Start starts a loop.
func (s *Service) Start(ctx context.Context, in loopstate.StartInput) (Started, error) {
	return s.StartAsking(ctx, "", in, nil)
}

// start starts a loop with the first id. A repeat of the operation may have started it with one of the others.
func (s *Service) start(ctx context.Context, operation string, ids []string, now time.Time, p loopstate.Started) (Started, error) {
	op := operation
	if op == "" {
		op = s.NewID()
	}
	e, err := loopstate.NewEvent(ids[0], 1, now, op, p)
	if err != nil {
		return Started{}, err
	}
	var out Started
	err = s.states.Start(ctx, e, func(st *loopstate.State) { out = startedAs(st) })
	if operation != "" && (errors.Is(err, loopstate.ErrConflict) || errors.Is(err, loopstate.ErrOperationDone)) {
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
	return Started{StateID: st.Loop, AsOf: st.AsOf, Query: st.Query, Angles: loopstate.Angles(), Gaps: st.OpenGaps(),
		Remaining: st.Remaining(), Estimate: st.Estimate(), Decision: loopstate.Decide(st)}
}

// checkLoopLimit returns an error if the owner has the maximum number of loops. The limit is not exact: concurrent calls may
// exceed it.
func (s *Service) checkLoopLimit(ctx context.Context) error {
	owner, err := s.owner(ctx)
	if err != nil || s.MaxLoops == 0 || owner == LocalOwner {
		return err
	}
	heads, err := s.Store.Loops(ctx, owner)
	if err != nil {
		return fmt.Errorf("loops: count the loops of %s: %w", owner, err)
	}
	if len(heads) >= s.MaxLoops {
		return &loopstate.Error{Code: loopstate.CodeTooManyLoops, Subject: "query", Value: owner, Got: int64(len(heads)), Limit: int64(s.MaxLoops)}
	}
	return nil
}
