package loops

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/loopstate"
)

const (
	// appendTimeout bounds one write. It is not tied to the caller's context: a write that has begun is
	// finished or fails by itself, so that a cancelled call leaves no doubt behind.
	appendTimeout = 10 * time.Second
	// maxConflicts is how often a step is taken again after another process was faster. Each time at least
	// one of the competitors got through.
	maxConflicts = 64
	// snapshotEvery events a snapshot is written, more rarely for large loops: see snapshotDue.
	snapshotEvery = 64
)

// maxOperationBytes bounds an operation id; the longest that clients make are UUIDs with a prefix.
const maxOperationBytes = 200

func checkOperation(operation string) error {
	if n := len(operation); n > maxOperationBytes {
		return &loopstate.Error{Code: loopstate.CodeTooLong, Subject: "operation", Got: int64(n), Limit: maxOperationBytes, Unit: "bytes"}
	}
	return nil
}

// change is the way every call changes a loop: look at the state, take a step, append its event, answer.
//
// step returns the payload to append, or nil when there is nothing to change. answer is called with the
// state after it and the event (zero when nothing was appended); what it returns must not alias the
// state's own slices. operation recognises a repeated call: its event is found in the log, nothing is
// appended, and the answer is made from that event.
func (s *Service) change(ctx context.Context, loop, operation string, step func(*loopstate.State) (loopstate.Payload, error), answer func(*loopstate.State, loopstate.Event) error) error {
	if err := checkOperation(operation); err != nil {
		return err
	}
	if operation == "" {
		operation = s.NewID()
	}
	l := s.cache.acquire(loop)
	defer s.cache.release(l)
	for range maxConflicts {
		if err := s.catchUp(ctx, l); err != nil {
			return err
		}
		if seq, ok := l.state.Ops[operation]; ok {
			e, err := s.event(ctx, loop, seq)
			if errors.Is(err, loopstate.ErrNotFound) { // the loop is being deleted; the next look finds it gone
				continue
			}
			if err != nil {
				return err
			}
			return answer(l.state, e)
		}
		p, err := step(l.state)
		if err != nil {
			return err
		}
		if p == nil {
			return answer(l.state, loopstate.Event{})
		}
		e, err := loopstate.NewEvent(loop, l.state.Seq+1, s.Now(), operation, p)
		if err != nil {
			return err
		}
		err = s.append(ctx, l, e)
		if errors.Is(err, loopstate.ErrConflict) || errors.Is(err, loopstate.ErrOperationDone) {
			continue
		}
		if err != nil {
			return err
		}
		s.snapshot(ctx, l)
		return answer(l.state, e)
	}
	return &loopstate.Error{Code: loopstate.CodeBusy, Subject: "loop", Value: loop}
}

// append folds e into the cached state and writes it. When the write fails, the cached state is ahead of
// the log and is thrown away.
func (s *Service) append(ctx context.Context, l *cachedLoop, e loopstate.Event) error {
	if err := s.roomForLarge(ctx, "request", len(e.Data)); err != nil {
		return err
	}
	next, err := loopstate.Apply(l.state, e)
	if err != nil {
		l.state = nil
		return err
	}
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), appendTimeout)
	defer cancel()
	if err := s.Store.Append(writing, next.Head(), e.Seq-1, []loopstate.Event{e}); err != nil {
		l.state = nil
		return err
	}
	l.state = next
	return nil
}

// view lets look read the state. Nothing of it may be kept.
func (s *Service) view(ctx context.Context, loop string, look func(*loopstate.State) error) error {
	l := s.cache.acquire(loop)
	defer s.cache.release(l)
	if err := s.catchUp(ctx, l); err != nil {
		return err
	}
	return look(l.state)
}

