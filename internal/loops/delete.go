package loops

import (
	"context"
	"errors"
	"fmt"

	"github.com/citeloop/citeloop/loopstate"
)

// Delete removes one of the caller's loops, its reports and folders, and the texts that no other loop has read. It cannot be undone. It
// reads the logs of all loops; if ctx cancels it, nothing is deleted. Other processes notice with their next call.
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
	s.forget(l) // even after an error
	switch {
	case errors.Is(err, loopstate.ErrNotFound): // another process was faster
		return unknownLoop()
	case err != nil:
		return fmt.Errorf("loops: delete loop %s: %w", loop, err)
	}
	return errors.Join(s.removeReports(loop), s.removeFolders(loop))
}

// forget drops a loop from memory. The caller holds the turn.
func (s *Service) forget(l *cachedLoop) {
	l.draft, l.snapshot, l.json = nil, 0, 0
	l.publish(nil)
	s.cache.remove(l.id)
	s.indexes.remove(l.id)
}
