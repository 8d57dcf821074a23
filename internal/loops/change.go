package loops

import (
	"context"

	"github.com/citeloop/citeloop/internal/states"
	"github.com/citeloop/citeloop/loopstate"
)

// change is how every call changes a loop, see [states.Cache.Change]. Then it writes what is new into the loop's folder, after
// the event is on disk and the turn has ended.
func (s *Service) change(ctx context.Context, loop, operation string, step states.Step, answer states.Answer) error {
	if err := s.states.Change(ctx, loop, operation, step, answer); err != nil {
		return err
	}
	s.showFolder(ctx, loop)
	return nil
}

// payloadOf returns the payload of an event. The error is CodeReused if the event has another kind of payload, because the
// caller used its operation id for another kind of call.
func payloadOf[P any](e loopstate.Event) (*P, error) {
	p, err := loopstate.Decode(e)
	if err != nil {
		return nil, err
	}
	got, ok := p.(*P)
	if !ok {
		return nil, &loopstate.Error{Code: loopstate.CodeReused, Subject: "operation", Value: e.Kind}
	}
	return got, nil
}
