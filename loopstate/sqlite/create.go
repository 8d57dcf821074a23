package sqlite

import (
	"context"
	"database/sql"
	"iter"

	"github.com/citeloop/citeloop/loopstate"
)

// createBatch is how many events of a new log are in memory at the same time.
const createBatch = 256

// Create writes a whole log and its head in one transaction.
func (s *Store) Create(ctx context.Context, head loopstate.Head, log iter.Seq2[loopstate.Event, error]) error {
	err := s.write(ctx, "create", func(tx *sql.Tx) error {
		if err := guard(ctx, tx, head.Loop, 0, ""); err != nil {
			return err
		}
		batch := make([]loopstate.Event, 0, createBatch)
		for e, err := range loopstate.CheckCreate(head, log) {
			if err != nil {
				return err
			}
			if batch = append(batch, e); len(batch) == createBatch {
				if err := insertEvents(ctx, tx, batch); err != nil {
					return err
				}
				batch = batch[:0]
			}
		}
		if err := insertEvents(ctx, tx, batch); err != nil {
			return err
		}
		return putHead(ctx, tx, head)
	})
	if err != nil {
		return err
	}
	s.base.Watches.Moved(head.Loop, head.Seq)
	return nil
}
