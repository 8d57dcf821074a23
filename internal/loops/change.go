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
	// appendTimeout bounds one write. The caller's context does not cancel a write that has started, so that a cancelled
	// call has a known outcome.
	appendTimeout = 10 * time.Second
	// maxConflicts is how often a step is repeated after another process was faster. Each time, at least one competitor
	// succeeds.
	maxConflicts = 64
	// snapshotEvery is the number of events between two snapshots of a small loop.
	snapshotEvery = 64
)

// maxOperationBytes bounds an operation id. The longest ids of clients are UUIDs with a prefix.
const maxOperationBytes = 200

func checkOperation(operation string) error {
	if n := len(operation); n > maxOperationBytes {
		return &loopstate.Error{Code: loopstate.CodeTooLong, Subject: "operation", Got: int64(n), Limit: maxOperationBytes, Unit: "bytes"}
	}
	if !loopstate.Keepable(operation) {
		return &loopstate.Error{Code: loopstate.CodeNotText, Subject: "operation"}
	}
	return nil
}

// change is how every call changes a loop: read the state, take a step, append its event, answer.
//
// step returns the payload to append, or nil for no change. answer gets the new state and the event (zero if nothing was
// appended); it must not keep slices of the state. operation identifies a repeated call: if the log has its event, nothing
// is appended, and answer gets that event.
//
// Then it writes what is new into the loop's folder, after the event is on disk and the turn has ended.
func (s *Service) change(ctx context.Context, loop, operation string, step func(*loopstate.State) (loopstate.Payload, error), answer func(*loopstate.State, loopstate.Event) error) error {
	if err := s.record(ctx, loop, operation, step, answer); err != nil {
		return err
	}
	s.showFolder(ctx, loop)
	return nil
}

// record is change without the folder.
func (s *Service) record(ctx context.Context, loop, operation string, step func(*loopstate.State) (loopstate.Payload, error), answer func(*loopstate.State, loopstate.Event) error) error {
	if err := checkOperation(operation); err != nil {
		return err
	}
	if operation == "" {
		operation = s.NewID()
	}
	l := s.cached(loop)
	if err := l.begin(ctx); err != nil {
		return err
	}
	defer l.end()
	for range maxConflicts {
		if err := s.catchUp(ctx, l); err != nil {
			return err
		}
		if seq, ok := l.state.Ops[operation]; ok {
			e, err := s.event(ctx, loop, seq)
			if errors.Is(err, loopstate.ErrNotFound) { // being deleted; the next catchUp notices
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
		var texts [][]byte
		if with, ok := p.(withTexts); ok {
			p, texts = with.Payload, with.texts
		}
		at := s.Now()
		if shown, ok := p.(loopstate.Shown); ok && len(shown.Shown) == 0 { // a count of calls changes nothing of the loop
			at = l.state.UpdatedAt
		}
		e, err := loopstate.NewEvent(loop, l.state.Seq+1, at, operation, p)
		if err != nil {
			return err
		}
		err = s.append(ctx, l, e, texts)
		if errors.Is(err, loopstate.ErrConflict) || errors.Is(err, loopstate.ErrOperationDone) {
			continue
		}
		if err != nil {
			return err
		}
		s.snapshot(ctx, l)
		s.cacheState(l)
		return answer(l.state, e)
	}
	return &loopstate.Error{Code: loopstate.CodeBusy, Subject: "loop", Value: loop}
}

// withTexts is a payload with the texts that it names, which are written together with its event.
type withTexts struct {
	loopstate.Payload
	texts [][]byte
}

// append writes e and its texts, and then publishes the new state. Readers see the old state in the meantime.
func (s *Service) append(ctx context.Context, l *cachedLoop, e loopstate.Event, texts [][]byte) (err error) {
	if err := s.checkLargeSpace(ctx, "request", len(e.Data)); err != nil {
		return err
	}
	draft := l.draft
	if l.draft = nil; draft == nil { // stays nil after an error
		if draft, err = stateCopy(l.state); err != nil {
			return err
		}
	}
	if draft, err = loopstate.Apply(draft, e); err != nil {
		return err
	}
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), appendTimeout)
	defer cancel()
	if err := s.Store.Append(writing, draft.Head(), e.Seq-1, []loopstate.Event{e}, texts...); err != nil {
		return err
	}
	l.draft = draft
	l.json += len(e.Data)
	return l.advance(e)
}

// view calls look with the current state. look must not do I/O and must not keep parts of the state.
func (s *Service) view(ctx context.Context, loop string, look func(*loopstate.State) error) error {
	owner, err := s.owner(ctx)
	if err != nil {
		return err
	}
	l := s.cached(loop)
	current, err := s.isCurrent(ctx, l)
	if err != nil {
		return err
	}
	for {
		if current {
			loaded, err := l.read(func(st *loopstate.State) error {
				if st.Owner != owner {
					return unknownLoop()
				}
				return look(st)
			})
			if loaded {
				return err
			} // else another call found the loop deleted or damaged
		}
		if err := l.begin(ctx); err != nil {
			return err
		}
		err := s.catchUp(ctx, l)
		l.end()
		if err != nil {
			return err
		}
		current = true
	}
}

