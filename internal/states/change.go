package states

import (
	"context"
	"errors"
	"fmt"

	"github.com/citeloop/citeloop/loopstate"
)

// maxConflicts is how often a step is repeated after another process was faster. Each time, at least one competitor
// succeeds.
const maxConflicts = 64

// Change changes a loop: it reads the state, takes a step, appends its event, and answers.
//
// step returns the payload to append, perhaps as [WithTexts], or nil for no change. answer gets the new state and the event
// (zero if nothing was appended); it must not keep slices of the state. operation identifies a repeated call: if the log has
// its event, nothing is appended, and answer gets that event. Without one, no call repeats another.
func (c *Cache) Change(ctx context.Context, loop, operation string, step Step, answer Answer) error {
	if err := CheckOperation(operation); err != nil {
		return err
	}
	if operation == "" {
		operation = c.NewID()
	}
	l := c.cached(loop)
	if err := l.begin(ctx); err != nil {
		return err
	}
	defer l.end()
	for range maxConflicts {
		if err := c.catchUp(ctx, l); err != nil {
			return err
		}
		if seq, ok := l.state.Ops[operation]; ok {
			e, err := c.event(ctx, loop, seq)
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
		err = c.append(ctx, l, e, texts)
		if errors.Is(err, loopstate.ErrConflict) || errors.Is(err, loopstate.ErrOperationDone) {
			continue
		}
		if err != nil {
			return err
		}
		c.snapshot(ctx, l)
		c.cacheState(l)
		return answer(l.state, e)
	}
	return &loopstate.Error{Code: loopstate.CodeBusy, Subject: "loop", Value: loop}
}

// Step returns the payload of a change, or nil.
type Step func(*loopstate.State) (loopstate.Payload, error)

// Answer looks at the state after a change.
type Answer func(*loopstate.State, loopstate.Event) error

// WithTexts is a payload with the texts that it names, which are written together with its event.
type WithTexts struct {
	loopstate.Payload
	Texts [][]byte
}

// append writes e and its texts, and then publishes the new state. Readers see the old state in the meantime.
func (c *Cache) append(ctx context.Context, l *entry, e loopstate.Event, texts [][]byte) (err error) {
	if err := c.MayWrite(ctx, len(e.Data)); err != nil {
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
	writing, cancel := context.WithTimeout(context.WithoutCancel(ctx), WriteTimeout)
	defer cancel()
	if err := c.Store.Append(writing, draft.Head(), e.Seq-1, []loopstate.Event{e}, texts...); err != nil {
		return err
	}
	l.draft = draft
	l.json += len(e.Data)
	return l.advance(e)
}

// event reads one event of the log.
func (c *Cache) event(ctx context.Context, loop string, seq int64) (loopstate.Event, error) {
	for e, err := range c.Store.Load(ctx, loop, seq-1) {
		if err != nil {
			return e, err
		}
		return e, nil
	}
	return loopstate.Event{}, fmt.Errorf("states: event %d of loop %s: %w", seq, loop, loopstate.ErrNotFound)
}

// Start appends the first event of a loop and calls look with its state. The error is [loopstate.ErrConflict] if the loop
// exists.
func (c *Cache) Start(ctx context.Context, e loopstate.Event, look func(*loopstate.State)) error {
	if _, cached := c.loops.Get(e.Loop); cached {
		return loopstate.ErrConflict
	}
	l := newEntry(e.Loop)
	if err := c.append(ctx, l, e, nil); err != nil {
		return err
	}
	look(l.state)
	c.cacheState(l)
	return nil
}

// Delete removes a loop from the store. Other processes notice with their next call.
func (c *Cache) Delete(ctx context.Context, loop string) error {
	l := c.cached(loop)
	if err := l.begin(ctx); err != nil {
		return err
	}
	defer l.end()
	if err := c.catchUp(ctx, l); err != nil {
		return err
	}
	err := c.Store.Delete(ctx, loop)
	c.forget(l) // even after an error
	switch {
	case errors.Is(err, loopstate.ErrNotFound): // another process was faster
		return UnknownLoop()
	case err != nil:
		return fmt.Errorf("states: delete loop %s: %w", loop, err)
	}
	return nil
}
