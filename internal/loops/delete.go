package loops

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/loopstate"
)

// Delete removes a loop of the caller's with everything that it recorded, and the texts that no other loop
// has read. There is no way back. It takes as long as it takes to read the log of all loops; ctx breaks it
// off, and then nothing is deleted. Other processes notice with their next call.
func (s *Service) Delete(ctx context.Context, loop string) error {
	l := s.cache.acquire(loop)
	defer s.cache.release(l)
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
	return nil
}

// forget drops what is kept in memory of a loop. Whoever asks holds its lock.
func (s *Service) forget(l *cachedLoop) {
	l.state, l.snapshot = nil, 0
	s.checkers.drop(l.id)
	s.near.drop(l.id)
}

func (c *checkerCache) drop(loop string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = slices.DeleteFunc(c.kept, func(k keptChecker) bool { return k.loop == loop })
}

func (c *nearCache) drop(loop string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.loops, loop)
	c.order = slices.DeleteFunc(c.order, func(id string) bool { return id == loop })
}
