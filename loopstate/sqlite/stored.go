package sqlite

import (
	"context"
	"database/sql"
	"iter"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Stored sums the bytes in the owner's heads.
func (s *Store) Stored(ctx context.Context, owner string) (int64, error) {
	var stored, uncounted int64
	if _, err := s.readOne(ctx, []any{&stored, &uncounted}, `SELECT coalesce(sum(stored), 0), count(*) - count(stored) FROM heads WHERE owner = ?`, owner); err != nil {
		return 0, s.explain(ctx, "count stored bytes", err)
	}
	if uncounted == 0 {
		return stored, nil
	}
	older, err := s.countOlder(ctx, owner)
	return stored + older, err
}

// countOlder counts the loops whose head was written by a version that did not count.
func (s *Store) countOlder(ctx context.Context, owner string) (total int64, err error) {
	var loops []string
	err = s.read(ctx, func(scan scanner) (bool, error) {
		var loop string
		err := scan(&loop)
		loops = append(loops, loop)
		return true, err
	}, `SELECT loop FROM heads WHERE owner = ? AND stored IS NULL`, owner)
	if err != nil {
		return 0, s.explain(ctx, "count stored bytes", err)
	}
	load := func(loop string) iter.Seq2[loopstate.Event, error] { return s.Load(ctx, loop, 0) }
	return storage.CountOlder(loops, load, func(loop string, seq, stored int64) error {
		return s.keepCount(ctx, loop, seq, stored)
	})
}

// keepCount stores the bytes of a log up to seq, unless an append has stored them already.
func (s *Store) keepCount(ctx context.Context, loop string, seq, stored int64) error {
	return s.write(ctx, "count stored bytes", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE heads SET stored = ? WHERE loop = ? AND seq = ? AND stored IS NULL`, stored, loop, seq)
		return err
	})
}
