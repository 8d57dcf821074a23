package postgres

import (
	"context"
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

// database implements [storage.Database] without making it methods of the store.
type database struct{ *Store }

var _ storage.Database = database{}

// Query implements [storage.Database].
func (d database) Query(ctx context.Context, op string, read func(storage.Rows) error, query string, args ...any) error {
	return d.call(ctx, op, func(ctx context.Context, conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		return read(rows)
	})
}

// Exec implements [storage.Database].
func (d database) Exec(ctx context.Context, op, statement string, args ...any) error {
	return d.write(ctx, op, func(ctx context.Context, conn *pgxpool.Conn) error {
		_, err := conn.Exec(ctx, statement, args...)
		return err
	})
}

// write runs do on a connection. ctx does not cancel it once it has started, because a cancelled write has an unknown
// outcome. The server's deadline bounds it.
func (s *Store) write(ctx context.Context, op string, do func(context.Context, *pgxpool.Conn) error) error {
	return s.writeWithin(ctx, s.options.Timeout+grace, op, do)
}

// writeWithin is write for several statements, each of which has the server's deadline; within bounds them all.
func (s *Store) writeWithin(ctx context.Context, within time.Duration, op string, do func(context.Context, *pgxpool.Conn) error) error {
	return s.call(ctx, op, func(ctx context.Context, conn *pgxpool.Conn) error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
		defer cancel()
		return do(ctx, conn)
	})
}

// transact runs the statements of do in one transaction. committing tells do that a commit was sent whose outcome is unknown: if
// it finds its work done, that was this call, and it returns errDone.
//
// It is READ COMMITTED, whatever the server's default: each statement sees what was committed before it.
func (s *Store) transact(ctx context.Context, within time.Duration, op string, do func(ctx context.Context, tx pgx.Tx, committing bool) error) error {
	committing := false
	return s.writeWithin(ctx, within, op, func(ctx context.Context, conn *pgxpool.Conn) error {
		tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback(ctx) }() // no effect after a commit
		switch err := do(ctx, tx, committing); {
		case err == errDone:
			return nil
		case err != nil:
			return err
		}
		committing = true
		return tx.Commit(ctx)
	})
}

// call runs do on a connection, and retries it until it succeeds or fails permanently. ctx can cancel it. do must be
// idempotent, because the outcome on a broken connection is unknown.
func (s *Store) call(ctx context.Context, op string, do func(context.Context, *pgxpool.Conn) error) error {
	leave, err := s.base.Enter()
	if err != nil {
		return s.explain(ctx, op, err)
	}
	defer leave()
	if err := ctx.Err(); err != nil {
		return s.explain(ctx, op, err)
	}
	limited, cancel := context.WithTimeout(ctx, s.options.Timeout+grace)
	defer cancel()
	wait := firstWait
	for try := 1; ; try++ {
		err = s.once(limited, do)
		gone := lost(err)
		if gone {
			s.pool.Reset() // other idle connections may be broken as well
		}
		if try == tries || !gone && !rolledBack(err) {
			return s.explain(ctx, op, err)
		}
		select {
		case <-limited.Done():
			return s.explain(ctx, op, err)
		case <-time.After(wait):
			wait *= 3
		}
	}
}

func (s *Store) once(ctx context.Context, do func(context.Context, *pgxpool.Conn) error) error {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	return do(ctx, conn)
}
