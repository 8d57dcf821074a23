package postgres

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Load yields the log as of the first event; later events are left to the next Load. A missing event is an error. The
// error is ErrNotFound if the loop is deleted in the meantime, even if it starts again at once.
func (s *Store) Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		after, end := max(after, 0), int64(math.MaxInt64)
		var last loopstate.Event // of the page before
		for after < end {
			var page []loopstate.Event
			var err error
			page, end, err = s.page(ctx, last, loop, after, end)
			if err != nil {
				yield(loopstate.Event{}, err)
				return
			}
			for _, e := range page {
				if err := ctx.Err(); err != nil {
					yield(loopstate.Event{}, s.explain(ctx, "load", err))
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

// selectPage reads the head and its events in one statement. If there are no events in the range, it returns one row with
// sequence number 0. It returns no row if the head is missing, or if the event before the page has changed. The sum ends
// the page in the server, so that no unused rows are sent; PostgreSQL knows the length of data without reading it.
const selectPage = `SELECT least(head.seq, $3), coalesce(e.seq, 0), coalesce(e.at, ''), coalesce(e.kind, ''),
		coalesce(e.version, 0), coalesce(e.op, ''), coalesce(e.data, '')
	FROM citeloop_heads AS head LEFT JOIN LATERAL (
		SELECT *, sum(octet_length(data)) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) - octet_length(data) AS before
		FROM (SELECT * FROM citeloop_events
			WHERE loop = $1 AND seq > $2 AND seq <= least(head.seq, $3) ORDER BY seq LIMIT $4) AS few
	) AS e ON e.before < $5
	WHERE head.loop = $1 AND ($6 = '' OR EXISTS (SELECT FROM citeloop_events WHERE loop = $1 AND seq = $2 AND op = $6 AND at = $7))
	ORDER BY e.seq`

// page reads the next events after after and up to end, at least one if there are any. to is the end of the log, or end if
// the log is longer. If last is set, the log must still contain it: otherwise it is another log.
func (s *Store) page(ctx context.Context, last loopstate.Event, loop string, after, end int64) (page []loopstate.Event, to int64, err error) {
	if !loopstate.Keepable(loop) {
		loop = "" // no loop has this name
	}
	err = s.call(ctx, "load", func(ctx context.Context, conn *pgxpool.Conn) error {
		page, to = nil, 0
		rows, err := conn.Query(ctx, selectPage, loop, after, end, storage.PageEvents, storage.PageBytes, last.Op, storage.FormatTime(last.At))
		if err != nil {
			return err
		}
		e := loopstate.Event{Loop: loop}
		var at string
		var data []byte
		found, err := pgx.ForEachRow(rows, []any{&to, &e.Seq, &at, &e.Kind, &e.Version, &e.Op, &data}, func() (err error) {
			want := after + 1 + int64(len(page))
			switch {
			case e.Seq == 0 && to <= after:
				return nil
			case e.Seq != want:
				return s.damaged(fmt.Errorf("event %d of loop %s is missing", want, loop))
			}
			e.Data = data // each row has its own bytes
			e.At, err = storage.ParseTime(at)
			page = append(page, e)
			return err
		})
		if err == nil && last.Op != "" && (found.RowsAffected() == 0 || to < end) {
			err = fmt.Errorf("postgres: loop %s was deleted during the load: %w", loop, loopstate.ErrNotFound)
		}
		return err
	})
	return page, to, err
}
