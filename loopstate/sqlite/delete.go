package sqlite

import (
	"context"
	"database/sql"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/rowformat"
)

// Delete removes a loop in one transaction. It reads the whole log once, before it takes the lock; others who
// write wait only while what came meanwhile is read and the rows go. What was deleted is overwritten
// (secure_delete). The file stays as large as it was: the room is used again. An error means that nothing was
// deleted.
func (s *Store) Delete(ctx context.Context, loop string) error {
	leave, err := s.enter()
	if err != nil {
		return s.explain(ctx, "delete", err)
	}
	defer leave()
	sweep, err := loopstate.BeginSweep(ctx, logs{s}, loop)
	if err != nil {
		return err
	}
	var looked error // explained already
	err = s.write(ctx, func(tx *sql.Tx) error {
		// The readers see what this transaction sees: it has the write lock, and has written nothing yet.
		if looked = sweep.Look(ctx, logs{s}); looked != nil {
			return looked
		}
		return remove(ctx, tx, loop, sweep.Texts())
	})
	switch {
	case looked != nil:
		return looked
	case err != nil:
		return s.explain(ctx, "delete", err)
	}
	s.watches.Gone(loop)
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

// logs is a store as a sweep sees it.
type logs struct{ *Store }

var _ loopstate.Logs = logs{}

// Ends reads the heads, and for each its event. An event that is missing is found by Load.
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
			if e.At, err = rowformat.ParseTime(at); err != nil {
				return false, err
			}
		}
		ends = append(ends, e)
		return true, nil
	}, `SELECT heads.loop, heads.seq, coalesce(events.op, ''), coalesce(events.at, '')
		FROM heads LEFT JOIN events ON events.loop = heads.loop AND events.seq = heads.seq`)
	return ends, l.explain(ctx, "delete", err)
}

// Kept asks for one hash after the other: an event names few.
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
