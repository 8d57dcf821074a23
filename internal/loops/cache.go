package loops

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"github.com/citeloop/citeloop/internal/bounded"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	maxStateBytes = 32 << 20         // of states in memory; an evicted loop is loaded again from its log
	bytesPerState = 8 << 10          // of an empty state
	bytesPerData  = 4                // of a state for each byte of its events
	writeTimeout  = 10 * time.Second // of one write, which the caller's context does not cancel: its outcome is known
	turnTimeout   = 20 * time.Second // of the wait for other calls on the same loop; a call ends within 25 s
	maxConflicts  = 64               // repeated steps after another process was faster
	everyone      = 1 << 20          // the weight of a change, which runs alone; a view has 1
)

// cache holds the states of the last used loops. The log of the store decides: before each use a state is brought up to the end
// of its log, and of two processes that append at the same time one repeats its step.
type cache struct {
	*Config
	owner    func(context.Context) (string, error)
	mayWrite func(ctx context.Context, p loopstate.Payload, bytes int) error
	forgot   func(loop string)
	loops    *bounded.Cache[string, *cached]
	outside  atomic.Int64 // appends by entries that were not in the cache
}

// cached is the state of a loop. Views share the turn, and a change has it alone until its event is on disk. After an eviction, a
// loop may have two entries, which behave like two processes.
type cached struct {
	id      string
	turn    *semaphore.Weighted
	state   *loopstate.State // nil: not loaded
	version atomic.Int64     // of the store when the state had all of the log; 0: unknown
	bytes   int              // of the events in state
}

func newCached(loop string) *cached { return &cached{id: loop, turn: semaphore.NewWeighted(everyone)} }

// step returns the payload of a change, or nil. answer looks at the state after it, with the event (zero if none was appended).
// They must do no I/O, make no call on the loop and keep no part of the state.
type (
	step   func(*loopstate.State) (loopstate.Payload, error)
	answer func(*loopstate.State, loopstate.Event) error
)

// withTexts is a payload with the texts that it names, which are written together with its event.
type withTexts struct {
	loopstate.Payload
	texts [][]byte
}

// unknownLoop is the error for malformed ids, unknown loops, and loops of other owners, so that callers cannot distinguish
// them.
func unknownLoop() error {
	return &loopstate.Error{Code: loopstate.CodeUnknownLoop, Subject: "loop"}
}

// view calls look with the current state. look is bound like a step.
func (c *cache) view(ctx context.Context, loop string, look func(*loopstate.State) error) error {
	l, leave, err := c.enter(ctx, loop, 1)
	if err != nil {
		return err
	}
	if missing, gone, err := c.missing(ctx, l); err != nil || gone || len(missing) > 0 {
		leave()
		return c.alone(ctx, loop, func(l *cached) error { return look(l.state) })
	}
	defer leave()
	if err := c.mayUse(ctx, l); err != nil {
		return err
	}
	return look(l.state)
}

// alone calls use with the current state, while no other call uses it.
func (c *cache) alone(ctx context.Context, loop string, use func(*cached) error) error {
	l, leave, err := c.enter(ctx, loop, everyone)
	if err != nil {
		return err
	}
	defer leave()
	if err := c.catchUp(ctx, l); err != nil {
		return err
	}
	return use(l)
}

// change appends the event of a step from the current state. operation identifies a repeated call: if the log has its event,
// nothing is appended, and answer gets that event. Without one, no call repeats another.
func (c *cache) change(ctx context.Context, loop, operation string, next step, then answer) error {
	if err := checkOperation(operation); err != nil {
		return err
	}
	if operation == "" {
		operation = c.NewID()
	}
	return c.alone(ctx, loop, func(l *cached) error {
		for range maxConflicts {
			if seq, ok := l.state.Ops[operation]; ok {
				for e, err := range c.Store.Load(ctx, loop, seq-1) {
					if err != nil {
						return err
					}
					return then(l.state, e)
				}
				return unknownLoop() // deleted in the meantime
			}
			p, err := next(l.state)
			if err != nil {
				return err
			}
			if p == nil {
				return then(l.state, loopstate.Event{})
			}
			e, err := c.append(ctx, l, operation, p)
			if err == nil {
				return then(l.state, e)
			}
			if !errors.Is(err, loopstate.ErrConflict) {
				return err
			}
			if err := c.catchUp(ctx, l); err != nil {
				return err
			}
		}
		return &loopstate.Error{Code: loopstate.CodeBusy, Subject: "loop", Value: loop}
	})
}

// start starts a loop with its first event and calls look with its state. The error is [loopstate.ErrConflict] if the loop exists.
func (c *cache) start(ctx context.Context, loop, operation string, p loopstate.Started, look func(*loopstate.State) error) error {
	l := newCached(loop)
	if _, err := c.append(ctx, l, operation, p); err != nil {
		return err
	}
	return look(l.state)
}

