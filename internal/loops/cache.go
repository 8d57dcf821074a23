package loops

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

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

// cached is the state of a loop in memory. The log of the store decides: before each use the state is brought up to the end of its
// log, and of two processes that append at the same time one repeats its step.
type cached struct {
	state   *loopstate.State // nil: not loaded
	version atomic.Int64     // of the store when the state had all of the log
	bytes   int              // of the events in state
}

// turns has the turns of the loops that calls use now. Views of a loop share its turn, and a change has it alone until its event is on
// disk.
type turns struct {
	mu sync.Mutex
	of map[string]*turn
}

type turn struct {
	*semaphore.Weighted
	calls int // that have it or wait for it
}

// enter waits for the turn of a loop.
func (t *turns) enter(ctx context.Context, loop string, weight int64) (leave func(), err error) {
	t.mu.Lock()
	mine, ok := t.of[loop]
	if !ok {
		mine = &turn{Weighted: semaphore.NewWeighted(everyone)}
		t.of[loop] = mine
	}
	mine.calls++
	t.mu.Unlock()
	gone := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if mine.calls--; mine.calls == 0 {
			delete(t.of, loop)
		}
	}
	limited, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	if err := mine.Acquire(limited, weight); err != nil {
		gone()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &loopstate.Error{Code: loopstate.CodeBusy, Subject: "loop", Value: loop}
	}
	return func() { mine.Release(weight); gone() }, nil
}

// unknownLoop is the error for malformed ids, unknown loops, and loops of other owners, so that callers cannot distinguish
// them.
func unknownLoop() error {
	return &loopstate.Error{Code: loopstate.CodeUnknownLoop, Subject: "loop"}
}

// view calls look with the current state. look must not do I/O and must not keep parts of the state.
func (s *Service) view(ctx context.Context, loop string, look func(*loopstate.State) error) error {
	leave, err := s.turns.enter(ctx, loop, 1)
	if err != nil {
		return err
	}
	if l, ok := s.states.Get(loop); ok {
		version, err := s.Store.Version(ctx)
		if err == nil && l.state != nil && l.version.Load() == version {
			defer leave()
			return s.use(ctx, l, func() error { return look(l.state) })
		}
	}
	leave()
	return s.alone(ctx, loop, func(l *cached) error { return look(l.state) })
}

// peek returns what of finds in the current state. of must not do I/O and must not return parts of the state.
func peek[T any](ctx context.Context, s *Service, loop string, of func(*loopstate.State) T) (found T, err error) {
	err = s.view(ctx, loop, func(st *loopstate.State) error { found = of(st); return nil })
	return found, err
}

// use calls do, unless the loop does not exist or belongs to another owner.
func (s *Service) use(ctx context.Context, l *cached, do func() error) error {
	owner, err := s.owner(ctx)
	if err != nil {
		return err
	}
	if l.state == nil || l.state.Owner != owner {
		return unknownLoop()
	}
	return do()
}

// alone calls do with the current state, while no other call uses it.
func (s *Service) alone(ctx context.Context, loop string, do func(*cached) error) error {
	leave, err := s.turns.enter(ctx, loop, everyone)
	if err != nil {
		return err
	}
	defer leave()
	l, ok := s.states.Get(loop)
	if !ok {
		l = &cached{}
	}
	if err := s.catchUp(ctx, loop, l); err != nil {
		return fmt.Errorf("loops: load loop %s: %w", loop, err)
	}
	return s.use(ctx, l, func() error { return do(l) })
}

// catchUp brings the state to the end of the log, for a call that is alone. It is nil for a loop that does not exist, and after an error.
func (s *Service) catchUp(ctx context.Context, loop string, l *cached) error {
	if uuid.Validate(loop) != nil {
		return nil
	}
	version, err := s.Store.Version(ctx)
	if err != nil || l.state != nil && l.version.Load() == version {
		return err
	}
	before := l.state
	if l.state = nil; before != nil {
		l.state, err = s.fold(ctx, loop, before, l)
	}
	if l.state == nil && err == nil {
		l.bytes = 0
		l.state, err = s.fold(ctx, loop, nil, l)
	}
	if l.state == nil {
		s.states.Remove(loop)
		return err
	}
	l.version.Store(version)
	s.remember(loop, l)
	return nil
}

// fold applies the events of the log that follow a state. It returns nil if the log does not continue the state: the loop was deleted,
// and another one may have been imported under its id.
func (s *Service) fold(ctx context.Context, loop string, st *loopstate.State, l *cached) (*loopstate.State, error) {
	from, continues := int64(0), st == nil
	if st != nil {
		from = st.Seq - 1
	}
	for e, err := range s.Store.Load(ctx, loop, from) {
		if err != nil {
			return nil, err
		}
		if !continues {
			if continues = isLast(st, e); !continues {
				return nil, nil
			}
			continue
		}
		if st, err = loopstate.Apply(st, e); err != nil {
			return nil, err
		}
		l.bytes += len(e.Data)
	}
	if !continues {
		return nil, nil
	}
	return st, nil
}

// isLast reports whether e is the last event of a state.
func isLast(st *loopstate.State, e loopstate.Event) bool {
	began, ok := st.Ops[e.Op]
	return ok && began <= e.Seq && e.Seq == st.Seq && e.At.Equal(st.UpdatedAt)
}

// remember caches the state of a loop by its present size. A call that is alone does so: there is one state of a loop.
func (s *Service) remember(loop string, l *cached) {
	s.states.Keep(loop, l, bytesPerState+bytesPerData*l.bytes)
}

// begin starts a loop with its first event and calls look with its state. The error is [loopstate.ErrConflict] if the loop exists.
func (s *Service) begin(ctx context.Context, loop, operation string, p loopstate.Started, look func(*loopstate.State) error) error {
	leave, err := s.turns.enter(ctx, loop, everyone)
	if err != nil {
		return err
	}
	defer leave()
	l := &cached{}
	if _, err := s.append(ctx, loop, l, operation, p); err != nil {
		return err
	}
	return look(l.state)
}

// Delete removes one of the caller's loops, its folders, and the texts that no other loop has read. It cannot be undone. If ctx
// cancels it, nothing is deleted. Other processes notice with their next call.
func (s *Service) Delete(ctx context.Context, loop string) error {
	err := s.alone(ctx, loop, func(l *cached) error {
		s.states.Remove(loop) // even after an error
		l.state = nil
		err := s.Store.Delete(ctx, loop)
		if errors.Is(err, loopstate.ErrNotFound) { // another process was faster
			return unknownLoop()
		}
		return err
	})
	if err != nil {
		return err
	}
	return s.removeFolders(loop)
}
