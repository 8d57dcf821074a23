package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

const selectHeads = `SELECT loop, seq, query, round, status, updated_at, stored, readings FROM citeloop_heads WHERE owner = $1`

// Loops lists an owner's heads, last changed first.
func (s *Store) Loops(ctx context.Context, owner string) ([]loopstate.Head, error) {
	return s.heads(ctx, owner, selectHeads+` ORDER BY updated_at DESC, loop`, owner)
}

// Reviewed lists the heads of loops with readings.
func (s *Store) Reviewed(ctx context.Context, owner string, limit int) ([]loopstate.Head, error) {
	return s.heads(ctx, owner, selectHeads+` AND readings > 0 ORDER BY updated_at DESC, loop LIMIT $2`, owner, max(limit, 0))
}

func (s *Store) heads(ctx context.Context, owner, query string, args ...any) ([]loopstate.Head, error) {
	if !loopstate.Keepable(owner) {
		return nil, nil // no such owner can be stored
	}
	var heads []loopstate.Head
	err := s.call(ctx, "list loops", func(ctx context.Context, conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		heads, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (loopstate.Head, error) {
			h := loopstate.Head{Owner: owner}
			var updated string
			if err := row.Scan(&h.Loop, &h.Seq, &h.Query, &h.Round, &h.Status, &updated, &h.Stored, &h.Readings); err != nil {
				return h, err
			}
			var err error
			h.UpdatedAt, err = storage.ParseTime(updated)
			return h, err
		})
		return err
	})
	return heads, err
}

// Stored sums the bytes in the owner's heads.
func (s *Store) Stored(ctx context.Context, owner string) (stored int64, err error) {
	if !loopstate.Keepable(owner) {
		return 0, nil // no such owner can be stored
	}
	err = s.call(ctx, "count stored bytes", func(ctx context.Context, conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, `SELECT coalesce(sum(stored), 0)::bigint FROM citeloop_heads WHERE owner = $1`, owner).Scan(&stored)
	})
	return stored, err
}
