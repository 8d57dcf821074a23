package storage

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/citeloop/citeloop/loopstate"
)

// Limits of a page of [Tables.Load], which holds no connection between two pages. The fixed cost of a statement is shared by
// many events, and a page takes little memory.
const (
	pageEvents = 512
	pageBytes  = 1 << 20 // of Event.Data; a page ends with the event that reaches it
)

// Load yields the log as of the first event; later events are left to the next Load. A missing event is an error. The
// error is ErrNotFound if the loop is deleted in the meantime, even if it starts again at once.
func (t Tables) Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		if !loopstate.Keepable(loop) {
			return // no loop has this name
		}
		after, end := max(after, 0), int64(math.MaxInt64)
		var last loopstate.Event // of the page before
		for after < end {
			var page []loopstate.Event
			var err error
			if page, end, err = t.page(ctx, last, loop, after, end); err != nil {
				yield(loopstate.Event{}, err)
				return
			}
			for _, e := range page {
				if err := ctx.Err(); err != nil {
					yield(loopstate.Event{}, fmt.Errorf("%s: load: %w", t.dialect.Name, err))
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

// page reads the next events after after and up to end, at least one if there are any. to is the end of the log, or end if
// the log is longer. If last is set, the log must still contain it: otherwise it is another log.
//
// [Dialect.Page] is one statement for the head and its events. If there are no events in the range, it returns one row with
// sequence number 0. It returns no row if the head is missing, or if the event before the page has changed. $1 to $7 are the
// loop, after, end, the limits of a page, and the operation and the time of last.
func (t Tables) page(ctx context.Context, last loopstate.Event, loop string, after, end int64) (page []loopstate.Event, to int64, err error) {
	err = t.db.Query(ctx, "load", func(rows Rows) error {
		page, to = nil, 0
		for bytes := 0; bytes < pageBytes && rows.Next(); {
			e := loopstate.Event{Loop: loop}
			var at string
			var data []byte
			if err := rows.Scan(&to, &e.Seq, &at, &e.Kind, &e.Version, &e.Op, &data); err != nil {
				return err
			}
			to = min(to, end)
			want := after + 1 + int64(len(page))
			switch {
			case e.Seq == 0 && to <= after:
				continue
			case e.Seq != want:
				return t.db.Damaged(fmt.Errorf("event %d of loop %s is missing", want, loop))
			}
			e.Data = data
			if e.At, err = ParseTime(at); err != nil {
				return err
			}
			page, bytes = append(page, e), bytes+len(data)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		if last.Op != "" && (len(page) == 0 || to < end) {
			return fmt.Errorf("%s: loop %s was deleted during the load: %w", t.dialect.Name, loop, loopstate.ErrNotFound)
		}
		return nil
	}, t.dialect.Page, loop, after, end, pageEvents, pageBytes, last.Op, FormatTime(last.At))
	return page, to, err
}
