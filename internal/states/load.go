package states

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/loopstate"
)

// snapshotEvery is the number of events between two snapshots of a small loop.
const snapshotEvery = 64

// catchUp updates the published state to the end of the log. The caller holds the turn. It returns unknownLoop for a loop
// that does not exist or belongs to another owner.
func (c *Cache) catchUp(ctx context.Context, l *entry) error {
	owner, err := c.Owner(ctx)
	if err != nil {
		return err
	}
	if l.state == nil {
		err = c.load(ctx, l)
	} else {
		err = c.follow(ctx, l)
	}
	if errors.Is(err, loopstate.ErrNotFound) { // deleted; another loop may have been imported under its id
		c.forget(l)
		var state *loopstate.State
		if state, err = loopstate.Fold(nil, l.counted(c.Store.Load(ctx, l.id, 0))); err == nil {
			l.publish(state)
		}
	}
	if err != nil && !errors.Is(err, loopstate.ErrNotFound) {
		return fmt.Errorf("states: load loop %s: %w", l.id, err)
	}
	if l.state == nil {
		c.forget(l)
		return UnknownLoop()
	}
	c.cacheState(l)
	if l.state.Owner != owner {
		return UnknownLoop()
	}
	return nil
}

// load publishes the state of the stored snapshot and the events after it.
func (c *Cache) load(ctx context.Context, l *entry) error {
	if uuid.Validate(l.id) != nil {
		return loopstate.ErrNotFound
	}
	state, size, err := c.storedSnapshot(ctx, l.id)
	if err != nil {
		return err
	}
	if l.json = size; state != nil {
		l.snapshot = state.Seq
	}
	if state, err = loopstate.Fold(state, l.counted(c.tail(ctx, l.id, state))); err != nil {
		return err
	}
	l.publish(state)
	return nil
}

// follow applies the events that other processes appended.
func (c *Cache) follow(ctx context.Context, l *entry) error {
	var events []loopstate.Event
	for e, err := range l.counted(c.tail(ctx, l.id, l.state)) {
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
func (l *entry) counted(events iter.Seq2[loopstate.Event, error]) iter.Seq2[loopstate.Event, error] {
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
func (c *Cache) tail(ctx context.Context, loop string, st *loopstate.State) iter.Seq2[loopstate.Event, error] {
	if st == nil {
		return c.Store.Load(ctx, loop, 0)
	}
	return func(yield func(loopstate.Event, error) bool) {
		found := false
		for e, err := range c.Store.Load(ctx, loop, st.Seq-1) {
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
func (c *Cache) storedSnapshot(ctx context.Context, loop string) (*loopstate.State, int, error) {
	snap, err := c.Store.Snapshot(ctx, loop)
	if errors.Is(err, loopstate.ErrNotFound) || (err == nil && snap.Fold != loopstate.FoldVersion) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	state, err := loopstate.UnmarshalSnapshot(snap.State)
	if err != nil || state.Seq != snap.Seq {
		c.Logger.WarnContext(ctx, "ignoring a damaged snapshot; the log has all events", "loop", loop, "error", err)
		return nil, 0, nil
	}
	return state, len(snap.State), nil
}

// snapshot stores the state if enough events followed the last snapshot. A failure loses nothing: the log has all events.
func (c *Cache) snapshot(ctx context.Context, l *entry) {
	// The cost of a write grows with the lists, so large loops are written less often.
	every := int64(snapshotEvery + len(l.state.Evidence)/64 + len(l.state.Sources)/16)
	if l.state.Seq-l.snapshot < every {
		return
	}
	data, err := l.state.MarshalSnapshot()
	if err == nil {
		writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), WriteTimeout)
		defer cancel()
		err = c.Store.PutSnapshot(writing, loopstate.Snapshot{Loop: l.id, Seq: l.state.Seq, Fold: loopstate.FoldVersion, State: data})
	}
	if err != nil {
		c.Logger.WarnContext(ctx, "writing a snapshot failed", "loop", l.id, "error", err)
		return
	}
	l.snapshot, l.json = l.state.Seq, len(data)
}

// View calls look with the current state. look must not do I/O and must not keep parts of the state.
func (c *Cache) View(ctx context.Context, loop string, look func(*loopstate.State) error) error {
	owner, err := c.Owner(ctx)
	if err != nil {
		return err
	}
	l := c.cached(loop)
	current, err := c.isCurrent(ctx, l)
	if err != nil {
		return err
	}
	for {
		if current {
			loaded, err := l.read(func(st *loopstate.State) error {
				if st.Owner != owner {
					return UnknownLoop()
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
		err := c.catchUp(ctx, l)
		l.end()
		if err != nil {
			return err
		}
		current = true
	}
}

// isCurrent reports whether the published state includes the last event of the log.
func (c *Cache) isCurrent(ctx context.Context, l *entry) (bool, error) {
	var seq int64
	loaded, _ := l.read(func(st *loopstate.State) error { seq = st.Seq; return nil })
	if !loaded {
		return false, nil
	}
	found := 0
	for e, err := range c.Store.Load(ctx, l.id, seq-1) {
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
