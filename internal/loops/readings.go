package loops

import (
	"context"

	"github.com/citeloop/citeloop/internal/states"
	"github.com/citeloop/citeloop/loopstate"
)

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
	if err := states.CheckOperation(operation); err != nil {
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
		ids = onceIDs(owner, operation, now)
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
	out, err := s.start(ctx, operation, ids, now, p)
	if err == nil {
		out.Folder = s.showFolder(ctx, out.StateID)
	}
	return out, err
}
