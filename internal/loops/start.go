package loops

import (
	"context"
	"errors"
	"fmt"

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
	return Started{StateID: st.Loop, AsOf: st.AsOf, Query: st.Query, Angles: loopstate.Angles(), Gaps: st.OpenGaps(),
		Remaining: st.Remaining(), Estimate: st.Estimate(), Decision: loopstate.Decide(st)}
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

// ReadingQuestion asks the user about an ambiguous question before its loop starts.
type ReadingQuestion struct {
	Query    string   // the host's; may be empty
	Readings []string // at least two possible meanings
}

// AskReading asks the user which reading of the question they mean. The answer is one of the readings, or the question in
// the user's words. It is empty if the user declined, did not answer, or gave an invalid answer. An error ends the call
// before a loop has started.
type AskReading func(ctx context.Context, q ReadingQuestion) (reading string, err error)

// StartAsking is [Service.Start], but first asks the user to choose one of in.Readings, if there are any. The choice
// becomes the question of the loop, and the log keeps the original. Without an answer, or if ask is nil, the question
// stays unchanged.
//
// A repeat with the same operation does not start another loop and does not ask again. operation may be empty.
func (s *Service) StartAsking(ctx context.Context, operation string, in loopstate.StartInput, ask AskReading) (Started, error) {
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
	if ask != nil && len(p.Readings) > 0 {
		reading, err := ask(ctx, ReadingQuestion{Query: p.Query, Readings: p.Readings})
		if err != nil {
			return Started{}, err
		}
		if reading != "" {
			asked := p.Query
			in.Query = reading
			if p, err = loopstate.Start(in, owner, now); err != nil {
				return Started{}, err
			}
			p.AskedAs = asked
		}
	}
	out, err := s.start(ctx, operation, ids, p)
	if err == nil {
		out.Folder = s.showFolder(ctx, out.StateID)
	}
	return out, err
}
