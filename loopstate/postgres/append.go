package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// The head guards an append: its sequence number is written with the events. A writer waits for another writer of the row
// and then checks the number again (READ COMMITTED). At a stricter isolation level it is rolled back and retries.
const (
	appendFirst = `WITH head AS (
		INSERT INTO citeloop_heads (loop, owner, seq, query, round, status, updated_at, stored)
		SELECT $1::text, $2::text, $3::bigint, $4::text, $5::bigint, $6::text, $7::text, $8::bigint WHERE $9::bigint = 0
		ON CONFLICT (loop) DO NOTHING
		RETURNING loop)` + insertEvents
	appendNext = `WITH head AS (
		UPDATE citeloop_heads AS old SET owner = $2, seq = $3, query = $4, round = $5, status = $6, updated_at = $7,
			stored = old.stored + $8::bigint
		WHERE loop = $1 AND seq = $9
		RETURNING loop)` + insertEvents
	insertEvents = `, kept AS (
		INSERT INTO citeloop_blobs AS old (hash, text)
		SELECT new.hash, new.text FROM head, unnest($10::bytea[], $11::bytea[]) AS new (hash, text)
		ON CONFLICT (hash) DO UPDATE SET text = excluded.text WHERE old.text <> excluded.text), named AS (
		INSERT INTO citeloop_named (hash, loop)
		SELECT named.hash, head.loop FROM head, unnest($12::bytea[]) AS named (hash)
		ON CONFLICT DO NOTHING)
		INSERT INTO citeloop_events (loop, seq, at, kind, version, op, data)
		SELECT head.loop, $9::bigint + e.n, e.at, e.kind, e.version, e.op, e.data
		FROM head, unnest($13::text[], $14::text[], $15::bigint[], $16::text[], $17::bytea[])
			WITH ORDINALITY AS e (at, kind, version, op, data, n)`
)

// Append implements [storage.Database] in one statement. ctx does not cancel an append that has reached the server;
// Options.Timeout does.
func (d database) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event, texts []storage.Text,
	named []loopstate.Hash) error {
	query := appendNext
	if at == 0 {
		query = appendFirst
	}
	var hashes, bodies, names, data [][]byte
	for _, text := range texts {
		hashes, bodies = append(hashes, text.Hash[:]), append(bodies, text.Packed)
	}
	for _, h := range named {
		names = append(names, h[:])
	}
	var ats, kinds, ops []string
	var versions []int64
	for _, e := range events {
		ats, kinds, versions = append(ats, storage.FormatTime(e.At)), append(kinds, e.Kind), append(versions, int64(e.Version))
		ops, data = append(ops, e.Op), append(data, append([]byte{}, e.Data...)) // nil would be NULL
	}
	args := append(storage.HeadColumns(head), at, hashes, bodies, names, ats, kinds, versions, ops, data)
	return d.write(ctx, "append", d.options.Timeout, func(ctx context.Context, conn *pgxpool.Conn, again bool) error {
		done, err := conn.Exec(ctx, query, args...)
		if err != nil || done.RowsAffected() == int64(len(events)) {
			return err
		}
		return refusal(ctx, conn, at, events[len(events)-1], again)
	})
}

// refusal returns why nothing was written: nil if a try before, whose answer was lost, has written the events.
func refusal(ctx context.Context, conn *pgxpool.Conn, at int64, last loopstate.Event, again bool) error {
	var done bool
	err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM citeloop_events WHERE loop = $1 AND seq = $2 AND op = $3 AND at = $4)`,
		last.Loop, last.Seq, last.Op, storage.FormatTime(last.At)).Scan(&done)
	if err != nil || done && again {
		return err
	}
	return storage.Conflict(last.Loop, at)
}

// deleteTimeout bounds the transaction that deletes. Measured: a loop of 10,000 texts takes one second. Blocked calls have
// their own deadline.
const deleteTimeout = 50 * time.Second

// lockHeads blocks appends, which write a head, and other Deletes until the transaction ends. Reads are not blocked. It is the
// transaction's first lock, and a blocked append holds none that the transaction needs, so there is no deadlock.
const lockHeads = `LOCK TABLE citeloop_heads IN SHARE ROW EXCLUSIVE MODE`

// Delete implements [storage.Database]. ctx does not cancel a Delete whose transaction has started. The transaction is READ
// COMMITTED, whatever the server's default: each statement sees what was committed before it.
func (d database) Delete(ctx context.Context, loop string) error {
	return d.write(ctx, "delete", deleteTimeout, func(ctx context.Context, conn *pgxpool.Conn, again bool) error {
		err := pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, lockHeads); err != nil {
				return err
			}
			return storage.DeleteLoop(loop, func(statement, loop string) (int64, error) {
				done, err := tx.Exec(ctx, statement, loop)
				return done.RowsAffected(), err
			})
		})
		if again && errors.Is(err, loopstate.ErrNotFound) { // the try before has deleted it
			return nil
		}
		return err
	})
}
