package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/rowformat"
)

const (
	// deleteTimeout bounds the transaction that deletes. Chosen: a loop of 10,000 texts took one second,
	// and no call that it holds up waits longer than its own deadline.
	deleteTimeout = time.Minute
	// removeTexts is how many texts go in one statement, so that each ends long before the server's deadline.
	removeTexts = 1000
)

// lockHeads holds off every append until the transaction ends, because each writes a head, and every other
// Delete. Reading goes on, and so does keeping texts and snapshots. It is the first lock that the transaction
// takes, and an append that waits for it has none that the transaction needs: nobody waits in a circle.
const lockHeads = `LOCK TABLE citeloop_heads IN SHARE ROW EXCLUSIVE MODE`

// Delete removes a loop in one transaction. It reads the whole log once, before appends are held off; they
// wait only while what came meanwhile is read and the rows go. A Delete whose transaction has begun is not
// broken off by ctx. An error means that nothing was deleted, except [ErrUnavailable], which leaves it open.
func (s *Store) Delete(ctx context.Context, loop string) error {
	sweep, err := loopstate.BeginSweep(ctx, logs{s, s.look}, loop)
	if err != nil {
		return err
	}
	committing := false // the server was told to, and may have
	err = s.writeWithin(ctx, deleteTimeout, "delete", func(ctx context.Context, conn *pgxpool.Conn) error {
		// READ COMMITTED, whatever the server is set to: each statement sees what was appended before the lock.
		tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback(ctx) }() // after a commit it does nothing
		if _, err := tx.Exec(ctx, lockHeads); err != nil {
			return err
		}
		err = sweep.Look(ctx, logs{s, func(ctx context.Context, _ string, do func(context.Context, querier) error) error { return do(ctx, tx) }})
		if committing && errors.Is(err, loopstate.ErrNotFound) {
			return nil // the answer to our own commit was lost
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
	s.watches.Gone(loop)
	s.hints.add(loop)
	return nil
}

// remove begins with the head, which waits for a snapshot that is being kept.
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

var _ loopstate.Logs = logs{}

// Ends reads the heads, and for each its event. An event that is missing is found by Load.
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
				e.At, err = rowformat.ParseTime(at)
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
