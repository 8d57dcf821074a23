package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/citeloop/citeloop/loopstate"
)

// Stored sums what the owner's heads say that their loops keep.
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

// countOlder counts the loops whose heads an older version wrote, and keeps what it counted. A log that is damaged
// counts as far as it can be read, and again the next time: its owner can still use the others.
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
	leave, err := s.enter()
	if err != nil {
		return s.explain(ctx, "count stored bytes", err)
	}
	defer leave()
	return s.explain(ctx, "count stored bytes", s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE heads SET stored = ? WHERE loop = ? AND seq = ? AND stored IS NULL`, stored, loop, seq)
		return err
	}))
}
