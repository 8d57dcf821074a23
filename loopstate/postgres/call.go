package postgres

import (
	"context"
	"time"

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
		return s.explain(ctx, op, err)
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
