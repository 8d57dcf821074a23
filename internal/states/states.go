// Package states holds the folded states of loops in memory. The log of the store decides: before each use a state is brought up
// to the end of its log, and of two processes that append at the same time one repeats its step.
package states

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
	// maxStateBytes bounds the folded states in memory. An evicted loop is loaded again from its log.
	maxStateBytes = 32 << 20
	// bytesPerData is the memory of a state for each byte of its events, and bytesPerState that of an empty one.
	bytesPerData, bytesPerState = 4, 8 << 10
	// WriteTimeout bounds one write. The caller's context does not cancel a write that has started, so that a cancelled
	// call has a known outcome.
	WriteTimeout = 10 * time.Second
	// turnTimeout bounds the wait for other calls on the same loop. A call ends within 25 s.
	turnTimeout = 20 * time.Second
	// maxConflicts is how often a step is repeated after another process was faster. Each time, at least one competitor
	// succeeds.
	maxConflicts = 64
	// everyone is the weight of a change, which runs alone; a view has 1.
	everyone = 1 << 20
)

// Config configures a Cache. All fields are required.
type Config struct {
	Store    loopstate.Store
	Now      func() time.Time
	NewID    func() string                              // for operations
	Owner    func(ctx context.Context) (string, error)  // of the call
	MayWrite func(ctx context.Context, bytes int) error // returns an error if the owner has no space for an event
	Forgot   func(loop string)                          // called when a loop is dropped from memory
}

// Cache keeps the states of the last used loops. It is safe for concurrent use.
type Cache struct {
	Config
	loops   *bounded.Cache[string, *entry]
	outside atomic.Int64 // appends by entries that were not cached
}

// New returns an empty Cache.
func New(cfg Config) *Cache {
	return &Cache{Config: cfg, loops: bounded.New[string, *entry](maxStateBytes)}
}

// entry is the state of a loop. Views share the turn, and a change has it alone until its event is on disk.
//
// After an eviction, a loop may have two entries. They then behave like two processes.
type entry struct {
	id      string
	turn    *semaphore.Weighted
	state   *loopstate.State // nil: not loaded
	version atomic.Int64     // of the store when the state had all of the log; 0: unknown
	bytes   int              // of the events in state
}

// Step returns the payload of a change, or nil. Answer looks at the state after it.
type (
	Step   func(*loopstate.State) (loopstate.Payload, error)
	Answer func(*loopstate.State, loopstate.Event) error
)

// WithTexts is a payload with the texts that it names, which are written together with its event.
type WithTexts struct {
	loopstate.Payload
	Texts [][]byte
}

// UnknownLoop is the error for malformed ids, unknown loops, and loops of other owners, so that callers cannot distinguish
// them.
func UnknownLoop() error {
	return &loopstate.Error{Code: loopstate.CodeUnknownLoop, Subject: "loop"}
}

// View calls look with the current state. look must do no I/O, make no other call on the loop and keep no part of the state.
func (c *Cache) View(ctx context.Context, loop string, look func(*loopstate.State) error) error {
	l, leave, err := c.enter(ctx, loop, 1)
	if err != nil {
		return err
	}
	missing, gone, err := c.missing(ctx, l)
	if err == nil && !gone && len(missing) == 0 {
		defer leave()
		if err := c.mayUse(ctx, l); err != nil {
			return err
		}
		return look(l.state)
	}
	leave()
	if err != nil {
		return fmt.Errorf("states: load loop %s: %w", loop, err)
	}
	l, leave, err = c.enter(ctx, loop, everyone)
	if err != nil {
		return err
	}
	defer leave()
	if err := c.catchUp(ctx, l); err != nil {
		return err
	}
	return look(l.state)
}