// delete removes a loop from the store. Other processes notice with their next call.
func (c *cache) delete(ctx context.Context, loop string) error {
	return c.alone(ctx, loop, func(l *cached) error {
		err := c.Store.Delete(ctx, loop)
		c.forget(l)                                // even after an error
		if errors.Is(err, loopstate.ErrNotFound) { // another process was faster
			return unknownLoop()
		}
		return err
	})
}

// enter waits for the turn of a loop. A new entry is not cached until the loop is found, so that
// guessed ids do not evict loops.
func (c *cache) enter(ctx context.Context, loop string, weight int64) (l *cached, leave func(), err error) {
	l, ok := c.loops.Get(loop)
	if !ok {
		l = newCached(loop)
	}
	limited, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	if err := l.turn.Acquire(limited, weight); err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, &loopstate.Error{Code: loopstate.CodeBusy, Subject: "loop", Value: loop}
	}
	return l, func() { l.turn.Release(weight) }, nil
}

// missing returns the events of the log that the state lacks. gone means that the state is not that of the log.
func (c *cache) missing(ctx context.Context, l *cached) (events []loopstate.Event, gone bool, err error) {
	if l.state == nil {
		return nil, true, nil
	}
	outside := c.outside.Load()
	version, err := c.Store.Version(ctx)
	if version += outside << 32; err != nil || version == l.version.Load() {
		return nil, false, err
	}
	gone = true
	for e, err := range c.Store.Load(ctx, l.id, l.state.Seq-1) {
		if err != nil {
			return nil, false, err
		}
		if !gone {
			events = append(events, e)
		} else if gone = !isLast(l.state, e); gone {
			return nil, true, nil
		}
	}
	if !gone && len(events) == 0 {
		l.version.Store(version)
	}
	return events, gone, nil
}

// isLast reports whether e is the last event of a state.
func isLast(st *loopstate.State, e loopstate.Event) bool {
	began, ok := st.Ops[e.Op]
	return ok && began <= e.Seq && e.Seq == st.Seq && e.At.Equal(st.UpdatedAt)
}

// catchUp brings the state to the end of the log, for a call that is alone.
func (c *cache) catchUp(ctx context.Context, l *cached) error {
	events, gone, err := c.missing(ctx, l)
	if gone { // not loaded, or deleted; another loop may have been imported under its id
		c.forget(l)
		if uuid.Validate(l.id) == nil {
			for e, failed := range c.Store.Load(ctx, l.id, 0) {
				events, err = append(events, e), failed
			}
		}
	}
	state := l.state
	for i := 0; err == nil && i < len(events); i++ {
		l.state = nil // stays after an error
		state, err = loopstate.Apply(state, events[i])
		l.bytes += len(events[i].Data)
	}
	if err != nil {
		return fmt.Errorf("loops: load loop %s: %w", l.id, err)
	}
	if len(events) > 0 {
		l.state = state
		c.keep(l)
	}
	return c.mayUse(ctx, l)
}

// mayUse returns unknownLoop for a loop that does not exist or belongs to another owner.
func (c *cache) mayUse(ctx context.Context, l *cached) error {
	owner, err := c.owner(ctx)
	if err == nil && (l.state == nil || l.state.Owner != owner) {
		return unknownLoop()
	}
	return err
}

// append applies an event and writes it with its texts, for a call that is alone. After an error the state is loaded again.
func (c *cache) append(ctx context.Context, l *cached, operation string, p loopstate.Payload) (e loopstate.Event, err error) {
	var texts [][]byte
	if with, ok := p.(withTexts); ok {
		p, texts = with.Payload, with.texts
	}
	at, seq, state := c.Now(), int64(1), l.state
	if state != nil {
		seq = state.Seq + 1
	}
	if e, err = loopstate.NewEvent(l.id, seq, at, operation, p); err != nil {
		return e, err
	}
	bytes := len(e.Data)
	for _, text := range texts {
		bytes += len(text)
	}
	if err := c.mayWrite(ctx, p, bytes); err != nil {
		return e, err
	}
	l.state = nil
	if state, err = loopstate.Apply(state, e); err != nil {
		return e, err
	}
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	if err := c.Store.Append(writing, state.Head(), seq-1, []loopstate.Event{e}, texts...); err != nil {
		return e, err
	}
	if kept, ok := c.loops.Get(l.id); !ok || kept != l {
		c.outside.Add(1)
	}
	l.state, l.bytes = state, l.bytes+len(e.Data)
	c.keep(l)
	return e, nil
}

// keep caches the entry of a loop that exists, by its present size. One that was not cached is compared with the log once more,
// because another entry may have been cached meanwhile.
func (c *cache) keep(l *cached) {
	if kept, ok := c.loops.Get(l.id); !ok || kept != l {
		l.version.Store(0)
	}
	c.loops.Keep(l.id, l, bytesPerState+bytesPerData*l.bytes)
}

// forget drops a loop from memory.
func (c *cache) forget(l *cached) {
	l.state, l.bytes = nil, 0
	l.version.Store(0)
	c.loops.Remove(l.id)
	c.forgot(l.id)
}
