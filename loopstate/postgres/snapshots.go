package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
)

// Snapshot returns the kept snapshot. One that cannot be read counts as none, because the log can still be
// folded.
func (s *Store) Snapshot(ctx context.Context, loop string) (loopstate.Snapshot, error) {
	if !loopstate.Keepable(loop) {
		return loopstate.Snapshot{}, loopstate.ErrNotFound
	}
	snapshot := loopstate.Snapshot{Loop: loop}
	var packed []byte
	err := s.read(ctx, "snapshot", func(ctx context.Context, conn *pgxpool.Conn) error {
		err := conn.QueryRow(ctx, `SELECT seq, fold, state FROM citeloop_snapshots WHERE loop = $1`, loop).
			Scan(&snapshot.Seq, &snapshot.Fold, &packed)
		if errors.Is(err, pgx.ErrNoRows) {
			return loopstate.ErrNotFound
		}
		return err
	})
	if err != nil {
		return loopstate.Snapshot{}, err
	}
	snapshot.State, err = s.codec.Unpack(packed)
	if err != nil {
		return loopstate.Snapshot{}, fmt.Errorf("postgres: %w: the snapshot of loop %s is damaged: %v", loopstate.ErrNotFound, loop, err)
	}
	return snapshot, nil
}

// PutSnapshot keeps one snapshot a loop: the newest of the fold that was used last.
func (s *Store) PutSnapshot(ctx context.Context, snapshot loopstate.Snapshot) error {
	packed, err := s.codec.Pack(snapshot.State)
	if err != nil {
		return fmt.Errorf("postgres: put snapshot: %w", err)
	}
	return s.write(ctx, "put snapshot", func(ctx context.Context, conn *pgxpool.Conn) error {
		_, err := conn.Exec(ctx, `INSERT INTO citeloop_snapshots AS kept (loop, seq, fold, state) VALUES ($1, $2, $3, $4)
			ON CONFLICT (loop) DO UPDATE SET seq = excluded.seq, fold = excluded.fold, state = excluded.state
			WHERE excluded.fold <> kept.fold OR excluded.seq >= kept.seq`,
			snapshot.Loop, snapshot.Seq, snapshot.Fold, packed)
		return err
	})
}
