package sqlite

import (
	"context"
	"fmt"
	"iter"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/rowformat"
)

// A load reads this much at a time and then lets go of its connection. Chosen: the statement's fixed cost is
// spread over many events, and a page of them is no burden for memory.
const (
	pageEvents = 512
	pageBytes  = 1 << 20 // of Event.Data; one event more than that is a page by itself
)

// Load yields the log as it is at the moment of the first event; what is appended meanwhile is left for the
// next Load. A hole in the log is an error, and it is ErrNotFound if the loop is deleted meanwhile, also if
// it begins again at once.
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

// page reads the next events after after and up to end, at least one. They follow last, if that is one:
// a log without it is another log.
func (s *Store) page(ctx context.Context, last loopstate.Event, loop string, after, end int64) ([]loopstate.Event, error) {
	page := make([]loopstate.Event, 0, min(end-after, pageEvents))
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
		return bytes < pageBytes, nil
	}, `SELECT seq, at, kind, version, op, data FROM events
		WHERE loop = ?1 AND seq > ?2 AND seq <= ?3
			AND (?4 = '' OR EXISTS (SELECT 1 FROM events WHERE loop = ?1 AND seq = ?2 AND op = ?4 AND at = ?5))
		ORDER BY seq LIMIT ?6`, loop, after, end, last.Op, rowformat.FormatTime(last.At), pageEvents)
	if err == nil && len(page) == 0 {
		err = s.nothing(ctx, loop, after)
	}
	return page, err
}

// nothing says why there is no event after after where one was: a loop that was deleted leaves no head, or
// begins again with one that fits its events.
func (s *Store) nothing(ctx context.Context, loop string, after int64) error {
	var last, head int64
	_, err := s.readOne(ctx, []any{&last, &head}, `SELECT
		coalesce((SELECT max(seq) FROM events WHERE loop = ?1), 0), coalesce((SELECT seq FROM heads WHERE loop = ?1), 0)`, loop)
	switch {
	case err != nil:
		return err
	case last == head:
		return fmt.Errorf("loop %s was deleted while it was read: %w", loop, loopstate.ErrNotFound)
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
	e.At, err = rowformat.ParseTime(at)
	return e, err
}