// catchUp brings the cached state to the end of the log, and answers unknownLoop for a loop that is not
// there or not the caller's.
func (s *Service) catchUp(ctx context.Context, l *cachedLoop) error {
	owner, err := s.owner(ctx)
	if err != nil {
		return err
	}
	if l.state == nil {
		if uuid.Validate(l.id) != nil {
			return unknownLoop()
		}
		if err := s.loadSnapshot(ctx, l); err != nil {
			return err
		}
	}
	state, err := loopstate.Fold(l.state, s.tail(ctx, l))
	if errors.Is(err, loopstate.ErrNotFound) { // what is remembered was deleted; under its id may stand what was imported since
		s.forget(l)
		state, err = loopstate.Fold(nil, s.Store.Load(ctx, l.id, 0))
	}
	if err != nil && !errors.Is(err, loopstate.ErrNotFound) {
		l.state = nil
		return fmt.Errorf("loops: loading loop %s: %w", l.id, err)
	}
	if state == nil || err != nil {
		s.forget(l)
		return unknownLoop()
	}
	l.state = state
	if state.Owner != owner {
		return unknownLoop()
	}
	return nil
}

// tail yields what the state does not know of the log. It reads the state's last event once more, because a
// log that ends there looks like one that is gone: where another event stands, or none, it fails with
// ErrNotFound.
func (s *Service) tail(ctx context.Context, l *cachedLoop) iter.Seq2[loopstate.Event, error] {
	if l.state == nil {
		return s.Store.Load(ctx, l.id, 0)
	}
	return func(yield func(loopstate.Event, error) bool) {
		found := false
		for e, err := range s.Store.Load(ctx, l.id, l.state.Seq-1) {
			switch {
			case found || err != nil:
				if !yield(e, err) {
					return
				}
			case !isLast(l.state, e):
				yield(e, loopstate.ErrNotFound)
				return
			default:
				found = true
			}
		}
		if !found {
			yield(loopstate.Event{}, loopstate.ErrNotFound)
		}
	}
}

// isLast reports whether e is the event that a state ends with.
func isLast(st *loopstate.State, e loopstate.Event) bool {
	began, ok := st.Ops[e.Op]
	return ok && began <= e.Seq && e.Seq == st.Seq && e.At.Equal(st.UpdatedAt)
}

func (s *Service) loadSnapshot(ctx context.Context, l *cachedLoop) error {
	snap, err := s.Store.Snapshot(ctx, l.id)
	if errors.Is(err, loopstate.ErrNotFound) || (err == nil && snap.Fold != loopstate.FoldVersion) {
		return nil
	}
	if err != nil {
		return err
	}
	state, err := loopstate.UnmarshalSnapshot(snap.State)
	if err != nil || state.Seq != snap.Seq {
		s.Logger.WarnContext(ctx, "ignoring a damaged snapshot; the log is the truth", "loop", l.id, "error", err)
		return nil
	}
	l.state, l.snapshot = state, snap.Seq
	return nil
}

// snapshot keeps the state when enough happened since the last time. Failing to is no loss: the log is
// the truth.
func (s *Service) snapshot(ctx context.Context, l *cachedLoop) {
	// Writing a state costs about as much as its lists are long, so large loops do it more rarely.
	every := int64(snapshotEvery + len(l.state.Evidence)/64 + len(l.state.Sources)/16)
	if l.state.Seq-l.snapshot < every {
		return
	}
	data, err := l.state.MarshalSnapshot()
	if err == nil {
		writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), appendTimeout)
		defer cancel()
		err = s.Store.PutSnapshot(writing, loopstate.Snapshot{Loop: l.id, Seq: l.state.Seq, Fold: loopstate.FoldVersion, State: data})
	}
	if err != nil {
		s.Logger.WarnContext(ctx, "no snapshot was written", "loop", l.id, "error", err)
		return
	}
	l.snapshot = l.state.Seq
}

// event reads one event of the log.
func (s *Service) event(ctx context.Context, loop string, seq int64) (loopstate.Event, error) {
	for e, err := range s.Store.Load(ctx, loop, seq-1) {
		if err != nil {
			return e, err
		}
		return e, nil
	}
	return loopstate.Event{}, fmt.Errorf("loops: event %d of loop %s: %w", seq, loop, loopstate.ErrNotFound)
}

// payloadOf reads the payload that an event of this call's kind carries. An operation id that was used
// for another kind of call is the caller's mistake.
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
