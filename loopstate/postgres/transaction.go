package postgres

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// createTimeout bounds the transaction of Create; each of its statements has the server's deadline.
	createTimeout = 10 * time.Minute
	// createBatch is how many events one statement of Create writes.
	createBatch = 256

	createHead = `INSERT INTO citeloop_heads (loop, owner, seq, query, round, status, updated_at, stored, readings)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (loop) DO NOTHING`
	createEvents = `WITH named AS (
			INSERT INTO citeloop_named (hash, loop) SELECT hash, $1 FROM unnest($8::bytea[]) AS named (hash) ON CONFLICT DO NOTHING)
		INSERT INTO citeloop_events (loop, seq, at, kind, version, op, data)
		SELECT $1, $2::bigint + e.n, e.at, e.kind, e.version, e.op, e.data
		FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bytea[], $7::text[]) WITH ORDINALITY AS e (at, kind, version, data, op, n)`
)

// Create writes the head first: it blocks other writers of the loop. ctx does not cancel a Create whose transaction has
// started. [ErrUnavailable] leaves the outcome open.
func (d database) Create(ctx context.Context, head loopstate.Head, log iter.Seq2[loopstate.Event, error]) error {
	return d.transact(ctx, createTimeout, "create", func(ctx context.Context, tx pgx.Tx, committing bool) error {
		done, err := tx.Exec(ctx, createHead, storage.HeadColumns(head)...)
		switch {
		case err != nil:
			return err
		case done.RowsAffected() == 0 && committing:
			return errDone
		case done.RowsAffected() == 0:
			return d.refusal(ctx, tx, head.Loop, 0, "")
		}
		at, batch, ops := int64(0), make([]loopstate.Event, 0, createBatch), make([]string, 0, createBatch)
		flush := func() error {
			_, err := tx.Exec(ctx, createEvents, slices.Concat([]any{head.Loop, at}, columns(batch), []any{ops, keys(storage.Named(batch))})...)
			at, batch, ops = at+int64(len(batch)), batch[:0], ops[:0]
			return err
		}
		for e, err := range log {
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
	})
}

// deleteTimeout bounds the transaction that deletes. Measured: a loop of 10,000 texts takes one second. Blocked calls have
// their own deadline.
const deleteTimeout = time.Minute

// lockHeads blocks appends, which write a head, and other Deletes until the transaction ends. Reads, texts and snapshots
// are not blocked. It is the transaction's first lock, and a blocked append holds none that the transaction needs, so
// there is no deadlock.
const lockHeads = `LOCK TABLE citeloop_heads IN SHARE ROW EXCLUSIVE MODE`

// Delete implements [storage.Database]. ctx does not cancel a Delete whose transaction has started. [ErrUnavailable] leaves the
// outcome open.
func (d database) Delete(ctx context.Context, loop string) error {
	return d.transact(ctx, deleteTimeout, "delete", func(ctx context.Context, tx pgx.Tx, committing bool) error {
		if _, err := tx.Exec(ctx, lockHeads); err != nil {
			return err
		}
		err := storage.DeleteLoop(loop, func(statement, loop string) (int64, error) { // the head's waits for a PutSnapshot in progress
			done, err := tx.Exec(ctx, statement, loop)
			return done.RowsAffected(), err
		})
		if committing && errors.Is(err, loopstate.ErrNotFound) {
			return errDone
		}
		return err
	})
}

// errDone ends a transaction that has nothing to do, such as one whose commit succeeded while its answer was lost.
var errDone = errors.New("postgres: already done")

// ChangeTurn locks the row by updating it. A broken connection may have taken a turn: the retry takes another one, and the
// first stays unused.
func (d database) ChangeTurn(ctx context.Context, name string, change func(t *storage.Turn, now int64) bool) error {
	return d.call(ctx, "turn", func(ctx context.Context, conn *pgxpool.Conn) error {
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			var t storage.Turn
			var now int64
			err := tx.QueryRow(ctx, `INSERT INTO citeloop_turns AS t (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name
				RETURNING t.next, t.held, `+serverNow, name).Scan(&t.Next, &t.Held, &now)
			if err == nil && !change(&t, now) {
				err = errDone
			}
			if err != nil {
				return err
			}
			_, err = tx.Exec(ctx, `WITH unused AS (DELETE FROM citeloop_turns WHERE name IN (
					SELECT name FROM citeloop_turns WHERE greatest(next, held) < $4 AND name <> $1 FOR UPDATE SKIP LOCKED))
				UPDATE citeloop_turns SET next = $2, held = $3 WHERE name = $1`,
				name, t.Next, t.Held, now-storage.TurnsKept.Microseconds())
			return err
		})
		if err == errDone {
			return nil
		}
		return err
	})
}
