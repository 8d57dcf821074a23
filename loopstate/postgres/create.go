package postgres

import (
	"context"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

const (
	// createTimeout bounds the transaction of Create; each of its statements has the server's deadline.
	createTimeout = 10 * time.Minute
	// createBatch is how many events one statement of Create writes.
	createBatch = 256
)

const (
	createHead = `INSERT INTO citeloop_heads (loop, owner, seq, query, round, status, updated_at, stored, readings)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (loop) DO NOTHING`
	createEvents = `WITH named AS (
			INSERT INTO citeloop_named (hash, loop) SELECT hash, $1 FROM unnest($8::bytea[]) AS named (hash) ON CONFLICT DO NOTHING)
		INSERT INTO citeloop_events (loop, seq, at, kind, version, op, data)
		SELECT $1, $2::bigint + e.n, e.at, e.kind, e.version, e.op, e.data
		FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bytea[], $7::text[]) WITH ORDINALITY AS e (at, kind, version, data, op, n)`
)

// Create writes a whole log and its head in one transaction. The head is written first: it blocks other writers of the
// loop. ctx does not cancel a Create whose transaction has started. [ErrUnavailable] leaves the outcome open.
func (s *Store) Create(ctx context.Context, head loopstate.Head, log iter.Seq2[loopstate.Event, error]) error {
	committing := false // a commit was sent, with unknown outcome
	err := s.writeWithin(ctx, createTimeout, "create", func(ctx context.Context, conn *pgxpool.Conn) error {
		tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback(ctx) }() // no effect after a commit
		done, err := tx.Exec(ctx, createHead, head.Loop, head.Owner, head.Seq, head.Query, head.Round, head.Status, storage.FormatTime(head.UpdatedAt), head.Stored, head.Readings)
		switch {
		case err != nil:
			return err
		case done.RowsAffected() == 0 && committing:
			return nil // our own commit succeeded, but its answer was lost
		case done.RowsAffected() == 0:
			return s.refusal(ctx, conn, head.Loop, 0, "")
		}
		if err := writeLog(ctx, tx, head, log); err != nil {
			return err
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

func writeLog(ctx context.Context, tx pgx.Tx, head loopstate.Head, log iter.Seq2[loopstate.Event, error]) error {
	at, batch, ops := int64(0), make([]loopstate.Event, 0, createBatch), make([]string, 0, createBatch)
	flush := func() error {
		_, err := tx.Exec(ctx, createEvents, append(append([]any{head.Loop, at}, columns(batch)...), ops, keys(storage.Named(batch)))...)
		at, batch, ops = at+int64(len(batch)), batch[:0], ops[:0]
		return err
	}
	for e, err := range storage.CheckCreate(head, log) {
		if err != nil {
			return err
		}
		if batch, ops = append(batch, e), append(ops, e.Op); len(batch) == createBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}
