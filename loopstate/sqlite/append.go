package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Append writes events and the head in one transaction. Times are stored to the nanosecond, in UTC.
func (s *Store) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event) error {
	if err := loopstate.CheckAppend(head, at, events); err != nil {
		return fmt.Errorf("sqlite: append: nothing was written: %w", err)
	}
	err := s.write(ctx, "append", func(tx *sql.Tx) error {
		if err := guard(ctx, tx, head.Loop, at, events[0].Op); err != nil {
			return err
		}
		if err := insertEvents(ctx, tx, events); err != nil {
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

// guard accepts an append if the log ends exactly at at and does not contain the operation. The transaction already holds
// the write lock, so the log cannot change before it ends.
func guard(ctx context.Context, tx *sql.Tx, loop string, at int64, op string) error {
	var last int64
	var done bool
	err := tx.QueryRowContext(ctx, `SELECT
		(SELECT coalesce(max(seq), 0) FROM events WHERE loop = ?1),
		EXISTS (SELECT 1 FROM events WHERE loop = ?1 AND op = ?2)`, loop, op).Scan(&last, &done)
	switch {
	case err != nil:
		return err
	case done:
		return loopstate.ErrOperationDone
	case last != at:
		return fmt.Errorf("%w: the last event is %d, not %d", loopstate.ErrConflict, last, at)
	}
	return nil
}

func insertEvents(ctx context.Context, tx *sql.Tx, events []loopstate.Event) error {
	insert, err := tx.PrepareContext(ctx, `INSERT INTO events (loop, seq, at, kind, version, op, data) VALUES (?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, e := range events {
		data := []byte(e.Data)
		if data == nil {
			data = []byte{} // nil would be NULL
		}
		if _, err := insert.ExecContext(ctx, e.Loop, e.Seq, storage.FormatTime(e.At), e.Kind, e.Version, e.Op, data); err != nil {
			return err
		}
	}
	return nil
}
