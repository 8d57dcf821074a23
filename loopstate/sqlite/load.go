package sqlite

import (
	"context"
	"fmt"
	"iter"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Load yields the log as of the first event; later events are left to the next Load. A missing event is an error. The
// error is ErrNotFound if the loop is deleted in the meantime, even if it starts again at once.
func (s *Store) Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		fail := func(err error) { yield(loopstate.Event{}, s.explain(ctx, "load", err)) }
		after := max(after, 0)
		end, err := s.lastSeq(ctx, loop)
		if err != nil {
			fail(err)
			return
		}
		var last loopstate.Event // of the page before
		for after < end {
			page, err := s.page(ctx, last, loop, after, end)
			if err != nil {
				fail(err)
				return
			}
			for _, e := range page {
				if err := ctx.Err(); err != nil {
					fail(err)
					return
				}
				if !yield(e, nil) {
					return
				}
				after, last = e.Seq, e
			}
		}
	}
}

func (s *Store) lastSeq(ctx context.Context, loop string) (seq int64, err error) {
	_, err = s.readOne(ctx, []any{&seq}, `SELECT coalesce(max(seq), 0) FROM events WHERE loop = ?`, loop)
	return seq, err
}

// page reads the next events after after and up to end, at least one. If last is set, the log must still contain it:
// otherwise it is another log.
func (s *Store) page(ctx context.Context, last loopstate.Event, loop string, after, end int64) ([]loopstate.Event, error) {
	page := make([]loopstate.Event, 0, min(end-after, storage.PageEvents))
	bytes := 0
	err := s.read(ctx, func(scan scanner) (bool, error) {
		e, err := scanEvent(scan, loop)
		if err != nil {
			return false, err
		}
		if want := after + 1 + int64(len(page)); e.Seq != want {
			return false, s.hole(loop, want)
		}
		page = append(page, e)
		bytes += len(e.Data)
		return bytes < storage.PageBytes, nil
	}, `SELECT seq, at, kind, version, op, data FROM events
		WHERE loop = ?1 AND seq > ?2 AND seq <= ?3
			AND (?4 = '' OR EXISTS (SELECT 1 FROM events WHERE loop = ?1 AND seq = ?2 AND op = ?4 AND at = ?5))
		ORDER BY seq LIMIT ?6`, loop, after, end, last.Op, storage.FormatTime(last.At), storage.PageEvents)
	if err == nil && len(page) == 0 {
		err = s.nothing(ctx, loop, after)
	}
	return page, err
}

// nothing returns why an event after after has disappeared. A deleted loop has no head, or a new head that fits its
// events.
func (s *Store) nothing(ctx context.Context, loop string, after int64) error {
	var last, head int64
	_, err := s.readOne(ctx, []any{&last, &head}, `SELECT
		coalesce((SELECT max(seq) FROM events WHERE loop = ?1), 0), coalesce((SELECT seq FROM heads WHERE loop = ?1), 0)`, loop)
	switch {
	case err != nil:
		return err
	case last == head:
		return fmt.Errorf("loop %s was deleted during the load: %w", loop, loopstate.ErrNotFound)
	}
	return s.hole(loop, after+1)
}

func (s *Store) hole(loop string, seq int64) error {
	return s.damaged(fmt.Errorf("event %d of loop %s is missing", seq, loop))
}

func scanEvent(scan scanner, loop string) (loopstate.Event, error) {
	e := loopstate.Event{Loop: loop}
	var at string
	var data []byte
	err := scan(&e.Seq, &at, &e.Kind, &e.Version, &e.Op, &data)
	if err != nil {
		return e, err
	}
	e.Data = data
	e.At, err = storage.ParseTime(at)
	return e, err
}
