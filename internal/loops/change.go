package loops

import (
	"context"

	"github.com/citeloop/citeloop/loopstate"
)

// change is how every call changes a loop, see [cache.change]. The loop's folder is written after the answer.
func (s *Service) change(ctx context.Context, loop, operation string, next step, then answer) error {
	if err := s.states.change(ctx, loop, operation, next, then); err != nil {
		return err
	}
	s.folderChanged(ctx, loop)
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
