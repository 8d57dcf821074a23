package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/citeloop/citeloop/loopstate"
)

// Snapshot returns the kept snapshot. One that cannot be read counts as none, because the log can still be
// folded, and so does one of an event that is not in the log, which a citeloop that knew no Delete may have
// left.
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
	snapshot.State, err = s.codec.Unpack(packed)
	if err != nil {
		return loopstate.Snapshot{}, fmt.Errorf("sqlite: %w: the snapshot of loop %s is damaged: %v", loopstate.ErrNotFound, loop, err)
	}
	return snapshot, nil
}

// PutSnapshot keeps one snapshot a loop: the newest of the fold that was used last. One of an event that is
// not in the log is not kept: its loop was deleted while it was made.
func (s *Store) PutSnapshot(ctx context.Context, snapshot loopstate.Snapshot) error {
	leave, err := s.enter()
	if err != nil {
		return s.explain(ctx, "put snapshot", err)
	}
	defer leave()
	packed, err := s.codec.Pack(snapshot.State)
	if err != nil {
		return fmt.Errorf("sqlite: put snapshot: %w", err)
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO snapshots (loop, seq, fold, state)
			SELECT loop, seq, ?3, ?4 FROM events WHERE loop = ?1 AND seq = ?2
			ON CONFLICT (loop) DO UPDATE SET seq = excluded.seq, fold = excluded.fold, state = excluded.state
			WHERE excluded.fold <> snapshots.fold OR excluded.seq >= snapshots.seq`,
			snapshot.Loop, snapshot.Seq, snapshot.Fold, packed)
		return err
	})
	return s.explain(ctx, "put snapshot", err)
}
