package loops

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/citeloop/citeloop/loopstate"
)

// step returns the payload of a change, or nil for none. It must do no I/O, make no call on the loop and keep no part of the state.
type step func(*loopstate.State) (loopstate.Payload, error)

// withTexts is a payload with the texts that it names, which are written together with its event.
type withTexts struct {
	loopstate.Payload
	texts [][]byte
}

// change appends the event of a step from the current state, and calls then with the state after it and the event's payload, which is
// nil if nothing was appended. then is bound like a step. The loop's folder is written after the answer.
//
// operation identifies a repeated call: if the log has its event, nothing is appended, and then gets that event. Without one, no call
// repeats another. The error is CodeReused if the event is of another kind of call, or of one with other arguments than request.
func change[P any](ctx context.Context, s *Service, loop, operation, request string, next step,
	then func(*loopstate.State, *P, loopstate.Event) error) error {
	if err := checkOperation(operation); err != nil {
		return err
	}
	operation = cmp.Or(operation, s.NewID())
	err := s.own(ctx, loop, func(l *cached) error {
		e, err := s.once(ctx, loop, operation, l, next)
		if err != nil {
			return err
		}
		var p *P
		if e.Seq > 0 {
			known, err := loopstate.Decode(e)
			if err != nil {
				return err
			}
			var ok bool
			if p, ok = any(known).(*P); !ok {
				return &loopstate.Error{Code: loopstate.CodeReused, Subject: "operation", Value: e.Kind}
			}
		}
		if call, ok := any(p).(interface{ Repeats(string) bool }); ok && p != nil && !call.Repeats(request) {
			return &loopstate.Error{Code: loopstate.CodeReused, Subject: "operation", Value: "the arguments differ; use a new operation_id"}
		}
		return then(l.state, p, e)
	})
	if err == nil {
		s.folderChanged(ctx, loop)
	}
	return err
}

// once returns the event of an operation: the one that the log has, or else that of the step, which is repeated while other processes
// are faster. It is zero if the step has no payload.
func (s *Service) once(ctx context.Context, loop, operation string, l *cached, next step) (e loopstate.Event, err error) {
	for range maxConflicts {
		if seq, ok := l.state.Ops[operation]; ok {
			for e, err := range s.Store.Load(ctx, loop, seq-1) {
				return e, err
			}
			return e, unknownLoop() // deleted in the meantime
		}
		p, err := next(l.state)
		if err != nil || p == nil {
			return e, err
		}
		if e, err := s.append(ctx, loop, l, operation, p); !errors.Is(err, loopstate.ErrConflict) {
			return e, err
		}
		if err := s.catchUp(ctx, loop, l); err != nil {
			return e, err
		}
		if l.state == nil {
			return e, unknownLoop()
		}
	}
	return e, &loopstate.Error{Code: loopstate.CodeBusy, Subject: "loop", Value: loop}
}

// append applies an event and writes it with its texts, for a call that is alone. After an error the state is loaded again.
func (s *Service) append(ctx context.Context, loop string, l *cached, operation string, p loopstate.Payload) (loopstate.Event, error) {
	var texts [][]byte
	if with, ok := p.(withTexts); ok {
		p, texts = with.Payload, with.texts
	}
	seq, state := int64(1), l.state
	if state != nil {
		seq = state.Seq + 1
	}
	e, err := loopstate.NewEvent(loop, seq, s.Now(), operation, p)
	if err != nil {
		return e, err
	}
	l.state = nil
	if state, err = loopstate.Apply(state, e); err != nil {
		return e, err
	}
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	if err := s.Store.Append(writing, state.Head(), seq-1, []loopstate.Event{e}, texts...); err != nil {
		return e, err
	}
	l.state = state
	s.remember(loop, l)
	return e, nil
}

// asked identifies the arguments of a call.
func asked(in any) string {
	encoded, _ := json.Marshal(in) // inputs are data
	return loopstate.HashText(encoded).String()[:16]
}

// maxOperationBytes bounds an operation id. The longest ids of clients are UUIDs with a prefix.
const maxOperationBytes = 200

// checkOperation returns an error for an operation id that cannot be kept.
func checkOperation(operation string) error {
	if n := len(operation); n > maxOperationBytes {
		return &loopstate.Error{Code: loopstate.CodeTooLong, Subject: "operation", Got: int64(n), Limit: maxOperationBytes, Unit: "bytes"}
	}
	if !loopstate.Keepable(operation) {
		return &loopstate.Error{Code: loopstate.CodeNotText, Subject: "operation"}
	}
	return nil
}
