package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

const (
	// deleteTimeout bounds the transaction that deletes. Measured: a loop of 10,000 texts takes one second. Blocked calls
	// have their own deadline.
	deleteTimeout = time.Minute
	// removeTexts is how many texts one statement deletes, so that each ends long before the server's deadline.
	removeTexts = 1000
)

// lockHeads blocks appends, which write a head, and other Deletes until the transaction ends. Reads, texts and snapshots
// are not blocked. It is the transaction's first lock, and a blocked append holds none that the transaction needs, so
// there is no deadlock.
const lockHeads = `LOCK TABLE citeloop_heads IN SHARE ROW EXCLUSIVE MODE`

// Delete removes a loop in one transaction. It reads the whole log once before it blocks appends. They wait only while it
// reads newer events and deletes the rows. ctx does not cancel a Delete whose transaction has started. After an error,
// nothing was deleted, except that [ErrUnavailable] leaves the outcome open.
func (s *Store) Delete(ctx context.Context, loop string) error {
	sweep, err := storage.BeginSweep(ctx, logs{s, s.look}, loop)
	if err != nil {
		return err
	}
	committing := false // a commit was sent, with unknown outcome
	err = s.writeWithin(ctx, deleteTimeout, "delete", func(ctx context.Context, conn *pgxpool.Conn) error {
		// READ COMMITTED, whatever the server's default: each statement sees the events that were appended before the lock.
		tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback(ctx) }() // no effect after a commit
		if _, err := tx.Exec(ctx, lockHeads); err != nil {
			return err
		}
		err = sweep.Look(ctx, logs{s, func(ctx context.Context, _ string, do func(context.Context, querier) error) error { return do(ctx, tx) }})
		if committing && errors.Is(err, loopstate.ErrNotFound) {
			return nil // our own commit succeeded, but its answer was lost
		}
		if err != nil {
			return err
		}
		if err := remove(ctx, tx, loop, sweep.Texts()); err != nil {
			return err
		}
		committing = true
		return tx.Commit(ctx)
	})
	if err != nil {
		return err
	}
	s.base.Watches.Deleted(loop)
	s.hints.add(loop)
	return nil
}

// remove starts with the head, which waits for a PutSnapshot in progress.
func remove(ctx context.Context, tx pgx.Tx, loop string, texts []loopstate.Hash) error {
	for _, query := range []string{
		`DELETE FROM citeloop_heads WHERE loop = $1`, `DELETE FROM citeloop_snapshots WHERE loop = $1`, `DELETE FROM citeloop_events WHERE loop = $1`,
	} {
		if _, err := tx.Exec(ctx, query, loop); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(texts, removeTexts) {
		if _, err := tx.Exec(ctx, `DELETE FROM citeloop_blobs WHERE hash = ANY ($1)`, keys(some)); err != nil {
			return err
		}
	}
	return nil
}

func keys(hashes []loopstate.Hash) [][]byte {
	out := make([][]byte, len(hashes))
	for i, h := range hashes {
		out[i] = h[:]
	}
	return out
}

var _ storage.Logs = logs{}

// Ends reads the heads with their events. Load detects missing events.
func (l logs) Ends(ctx context.Context) (ends []loopstate.Event, err error) {
	err = l.do(ctx, "delete", func(ctx context.Context, db querier) error {
		rows, err := db.Query(ctx, `SELECT head.loop, head.seq, coalesce(e.op, ''), coalesce(e.at, '')
			FROM citeloop_heads AS head LEFT JOIN citeloop_events AS e ON e.loop = head.loop AND e.seq = head.seq`)
		if err != nil {
			return err
		}
		ends, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (e loopstate.Event, err error) {
			var at string
			if err = row.Scan(&e.Loop, &e.Seq, &e.Op, &at); err == nil && at != "" {
				e.At, err = storage.ParseTime(at)
			}
			return e, err
		})
		return err
	})
	return ends, err
}

func (l logs) Kept(ctx context.Context, hashes []loopstate.Hash) (kept []loopstate.Hash, err error) {
	err = l.do(ctx, "delete", func(ctx context.Context, db querier) error {
		rows, err := db.Query(ctx, `SELECT hash FROM citeloop_blobs WHERE hash = ANY ($1)`, keys(hashes))
		if err != nil {
			return err
		}
		kept, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (h loopstate.Hash, err error) {
			var b []byte
			if err = row.Scan(&b); err == nil {
				copy(h[:], b)
			}
			return h, err
		})
		return err
	})
	return kept, err
}
