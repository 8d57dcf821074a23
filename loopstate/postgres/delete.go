package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
)

// deleteTimeout bounds the transaction that deletes. Measured: a loop of 10,000 texts takes one second. Blocked calls have
// their own deadline.
const deleteTimeout = time.Minute

// lockHeads blocks appends, which write a head, and other Deletes until the transaction ends. Reads, texts and snapshots
// are not blocked. It is the transaction's first lock, and a blocked append holds none that the transaction needs, so
// there is no deadlock.
const lockHeads = `LOCK TABLE citeloop_heads IN SHARE ROW EXCLUSIVE MODE`

// Delete removes a loop in one transaction. ctx does not cancel a Delete whose transaction has started. After an error,
// nothing was deleted, except that [ErrUnavailable] leaves the outcome open.
func (s *Store) Delete(ctx context.Context, loop string) error {
	if !loopstate.Keepable(loop) {
		return loopstate.ErrNotFound // no such loop can be stored
	}
	committing := false // a commit was sent, with unknown outcome
	err := s.writeWithin(ctx, deleteTimeout, "delete", func(ctx context.Context, conn *pgxpool.Conn) error {
		// READ COMMITTED, whatever the server's default: each statement sees the events that were appended before the lock.
		tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback(ctx) }() // no effect after a commit
		if _, err := tx.Exec(ctx, lockHeads); err != nil {
			return err
		}
		for i, query := range []string{
			`DELETE FROM citeloop_heads WHERE loop = $1`, // waits for a PutSnapshot in progress
			`DELETE FROM citeloop_snapshots WHERE loop = $1`,
			`DELETE FROM citeloop_events WHERE loop = $1`,
			`DELETE FROM citeloop_blobs WHERE hash IN (SELECT hash FROM citeloop_named AS own WHERE loop = $1
				AND NOT EXISTS (SELECT FROM citeloop_named AS other WHERE other.hash = own.hash AND other.loop <> $1))`,
			`DELETE FROM citeloop_named WHERE loop = $1`,
		} {
			done, err := tx.Exec(ctx, query, loop)
			switch {
			case err != nil:
				return err
			case i == 0 && done.RowsAffected() == 0 && committing:
				return nil // our own commit succeeded, but its answer was lost
			case i == 0 && done.RowsAffected() == 0:
				return loopstate.ErrNotFound
			}
		}
		committing = true
		return tx.Commit(ctx)
	})
	if err != nil {
		return err
	}
	s.base.Watches.Wake()
	return nil
}
