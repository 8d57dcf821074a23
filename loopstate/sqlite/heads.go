package sqlite

import (
	"context"
	"database/sql"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

func putHead(ctx context.Context, tx *sql.Tx, head loopstate.Head) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO heads (loop, owner, seq, query, round, status, updated_at, stored)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (loop) DO UPDATE SET owner = excluded.owner, seq = excluded.seq, query = excluded.query,
			round = excluded.round, status = excluded.status, updated_at = excluded.updated_at, stored = excluded.stored`,
		head.Loop, head.Owner, head.Seq, head.Query, head.Round, head.Status, storage.FormatTime(head.UpdatedAt), head.Stored)
	return err
}

// Loops lists an owner's heads, last changed first.
func (s *Store) Loops(ctx context.Context, owner string) ([]loopstate.Head, error) {
	var heads []loopstate.Head
	err := s.read(ctx, func(scan scanner) (bool, error) {
		h := loopstate.Head{Owner: owner}
		var updated string
		if err := scan(&h.Loop, &h.Seq, &h.Query, &h.Round, &h.Status, &updated, &h.Stored); err != nil {
			return false, err
		}
		var err error
		h.UpdatedAt, err = storage.ParseTime(updated)
		heads = append(heads, h)
		return true, err
	}, `SELECT loop, seq, query, round, status, updated_at, coalesce(stored, 0) FROM heads
		WHERE owner = ? ORDER BY updated_at DESC, loop`, owner)
	if err != nil {
		return nil, s.explain(ctx, "list loops", err)
	}
	return heads, nil
}
