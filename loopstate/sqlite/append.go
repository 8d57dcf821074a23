package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"iter"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Append writes texts, events and the head in one transaction. Times are stored to the nanosecond, in UTC.
func (s *Store) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event, texts ...[]byte) error {
	if err := storage.CheckAppend(head, at, events); err != nil {
		return fmt.Errorf("sqlite: append: nothing was written: %w", err)
	}
	packed, err := s.base.Codec.PackTexts(texts) // before taking the lock
	if err != nil {
		return fmt.Errorf("sqlite: append: nothing was written: %w", err)
	}
	return s.insert(ctx, "append", head, at, events[0].Op, packed, func(yield func(loopstate.Event, error) bool) {
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
	})
}

// Create writes a whole log and its head in one transaction.
func (s *Store) Create(ctx context.Context, head loopstate.Head, log iter.Seq2[loopstate.Event, error]) error {
	return s.insert(ctx, "create", head, 0, "", nil, storage.CheckCreate(head, log))
}

// insert writes texts, events and the head if the log ends with event at and does not contain the operation.
func (s *Store) insert(ctx context.Context, name string, head loopstate.Head, at int64, op string, texts []storage.PackedText, events iter.Seq2[loopstate.Event, error]) error {
	err := s.write(ctx, name, func(tx *sql.Tx) error {
		if err := guard(ctx, tx, head.Loop, at, op); err != nil {
			return err
		}
		for _, text := range texts {
			if err := putText(ctx, tx, text); err != nil {
				return err
			}
		}
		if err := insertEvents(ctx, tx, events); err != nil {
			return err
		}
		return putHead(ctx, tx, head)
	})
	if err != nil {
		return err
	}
	s.base.Watches.Wake()
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

func insertEvents(ctx context.Context, tx *sql.Tx, events iter.Seq2[loopstate.Event, error]) error {
	insert, err := tx.PrepareContext(ctx, `INSERT INTO events (loop, seq, at, kind, version, op, data) VALUES (?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for e, err := range events {
		if err != nil {
			return err
		}
		data := []byte(e.Data)
		if data == nil {
			data = []byte{} // nil would be NULL
		}
		if _, err := insert.ExecContext(ctx, e.Loop, e.Seq, storage.FormatTime(e.At), e.Kind, e.Version, e.Op, data); err != nil {
			return err
		}
		for _, h := range storage.Named([]loopstate.Event{e}) {
			if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO named (hash, loop) VALUES (?, ?)`, h[:], e.Loop); err != nil {
				return err
			}
		}
	}
	return nil
}