// Change changes a loop: it takes a step from the current state, appends its event, and answers.
//
// step returns the payload to append, perhaps as [WithTexts], or nil for no change. answer gets the new state and the event
// (zero if nothing was appended). Both are bound like the look of a View. operation identifies a repeated call: if the log has
// its event, nothing is appended, and answer gets that event. Without one, no call repeats another.
func (c *Cache) Change(ctx context.Context, loop, operation string, step Step, answer Answer) error {
	if err := CheckOperation(operation); err != nil {
		return err
	}
	if operation == "" {
		operation = c.NewID()
	}
	l, leave, err := c.enter(ctx, loop, everyone)
	if err != nil {
		return err
	}
	defer leave()
	for range maxConflicts {
		if err := c.catchUp(ctx, l); err != nil {
			return err
		}
		if seq, ok := l.state.Ops[operation]; ok {
			e, err := c.event(ctx, loop, seq)
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
		if with, ok := p.(WithTexts); ok {
			p, texts = with.Payload, with.Texts
		}
		at := c.Now()
		if shown, ok := p.(loopstate.Shown); ok && len(shown.Shown) == 0 { // a count of calls changes nothing of the loop
			at = l.state.UpdatedAt
		}
		e, err := loopstate.NewEvent(loop, l.state.Seq+1, at, operation, p)
		if err != nil {
			return err
		}
		switch err := c.append(ctx, l, e, texts); {
		case err == nil:
			return answer(l.state, e)
		case !errors.Is(err, loopstate.ErrConflict):
			return err
		}
	}
	return &loopstate.Error{Code: loopstate.CodeBusy, Subject: "loop", Value: loop}
}

// Start appends the first event of a loop and calls look with its state. The error is [loopstate.ErrConflict] if the loop
// exists.
func (c *Cache) Start(ctx context.Context, e loopstate.Event, look func(*loopstate.State)) error {
	l := newEntry(e.Loop)
	if err := c.append(ctx, l, e, nil); err != nil {
		return err
	}
	look(l.state)
	return nil
}

// Delete removes a loop from the store. Other processes notice with their next call.
func (c *Cache) Delete(ctx context.Context, loop string) error {
	l, leave, err := c.enter(ctx, loop, everyone)
	if err != nil {
		return err
	}
	defer leave()
	if err := c.catchUp(ctx, l); err != nil {
		return err
	}
	err = c.Store.Delete(ctx, loop)
	c.forget(l) // even after an error
	switch {
	case errors.Is(err, loopstate.ErrNotFound): // another process was faster
		return UnknownLoop()
	case err != nil:
		return fmt.Errorf("states: delete loop %s: %w", loop, err)
	}
	return nil
}

func newEntry(id string) *entry { return &entry{id: id, turn: semaphore.NewWeighted(everyone)} }

// enter waits for the turn of a loop. A new entry is not cached until the loop is found, so that guessed ids do not evict
// loops.
func (c *Cache) enter(ctx context.Context, loop string, weight int64) (l *entry, leave func(), err error) {
	l, cached := c.loops.Get(loop)
	if !cached {
		l = newEntry(loop)
	}
	limited, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	switch err := l.turn.Acquire(limited, weight); {
	case ctx.Err() != nil:
		if err == nil {
			l.turn.Release(weight)
		}
		return nil, nil, ctx.Err()
	case err != nil:
		return nil, nil, &loopstate.Error{Code: loopstate.CodeBusy, Subject: "loop", Value: loop}
	}
	return l, func() { l.turn.Release(weight) }, nil
}

// missing returns the events of the log that the state lacks. gone means that the state is not that of the log.
func (c *Cache) missing(ctx context.Context, l *entry) (events []loopstate.Event, gone bool, err error) {
	if l.state == nil {
		return nil, true, nil
	}
	outside := c.outside.Load()
	version, err := c.Store.Version(ctx)
	if err != nil {
		return nil, false, err
	}
	if version += outside << 32; version == l.version.Load() {
		return nil, false, nil
	}
	gone = true
	for e, err := range c.Store.Load(ctx, l.id, l.state.Seq-1) {
		switch {
		case err != nil:
			return nil, false, err
		case !gone:
			events = append(events, e)
		case !isLast(l.state, e):
			return nil, true, nil
		default:
			gone = false
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

// catchUp brings the state to the end of the log, for the holder of the whole turn.
func (c *Cache) catchUp(ctx context.Context, l *entry) error {
	events, gone, err := c.missing(ctx, l)
	if gone && err == nil { // not loaded, or deleted; another loop may have been imported under its id
		c.forget(l)
		if uuid.Validate(l.id) == nil {
			for e, failed := range c.Store.Load(ctx, l.id, 0) {
				events, err = append(events, e), failed
			}
		}
	}
	if err == nil && len(events) > 0 {
		state := l.state
		l.state = nil // stays after an error
		for _, e := range events {
			if state, err = loopstate.Apply(state, e); err != nil {
				break
			}
			l.bytes += len(e.Data)
		}
		if err == nil {
			l.state = state
			c.keep(l)
		}
	}
	if err != nil {
		return fmt.Errorf("states: load loop %s: %w", l.id, err)
	}
	return c.mayUse(ctx, l)
}

// mayUse returns UnknownLoop for a loop that does not exist or belongs to another owner.
func (c *Cache) mayUse(ctx context.Context, l *entry) error {
	owner, err := c.Owner(ctx)
	if err == nil && (l.state == nil || l.state.Owner != owner) {
		return UnknownLoop()
	}
	return err
}

// append applies e and writes it with its texts, for the holder of the whole turn. After an error the state is loaded again.
func (c *Cache) append(ctx context.Context, l *entry, e loopstate.Event, texts [][]byte) error {
	if err := c.MayWrite(ctx, len(e.Data)); err != nil {
		return err
	}
	state := l.state
	l.state = nil
	state, err := loopstate.Apply(state, e)
	if err != nil {
		return err
	}
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), WriteTimeout)
	defer cancel()
	if err := c.Store.Append(writing, state.Head(), e.Seq-1, []loopstate.Event{e}, texts...); err != nil {
		return err
	}
	if cached, ok := c.loops.Get(l.id); !ok || cached != l {
		c.outside.Add(1)
	}
	l.state, l.bytes = state, l.bytes+len(e.Data)
	c.keep(l)
	return nil
}

// event reads one event of the log.
func (c *Cache) event(ctx context.Context, loop string, seq int64) (loopstate.Event, error) {
	for e, err := range c.Store.Load(ctx, loop, seq-1) {
		return e, err
	}
	return loopstate.Event{}, UnknownLoop() // deleted in the meantime
}

// keep caches the entry of a loop that exists, by its present size. One that was not cached is compared with the log once more,
// because another entry may have been cached meanwhile.
func (c *Cache) keep(l *entry) {
	if cached, ok := c.loops.Get(l.id); !ok || cached != l {
		l.version.Store(0)
	}
	c.loops.Keep(l.id, l, bytesPerState+bytesPerData*l.bytes)
}

// forget drops a loop from memory.
func (c *Cache) forget(l *entry) {
	l.state, l.bytes = nil, 0
	l.version.Store(0)
	c.loops.Remove(l.id)
	c.Forgot(l.id)
}
