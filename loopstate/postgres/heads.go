package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Loops lists an owner's heads, last changed first.
func (s *Store) Loops(ctx context.Context, owner string) ([]loopstate.Head, error) {
	if !loopstate.Keepable(owner) {
		return nil, nil // no such owner can be stored
	}
	var heads []loopstate.Head
	err := s.read(ctx, "list loops", func(ctx context.Context, conn *pgxpool.Conn) error {
		rows, err := conn.Query(ctx, `SELECT loop, seq, query, round, status, updated_at, coalesce(stored, 0) FROM citeloop_heads
			WHERE owner = $1 ORDER BY updated_at DESC, loop`, owner)
		if err != nil {
			return err
		}
		heads, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (loopstate.Head, error) {
			h := loopstate.Head{Owner: owner}
			var updated string
			if err := row.Scan(&h.Loop, &h.Seq, &h.Query, &h.Round, &h.Status, &updated, &h.Stored); err != nil {
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
