package loops

import (
	"context"

	"github.com/citeloop/citeloop/loopstate"
)

// ReadingQuestion is what the user is asked before a loop begins whose question can be meant in several ways.
type ReadingQuestion struct {
	Query    string   // as the host put it; may be empty
	Readings []string // what it may mean, at least two
}

// AskReading asks the user which reading of the question they mean: one of the readings, or the question in words of
// their own. Empty means that they chose nothing: they declined, did not answer, or answered something else. An error
// ends the call before a loop has begun.
type AskReading func(ctx context.Context, q ReadingQuestion) (reading string, err error)

// StartAsking is [Service.Start] for a host whose user can be asked which reading of a question they mean
// (in.Readings): the one that they choose becomes the question of the loop, and how it was put at first is kept in the
// log. Without an answer, or where ask is nil, the loop takes the question as it stands.
//
// operation recognises a repeat: the loop begins once, and nobody is asked again. It may be empty.
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
		ids = onceIDs(owner, operation, now)
		if out, found, err := s.begunBefore(ctx, operation, ids); found || err != nil {
			return out, err
		}
	}
	if err := s.roomForOne(ctx); err != nil {
		return Started{}, err
	}
	if err := s.roomFor(ctx, "query", 0); err != nil {
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
	return s.start(ctx, operation, ids, now, p)
}
