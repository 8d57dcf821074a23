package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/citeloop/citeloop/loopstate"
)

// Snapshot returns the stored snapshot. A snapshot of an event that is not in the log counts as missing; versions without
// Delete could leave one.
func (s *Store) Snapshot(ctx context.Context, loop string) (loopstate.Snapshot, error) {
	snapshot := loopstate.Snapshot{Loop: loop}
	var packed []byte
	found, err := s.readOne(ctx, []any{&snapshot.Seq, &snapshot.Fold, &packed},
		`SELECT seq, fold, state FROM snapshots AS kept WHERE loop = ? AND EXISTS (SELECT 1 FROM events WHERE loop = kept.loop AND seq = kept.seq)`, loop)
	if err != nil {
		return loopstate.Snapshot{}, s.explain(ctx, "snapshot", err)
	}
	if !found {
		return loopstate.Snapshot{}, loopstate.ErrNotFound
	}
	return s.base.Codec.UnpackSnapshot(snapshot, packed)
}

// PutSnapshot stores one snapshot per loop: the newest of the last fold version. It ignores a snapshot of an event that is
// not in the log, because its loop was deleted in the meantime.
func (s *Store) PutSnapshot(ctx context.Context, snapshot loopstate.Snapshot) error {
	packed, err := s.base.Codec.Pack(snapshot.State)
	if err != nil {
		return fmt.Errorf("sqlite: put snapshot: %w", err)
	}
	return s.write(ctx, "put snapshot", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO snapshots (loop, seq, fold, state)
			SELECT loop, seq, ?3, ?4 FROM events WHERE loop = ?1 AND seq = ?2
			ON CONFLICT (loop) DO UPDATE SET seq = excluded.seq, fold = excluded.fold, state = excluded.state
			WHERE excluded.fold <> snapshots.fold OR excluded.seq >= snapshots.seq`,
			snapshot.Loop, snapshot.Seq, snapshot.Fold, packed)
		return err
	})
}
