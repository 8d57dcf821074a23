package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
)

// Stored sums what the owner's heads say that their loops keep.
func (s *Store) Stored(ctx context.Context, owner string) (int64, error) {
	if !loopstate.Keepable(owner) {
		return 0, nil // fit lets no such owner in
	}
	var stored, uncounted int64
	err := s.read(ctx, "count stored bytes", func(ctx context.Context, conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, `SELECT coalesce(sum(stored), 0)::bigint, count(*) - count(stored) FROM citeloop_heads WHERE owner = $1`, owner).Scan(&stored, &uncounted)
	})
	if err != nil || uncounted == 0 {
		return stored, err
	}
	older, err := s.countOlder(ctx, owner)
	return stored + older, err
}

// countOlder counts the loops whose heads an older version wrote, and keeps what it counted. A log that is damaged
// counts as far as it can be read, and again the next time: its owner can still use the others. A replica of an
// older version beside this one leaves such heads too, and the count of others as it was until this version
// appends to them.
func (s *Store) countOlder(ctx context.Context, owner string) (total int64, err error) {
	var loops []string
	err = s.read(ctx, "count stored bytes", func(ctx context.Context, conn *pgxpool.Conn) error {
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
	for _, loop := range loops {
		stored, seq, err := loopstate.Stored(s.Load(ctx, loop, 0))
		switch {
		case err == nil:
			err = s.keepCount(ctx, loop, seq, stored)
		case errors.Is(err, ErrDamaged), errors.Is(err, loopstate.ErrNotFound): // or deleted meanwhile
			err = nil
		}
		if err != nil {
			return 0, err
		}
		total += stored
	}
	return total, nil
}

// keepCount writes what a log up to seq keeps, unless an append has said it meanwhile.
func (s *Store) keepCount(ctx context.Context, loop string, seq, stored int64) error {
	return s.write(ctx, "count stored bytes", func(ctx context.Context, conn *pgxpool.Conn) error {
		_, err := conn.Exec(ctx, `UPDATE citeloop_heads SET stored = $3 WHERE loop = $1 AND seq = $2 AND stored IS NULL`, loop, seq, stored)
		return err
	})
}
