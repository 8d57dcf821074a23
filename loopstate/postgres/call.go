package postgres

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate/storage"
)

const (
	// tries of one call, and the wait before the second, which triples: 10 ms to 810 ms, 1.2 s in total. A fail-over within
	// that time goes unnoticed.
	tries     = 6
	firstWait = 10 * time.Millisecond
)

// grace is how much longer than the server's deadline a call waits for the server's error, which confirms that nothing
// was written.
const grace = 2 * time.Second

// Query implements [storage.Database].
func (d database) Query(ctx context.Context, op string, read func(storage.Rows) error, query string, args ...any) error {
	return d.call(ctx, op, func(ctx context.Context, conn *pgxpool.Conn, _ bool) error {
		rows, err := conn.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		return read(rows)
	})
}

// aloneTimeout bounds a change that runs alone, which deletes. Measured: a loop of 10,000 texts takes one second. Blocked calls have
// their own deadline.
const aloneTimeout = 50 * time.Second

// lockHeads blocks appends, which write a head, and other deletions until the transaction ends. Reads are not blocked. It is the
// transaction's first lock, and a blocked append holds none that the transaction needs, so there is no deadlock.
const lockHeads = `LOCK TABLE citeloop_heads IN SHARE ROW EXCLUSIVE MODE`

// Write implements [storage.Database]. The transaction is READ COMMITTED, whatever the server's default: a writer waits for another
// writer of the head and then sees what that one has written.
func (d database) Write(ctx context.Context, change storage.Change) error {
	within := d.options.Timeout
	if change.Alone {
		within = aloneTimeout
	}
	return d.write(ctx, change.Op, within, func(ctx context.Context, conn *pgxpool.Conn, again bool) error {
		err := pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error { return run(ctx, tx, change) })
		if done := false; again && errors.Is(err, change.Refused) {
			asked := conn.QueryRow(ctx, change.Done.Text, change.Done.Args...).Scan(&done)
			if asked != nil || done { // the try before, whose answer was lost, has made the change
				return asked
			}
		}
		return err
	})
}

// run makes a change, in two round trips.
func run(ctx context.Context, tx pgx.Tx, change storage.Change) error {
	if change.Alone {
		if _, err := tx.Exec(ctx, lockHeads); err != nil {
			return err
		}
	}
	found, err := tx.Exec(ctx, change.First.Text, change.First.Args...)
	if err != nil || found.RowsAffected() == 0 {
		return cmp.Or(err, change.Refused)
	}
	var batch pgx.Batch
	for _, statement := range change.Rest {
		batch.Queue(statement.Text, statement.Args...)
	}
	return tx.SendBatch(ctx, &batch).Close()
}

// write runs do on a connection. ctx does not cancel it once it has started, because a cancelled write has an unknown
// outcome; within does, shortly after the server's deadline.
func (s *Store) write(ctx context.Context, op string, within time.Duration,
	do func(_ context.Context, _ *pgxpool.Conn, again bool) error) error {
	return s.call(ctx, op, func(ctx context.Context, conn *pgxpool.Conn, again bool) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within+grace)
		defer cancel()
		return do(ctx, conn, again)
	})
}

// call runs do on a connection, and retries it until it succeeds or fails permanently. ctx can cancel it. again tells do that
// the outcome of an earlier try is unknown, because its connection broke.
func (s *Store) call(ctx context.Context, op string, do func(_ context.Context, _ *pgxpool.Conn, again bool) error) error {
	if err := ctx.Err(); err != nil {
		return s.Explain(ctx, op, err)
	}
	limited, cancel := context.WithTimeout(ctx, s.options.Timeout+grace)
	defer cancel()
	wait, again := firstWait, false
	for try := 1; ; try++ {
		err := s.pool.AcquireFunc(limited, func(conn *pgxpool.Conn) error { return do(limited, conn, again) })
		gone := lost(err)
		again = again || gone
		if gone {
			s.pool.Reset() // other idle connections may be broken as well
		}
		if try == tries || !gone && !rolledBack(err) {
			return s.Explain(ctx, op, err)
		}
		select {
		case <-limited.Done():
			return s.Explain(ctx, op, err)
		case <-time.After(wait):
			wait *= 3
		}
	}
}
