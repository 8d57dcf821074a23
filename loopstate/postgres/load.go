package postgres

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/rowformat"
)

// A load reads this much at a time and then lets go of its connection. Chosen: the statement's fixed cost is
// spread over many events, and a page of them is no burden for memory.
const (
	pageEvents = 512
	pageBytes  = 1 << 20 // of Event.Data; a page ends with the event that reaches it
)

// Load yields the log as it is at the moment of the first event; what is appended meanwhile is left for the
// next Load. A hole in the log is an error.
func (s *Store) Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		after, end := max(after, 0), int64(math.MaxInt64)
		for after < end {
			var page []loopstate.Event
			var err error
			page, end, err = s.page(ctx, loop, after, end)
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
				after = e.Seq
			}
		}
	}
}

// selectPage reads the head and the events behind it in one look at the database. Without events in the
// range there is one row, with the number 0; without a head there is none. The sum ends the page in the
// server, because rows that are not wanted would still have to be received; the length of data is known
// without reading it.
const selectPage = `SELECT least(head.seq, $3), coalesce(e.seq, 0), coalesce(e.at, ''), coalesce(e.kind, ''),
		coalesce(e.version, 0), coalesce(e.op, ''), coalesce(e.data, '')
	FROM citeloop_heads AS head LEFT JOIN LATERAL (
		SELECT *, sum(octet_length(data)) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) - octet_length(data) AS before
		FROM (SELECT * FROM citeloop_events
			WHERE loop = $1 AND seq > $2 AND seq <= least(head.seq, $3) ORDER BY seq LIMIT $4) AS few
	) AS e ON e.before < $5
	WHERE head.loop = $1 ORDER BY e.seq`

// page reads the next events after after and up to end, at least one if there are any; last is where the
// log ends, or end if it is longer.
func (s *Store) page(ctx context.Context, loop string, after, end int64) (page []loopstate.Event, last int64, err error) {
	if !loopstate.Keepable(loop) {
		loop = "" // no loop has either name
	}
	err = s.read(ctx, "load", func(ctx context.Context, conn *pgxpool.Conn) error {
		page, last = nil, 0
		rows, err := conn.Query(ctx, selectPage, loop, after, end, pageEvents, pageBytes)
		if err != nil {
			return err
		}
		e := loopstate.Event{Loop: loop}
		var at string
		var data []byte
		_, err = pgx.ForEachRow(rows, []any{&last, &e.Seq, &at, &e.Kind, &e.Version, &e.Op, &data}, func() (err error) {
			want := after + 1 + int64(len(page))
			switch {
			case e.Seq == 0 && last <= after:
				return nil
			case e.Seq != want:
				return s.damaged(fmt.Errorf("event %d of loop %s is missing", want, loop))
			}
			e.Data = data // each row has bytes of its own
			e.At, err = rowformat.ParseTime(at)
			page = append(page, e)
			return err
		})
		return err
	})
	return page, last, err
}
