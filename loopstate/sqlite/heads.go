package sqlite

import (
	"context"
	"database/sql"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

func putHead(ctx context.Context, tx *sql.Tx, head loopstate.Head) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO heads (loop, owner, seq, query, round, status, updated_at, stored, readings)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (loop) DO UPDATE SET owner = excluded.owner, seq = excluded.seq, query = excluded.query,
			round = excluded.round, status = excluded.status, updated_at = excluded.updated_at, stored = excluded.stored,
			readings = excluded.readings`,
		head.Loop, head.Owner, head.Seq, head.Query, head.Round, head.Status, storage.FormatTime(head.UpdatedAt), head.Stored, head.Readings)
	return err
}

const selectHeads = `SELECT loop, seq, query, round, status, updated_at, stored, readings FROM heads WHERE owner = ?`

// Loops lists an owner's heads, last changed first.
func (s *Store) Loops(ctx context.Context, owner string) ([]loopstate.Head, error) {
	return s.heads(ctx, owner, selectHeads+` ORDER BY updated_at DESC, loop`, owner)
}

// Reviewed lists the heads of loops with readings.
func (s *Store) Reviewed(ctx context.Context, owner string, limit int) ([]loopstate.Head, error) {
	return s.heads(ctx, owner, selectHeads+` AND readings > 0 ORDER BY updated_at DESC, loop LIMIT ?`, owner, max(limit, 0))
}

func (s *Store) heads(ctx context.Context, owner, query string, args ...any) ([]loopstate.Head, error) {
	var heads []loopstate.Head
	err := s.read(ctx, func(scan scanner) (bool, error) {
		h := loopstate.Head{Owner: owner}
		var updated string
		if err := scan(&h.Loop, &h.Seq, &h.Query, &h.Round, &h.Status, &updated, &h.Stored, &h.Readings); err != nil {
			return false, err
		}
		var err error
		h.UpdatedAt, err = storage.ParseTime(updated)
		heads = append(heads, h)
		return true, err
	}, query, args...)
	if err != nil {
		return nil, s.explain(ctx, "list loops", err)
	}
	return heads, nil
}

// Stored sums the bytes in the owner's heads.
func (s *Store) Stored(ctx context.Context, owner string) (stored int64, err error) {
	_, err = s.readOne(ctx, []any{&stored}, `SELECT coalesce(sum(stored), 0) FROM heads WHERE owner = ?`, owner)
	return stored, s.explain(ctx, "count stored bytes", err)
}
