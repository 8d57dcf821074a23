package loops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
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
)

// cached is the state of a loop in memory. The log of the store decides: before each use the state is brought up to the end of its
// log, and of two processes that append at the same time one repeats its step.
type cached struct {
	state   *loopstate.State // nil: not loaded
	version int64            // of the store when the state had all of the log
}

// turns has the turns of loops, of several loops each. One call at a time uses a loop, and a change until its event is on disk: all that
// a call does meanwhile is in memory, or short.
type turns [256]*semaphore.Weighted

var turnSeed = maphash.MakeSeed()

func newTurns() (t turns) {
	for i := range t {
		t[i] = semaphore.NewWeighted(1)
	}
	return t
}

// enter waits for the turn of a loop.
func (t *turns) enter(ctx context.Context, loop string) (leave func(), err error) {
	mine := t[maphash.String(turnSeed, loop)%uint64(len(t))]
	limited, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	if err := mine.Acquire(limited, 1); err != nil {
		return nil, cmp.Or(ctx.Err(), error(&loopstate.Error{Code: loopstate.CodeBusy, Subject: "loop", Value: loop}))
	}
	return func() { mine.Release(1) }, nil
}

// unknownLoop is the error for malformed ids, unknown loops, and loops of other owners, so that callers cannot distinguish
// them.
func unknownLoop() error {
	return &loopstate.Error{Code: loopstate.CodeUnknownLoop, Subject: "loop"}
}

// view calls look with the current state. look must not do I/O and must not keep parts of the state.
func (s *Service) view(ctx context.Context, loop string, look func(*loopstate.State) error) error {
	return s.own(ctx, loop, func(l *cached) error { return look(l.state) })
}

// peek returns what of finds in the current state. of must not do I/O and must not return parts of the state.
func peek[T any](ctx context.Context, s *Service, loop string, of func(*loopstate.State) T) (found T, err error) {
	err = s.view(ctx, loop, func(st *loopstate.State) error { found = of(st); return nil })
	return found, err
}

// own calls do with the current state of one of the caller's loops, while no other call uses it.
func (s *Service) own(ctx context.Context, loop string, do func(*cached) error) error {
	owner, err := s.owner(ctx)
	if err != nil {
		return err
	}
	return s.alone(ctx, loop, func(l *cached) error {
		if l.state == nil || l.state.Owner != owner {
			return unknownLoop()
		}
		return do(l)
	})
}

// alone calls do with the current state of a loop, which is nil if there is none, while no other call uses it.
func (s *Service) alone(ctx context.Context, loop string, do func(*cached) error) error {
	leave, err := s.turns.enter(ctx, loop)
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
	return do(l)
}

// catchUp brings the state to the end of the log, for a call that is alone. It is nil for a loop that does not exist, and after an error.
func (s *Service) catchUp(ctx context.Context, loop string, l *cached) error {
	if uuid.Validate(loop) != nil {
		return nil
	}
	version, err := s.Store.Version(ctx)
	if err != nil || l.state != nil && l.version == version {
		return err
	}
	if l.state, err = s.fold(ctx, loop, l.state); l.state == nil {
		s.states.Remove(loop)
		return err
	}
	l.version = version
	s.remember(loop, l)
	return nil
}

// fold applies the events of the log that follow a state. A log that does not continue the state is folded from its first event: the
// loop was deleted, and another one may have been imported under its id.
func (s *Service) fold(ctx context.Context, loop string, st *loopstate.State) (*loopstate.State, error) {
	from, continues := int64(0), st == nil
	if st != nil {
		from = st.Seq - 1
	}
	for e, err := range s.Store.Load(ctx, loop, from) {
		if err != nil {
			return nil, err
		}
		if !continues {
			if continues = isLast(st, e); continues {
				continue
			}
			break
		}
		if st, err = loopstate.Apply(st, e); err != nil {
			return nil, err
		}
	}
	if !continues {
		return s.fold(ctx, loop, nil)
	}
	return st, nil
}

// isLast reports whether e is the last event of a state.
func isLast(st *loopstate.State, e loopstate.Event) bool {
	began, ok := st.Ops[e.Op]
	return ok && began <= e.Seq && e.Seq == st.Seq && e.At.Equal(st.UpdatedAt)
}

// remember caches the state of a loop by its present size.
func (s *Service) remember(loop string, l *cached) {
	s.states.Keep(loop, l, bytesPerState+bytesPerData*l.state.Bytes)
}

// Delete removes one of the caller's loops, its folders, and the texts that no other loop has read. It cannot be undone. If ctx
// cancels it, nothing is deleted. Other processes notice with their next call.
func (s *Service) Delete(ctx context.Context, loop string) error {
	err := s.own(ctx, loop, func(l *cached) error {
		s.states.Remove(loop) // even after an error
		l.state = nil
		err := s.Store.Delete(ctx, loop)
		if errors.Is(err, loopstate.ErrNotFound) { // another process was faster
			return unknownLoop()
		}
		return err
	})
	if err != nil || s.Folders == nil {
		return err
	}
	return s.Folders.Remove(loop)
}
