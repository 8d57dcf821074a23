package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
)

// Snapshot returns the stored snapshot. A snapshot of an event that is not in the log counts as missing; versions without
// Delete could leave one.
func (s *Store) Snapshot(ctx context.Context, loop string) (loopstate.Snapshot, error) {
	if !loopstate.Keepable(loop) {
		return loopstate.Snapshot{}, loopstate.ErrNotFound
	}
	snapshot := loopstate.Snapshot{Loop: loop}
	var packed []byte
	err := s.call(ctx, "snapshot", func(ctx context.Context, conn *pgxpool.Conn) error {
		err := conn.QueryRow(ctx, `SELECT kept.seq, kept.fold, kept.state
			FROM citeloop_snapshots AS kept JOIN citeloop_heads AS head ON head.loop = kept.loop AND head.seq >= kept.seq
			WHERE kept.loop = $1`, loop).
			Scan(&snapshot.Seq, &snapshot.Fold, &packed)
		if errors.Is(err, pgx.ErrNoRows) {
			return loopstate.ErrNotFound
		}
		return err
	})
	if err != nil {
		return loopstate.Snapshot{}, err
	}
	return s.base.Codec.UnpackSnapshot(snapshot, packed)
}

// PutSnapshot stores one snapshot per loop: the newest of the last fold version. It ignores a snapshot of an event that is
// not in the log, because its loop was deleted in the meantime. The lock on the head, which does not block appends, makes
// this statement and a Delete wait for each other.
func (s *Store) PutSnapshot(ctx context.Context, snapshot loopstate.Snapshot) error {
	packed, err := s.base.Codec.Pack(snapshot.State)
	if err != nil {
		return fmt.Errorf("postgres: put snapshot: %w", err)
	}
	return s.write(ctx, "put snapshot", func(ctx context.Context, conn *pgxpool.Conn) error {
		_, err := conn.Exec(ctx, `INSERT INTO citeloop_snapshots AS kept (loop, seq, fold, state)
			SELECT loop, $2, $3, $4 FROM citeloop_heads WHERE loop = $1 AND seq >= $2 FOR KEY SHARE
			ON CONFLICT (loop) DO UPDATE SET seq = excluded.seq, fold = excluded.fold, state = excluded.state
			WHERE excluded.fold <> kept.fold OR excluded.seq >= kept.seq`,
			snapshot.Loop, snapshot.Seq, snapshot.Fold, packed)
		return err
	})
}