// isCurrent reports whether the published state includes the last event of the log.
func (s *Service) isCurrent(ctx context.Context, l *cachedLoop) (bool, error) {
	var seq int64
	loaded, _ := l.read(func(st *loopstate.State) error { seq = st.Seq; return nil })
	if !loaded {
		return false, nil
	}
	found := 0
	for e, err := range s.Store.Load(ctx, l.id, seq-1) {
		if err != nil {
			return false, err
		}
		known := false
		_, _ = l.read(func(st *loopstate.State) error { known = isLast(st, e); return nil })
		if found++; found > 1 || !known {
			return false, nil
		}
	}
	return found == 1, nil
}

// catchUp updates the published state to the end of the log. The caller holds the turn. It returns unknownLoop for a loop
// that does not exist or belongs to another owner.
func (s *Service) catchUp(ctx context.Context, l *cachedLoop) error {
	owner, err := s.owner(ctx)
	if err != nil {
		return err
	}
	if l.state == nil {
		err = s.load(ctx, l)
	} else {
		err = s.follow(ctx, l)
	}
	if errors.Is(err, loopstate.ErrNotFound) { // deleted; another loop may have been imported under its id
		s.forget(l)
		var state *loopstate.State
		if state, err = loopstate.Fold(nil, l.counted(s.Store.Load(ctx, l.id, 0))); err == nil {
			l.publish(state)
		}
	}
	if err != nil && !errors.Is(err, loopstate.ErrNotFound) {
		return fmt.Errorf("loops: load loop %s: %w", l.id, err)
	}
	if l.state == nil {
		s.forget(l)
		return unknownLoop()
	}
	s.cacheState(l)
	if l.state.Owner != owner {
		return unknownLoop()
	}
	return nil
}

// load publishes the state of the stored snapshot and the events after it.
func (s *Service) load(ctx context.Context, l *cachedLoop) error {
	if uuid.Validate(l.id) != nil {
		return loopstate.ErrNotFound
	}
	state, size, err := s.storedSnapshot(ctx, l.id)
	if err != nil {
		return err
	}
	if l.json = size; state != nil {
		l.snapshot = state.Seq
	}
	if state, err = loopstate.Fold(state, l.counted(s.tail(ctx, l.id, state))); err != nil {
		return err
	}
	l.publish(state)
	return nil
}

// follow applies the events that other processes appended.
func (s *Service) follow(ctx context.Context, l *cachedLoop) error {
	var events []loopstate.Event
	for e, err := range l.counted(s.tail(ctx, l.id, l.state)) {
		if err != nil {
			return err
		}
		events = append(events, e)
	}
	if len(events) == 0 {
		return nil
	}
	l.draft = nil
	return l.advance(events...)
}

// counted adds the size of the events to the loop's.
func (l *cachedLoop) counted(events iter.Seq2[loopstate.Event, error]) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		for e, err := range events {
			l.json += len(e.Data)
			if !yield(e, err) {
				return
			}
		}
	}
}

// tail yields the events after a state. It reads the state's last event again, to distinguish the end of the log from a
// deleted loop: if that event is missing or differs, it yields ErrNotFound.
func (s *Service) tail(ctx context.Context, loop string, st *loopstate.State) iter.Seq2[loopstate.Event, error] {
	if st == nil {
		return s.Store.Load(ctx, loop, 0)
	}
	return func(yield func(loopstate.Event, error) bool) {
		found := false
		for e, err := range s.Store.Load(ctx, loop, st.Seq-1) {
			switch {
			case found || err != nil:
				if !yield(e, err) {
					return
				}
			case !isLast(st, e):
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

// isLast reports whether e is the last event of a state.
func isLast(st *loopstate.State, e loopstate.Event) bool {
	began, ok := st.Ops[e.Op]
	return ok && began <= e.Seq && e.Seq == st.Seq && e.At.Equal(st.UpdatedAt)
}

// storedSnapshot returns the loop's last snapshot and its size in bytes, or nil if no usable one exists.
func (s *Service) storedSnapshot(ctx context.Context, loop string) (*loopstate.State, int, error) {
	snap, err := s.Store.Snapshot(ctx, loop)
	if errors.Is(err, loopstate.ErrNotFound) || (err == nil && snap.Fold != loopstate.FoldVersion) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	state, err := loopstate.UnmarshalSnapshot(snap.State)
	if err != nil || state.Seq != snap.Seq {
		s.Logger.WarnContext(ctx, "ignoring a damaged snapshot; the log has all events", "loop", loop, "error", err)
		return nil, 0, nil
	}
	return state, len(snap.State), nil
}

// snapshot stores the state if enough events followed the last snapshot. A failure loses nothing: the log has all events.
func (s *Service) snapshot(ctx context.Context, l *cachedLoop) {
	// The cost of a write grows with the lists, so large loops are written less often.
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
		s.Logger.WarnContext(ctx, "writing a snapshot failed", "loop", l.id, "error", err)
		return
	}
	l.snapshot, l.json = l.state.Seq, len(data)
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
