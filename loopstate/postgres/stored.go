package postgres

import (
	"context"
	"iter"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Stored sums the bytes in the owner's heads.
func (s *Store) Stored(ctx context.Context, owner string) (int64, error) {
	if !loopstate.Keepable(owner) {
		return 0, nil // no such owner can be stored
	}
	var stored, uncounted int64
	err := s.call(ctx, "count stored bytes", func(ctx context.Context, conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, `SELECT coalesce(sum(stored), 0)::bigint, count(*) - count(stored) FROM citeloop_heads WHERE owner = $1`, owner).Scan(&stored, &uncounted)
	})
	if err != nil || uncounted == 0 {
		return stored, err
	}
	older, err := s.countOlder(ctx, owner)
	return stored + older, err
}

// countOlder counts the loops whose head was written by a version that did not count. A replica of such a version may
// still run beside this one.
func (s *Store) countOlder(ctx context.Context, owner string) (total int64, err error) {
	var loops []string
	err = s.call(ctx, "count stored bytes", func(ctx context.Context, conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, `SELECT loop FROM citeloop_heads WHERE owner = $1 AND stored IS NULL`, owner)
		if err != nil {
			return err
		}
		loops, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	if err != nil {
		return 0, err
	}
	load := func(loop string) iter.Seq2[loopstate.Event, error] { return s.Load(ctx, loop, 0) }
	return storage.CountOlder(loops, load, func(loop string, seq, stored int64) error {
		return s.write(ctx, "count stored bytes", func(ctx context.Context, conn *pgxpool.Conn) error { // unless an append has counted it
			_, err := conn.Exec(ctx, `UPDATE citeloop_heads SET stored = $3 WHERE loop = $1 AND seq = $2 AND stored IS NULL`, loop, seq, stored)
			return err
		})
	})
}
