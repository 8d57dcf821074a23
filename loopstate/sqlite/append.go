package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Append implements [storage.Database].
func (d database) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event, texts []storage.PackedText) error {
	return d.insert(ctx, "append", head, at, events[0].Op, texts, func(yield func(loopstate.Event, error) bool) {
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
	})
}

// Create implements [storage.Database].
func (d database) Create(ctx context.Context, head loopstate.Head, log iter.Seq2[loopstate.Event, error]) error {
	return d.insert(ctx, "create", head, 0, "", nil, log)
}

// insert writes texts, events and the head if the log ends with event at and does not contain the operation.
func (d database) insert(ctx context.Context, op string, head loopstate.Head, at int64, operation string, texts []storage.PackedText,
	events iter.Seq2[loopstate.Event, error]) error {
	return d.write(ctx, op, func(tx *sql.Tx) error {
		if err := guard(ctx, tx, head.Loop, at, operation); err != nil {
			return err
		}
		for _, text := range texts {
			if _, err := tx.ExecContext(ctx, storage.PutText, text.Hash[:], text.Packed); err != nil {
				return err
			}
		}
		if err := insertEvents(ctx, tx, events); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO citeloop_heads
			(loop, owner, seq, query, round, status, updated_at, stored, readings) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			storage.HeadColumns(head)...)
		return err
	})
}

// guard accepts an append if the log ends exactly at at and does not contain the operation. The transaction already holds
// the write lock, so the log cannot change before it ends.
func guard(ctx context.Context, tx *sql.Tx, loop string, at int64, operation string) error {
	var last int64
	var done bool
	err := tx.QueryRowContext(ctx, `SELECT
		(SELECT coalesce(max(seq), 0) FROM citeloop_events WHERE loop = ?1),
		EXISTS (SELECT 1 FROM citeloop_events WHERE loop = ?1 AND op = ?2)`, loop, operation).Scan(&last, &done)
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
	insert, err := tx.PrepareContext(ctx, `INSERT INTO citeloop_events (loop, seq, at, kind, version, op, data)
		VALUES (?, ?, ?, ?, ?, ?, ?)`)
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
			if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO citeloop_named (hash, loop) VALUES (?, ?)`, h[:], e.Loop); err != nil {
				return err
			}
		}
	}
	return nil
}

// Delete implements [storage.Database]. Deleted data is overwritten (secure_delete). The file does not shrink, but its space is
// reused.
func (d database) Delete(ctx context.Context, loop string) error {
	return d.write(ctx, "delete", func(tx *sql.Tx) error {
		return storage.DeleteLoop(loop, func(statement, loop string) (int64, error) {
			done, err := tx.ExecContext(ctx, statement, loop)
			if err != nil {
				return 0, err
			}
			return done.RowsAffected()
		})
	})
}

// ChangeTurn reads the clock under the lock, so that turns are in order.
func (d database) ChangeTurn(ctx context.Context, name string, change func(t *storage.Turn, now int64) bool) error {
	return d.write(ctx, "turn", func(tx *sql.Tx) error {
		var t storage.Turn
		err := tx.QueryRowContext(ctx, `SELECT next, held FROM citeloop_turns WHERE name = ?`, name).Scan(&t.Next, &t.Held)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		now := time.Now()
		if !change(&t, now.UnixMicro()) {
			return nil
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM citeloop_turns WHERE max(next, held) < ?4;
			INSERT OR REPLACE INTO citeloop_turns (name, next, held) VALUES (?1, ?2, ?3)`,
			name, t.Next, t.Held, now.Add(-storage.TurnsKept).UnixMicro())
		return err
	})
}
