package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// tries of one call, and the wait before the second, which triples: 10 ms to 810 ms, 1.2 s together.
	// Chosen: a fail-over that answers by then is not noticed.
	tries     = 6
	firstWait = 10 * time.Millisecond
	// grace is how much longer than the server's deadline we wait for its word that it gave up: only that
	// word says that nothing was written.
	grace = 2 * time.Second
)

// read runs do on a connection. The context breaks it off.
func (s *Store) read(ctx context.Context, op string, do func(context.Context, *pgxpool.Conn) error) error {
	return s.call(ctx, op, do)
}

// write runs do on a connection, to its end once it has begun: who breaks off a write does not know whether
// it was done. The server's deadline bounds it.
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

// call tries until do succeeds or fails in a way that another try would not mend. What do does must bear
// being done twice, because a connection that broke does not say how far the server came.
func (s *Store) call(ctx context.Context, op string, do func(context.Context, *pgxpool.Conn) error) error {
	leave, err := s.enter()
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
			s.pool.Reset() // the other idle connections went the same way, if the server did
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
