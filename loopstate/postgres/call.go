package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// tries of one call, and the wait before the second, which triples: 10 ms to 810 ms, 1.2 s in total. A fail-over within
	// that time goes unnoticed.
	tries     = 6
	firstWait = 10 * time.Millisecond
)

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

// call runs do on a connection, and retries it until it succeeds or fails permanently. ctx can cancel it. do must be
// idempotent, because the outcome on a broken
// connection is unknown.
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
