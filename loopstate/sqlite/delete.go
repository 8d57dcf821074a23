package sqlite

import (
	"cmp"
	"context"
	"database/sql"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Delete removes a loop in one transaction. It reads the whole log once before it takes the lock. Other writers wait only
// while it reads newer events and deletes the rows. Deleted data is overwritten (secure_delete). The file does not
// shrink, but its space is reused. After an error, nothing was deleted.
func (s *Store) Delete(ctx context.Context, loop string) error {
	sweep, err := storage.BeginSweep(ctx, logs{s}, loop)
	if err != nil {
		return err
	}
	var looked error // already explained
	err = s.write(ctx, "delete", func(tx *sql.Tx) error {
		// Readers see the same data as this transaction, which holds the write lock and has written nothing yet.
		if looked = sweep.Look(ctx, logs{s}); looked != nil {
			return looked
		}
		return remove(ctx, tx, loop, sweep.Texts())
	})
	if err = cmp.Or(looked, err); err != nil {
		return err
	}
	s.base.Watches.Deleted(loop)
	return nil
}

func remove(ctx context.Context, tx *sql.Tx, loop string, texts []loopstate.Hash) error {
	for _, query := range []string{`DELETE FROM heads WHERE loop = ?`, `DELETE FROM snapshots WHERE loop = ?`, `DELETE FROM events WHERE loop = ?`} {
		if _, err := tx.ExecContext(ctx, query, loop); err != nil {
			return err
		}
	}
	text, err := tx.PrepareContext(ctx, `DELETE FROM blobs WHERE hash = ?`)
	if err != nil {
		return err
	}
	defer text.Close()
	for _, h := range texts {
		if _, err := text.ExecContext(ctx, h[:]); err != nil {
			return err
		}
	}
	return nil
}

// logs implements [storage.Logs].
type logs struct{ *Store }

var _ storage.Logs = logs{}

// Ends reads the heads with their events. Load detects missing events.
func (l logs) Ends(ctx context.Context) ([]loopstate.Event, error) {
	var ends []loopstate.Event
	err := l.read(ctx, func(scan scanner) (bool, error) {
		var e loopstate.Event
		var at string
		if err := scan(&e.Loop, &e.Seq, &e.Op, &at); err != nil {
			return false, err
		}
		if at != "" {
			var err error
			if e.At, err = storage.ParseTime(at); err != nil {
				return false, err
			}
		}
		ends = append(ends, e)
		return true, nil
	}, `SELECT heads.loop, heads.seq, coalesce(events.op, ''), coalesce(events.at, '')
		FROM heads LEFT JOIN events ON events.loop = heads.loop AND events.seq = heads.seq`)
	return ends, l.explain(ctx, "delete", err)
}

// Kept reads one hash at a time, because an event names few.
func (l logs) Kept(ctx context.Context, hashes []loopstate.Hash) ([]loopstate.Hash, error) {
	var kept []loopstate.Hash
	for _, h := range hashes {
		var one int
		found, err := l.readOne(ctx, []any{&one}, `SELECT 1 FROM blobs WHERE hash = ?`, h[:])
		if err != nil {
			return nil, l.explain(ctx, "delete", err)
		}
		if found {
			kept = append(kept, h)
		}
	}
	return kept, nil
}
