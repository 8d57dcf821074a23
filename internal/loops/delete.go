package loops

import (
	"context"
	"errors"
	"fmt"

	"github.com/citeloop/citeloop/loopstate"
)

// Delete removes a loop of the caller's with everything that it recorded, and the texts that no other loop
// has read. There is no way back. It takes as long as it takes to read the log of all loops; ctx breaks it
// off, and then nothing is deleted. Other processes notice with their next call.
func (s *Service) Delete(ctx context.Context, loop string) error {
	l := s.cached(loop)
	if err := l.begin(ctx); err != nil {
		return err
	}
	defer l.end()
	if err := s.catchUp(ctx, l); err != nil {
		return err
	}
	err := s.Store.Delete(ctx, loop)
	s.forget(l) // whatever came of it: the log is the truth
	switch {
	case errors.Is(err, loopstate.ErrNotFound): // another process was faster
		return unknownLoop()
	case err != nil:
		return fmt.Errorf("loops: deleting loop %s: %w", loop, err)
	}
	return s.removeReports(loop)
}

// forget drops what is kept in memory of a loop, in the call's turn.
func (s *Service) forget(l *cachedLoop) {
	l.draft, l.snapshot = nil, 0
	l.publish(nil)
	s.cache.Remove(l.id)
	s.checkers.Remove(l.id)
	s.near.loops.Remove(l.id)
}
