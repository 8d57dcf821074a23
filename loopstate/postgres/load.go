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
// next Load. A hole in the log is an error, and it is ErrNotFound if the loop is deleted meanwhile, also if
// it begins again at once.
func (s *Store) Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	return logs{s, s.look}.Load(ctx, loop, after)
}

// logs reads through do: on connections of the pool, as they come, or in one transaction.
type logs struct {
	*Store
	do func(ctx context.Context, op string, do func(context.Context, querier) error) error
}

func (s *Store) look(ctx context.Context, op string, do func(context.Context, querier) error) error {
	return s.read(ctx, op, func(ctx context.Context, conn *pgxpool.Conn) error { return do(ctx, conn) })
}

func (l logs) Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		after, end := max(after, 0), int64(math.MaxInt64)
		var last loopstate.Event // of the page before
		for after < end {
			var page []loopstate.Event
			var err error
			page, end, err = l.page(ctx, last, loop, after, end)
			if err != nil {
				yield(loopstate.Event{}, err)
				return
			}
			for _, e := range page {
				if err := ctx.Err(); err != nil {
					yield(loopstate.Event{}, l.explain(ctx, "load", err))
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

// selectPage reads the head and the events behind it in one look at the database. Without events in the
// range there is one row, with the number 0; without a head there is none, nor if the page does not follow
// the event that it should. The sum ends the page in the server, because rows that are not wanted would
// still have to be received; the length of data is known without reading it.
const selectPage = `SELECT least(head.seq, $3), coalesce(e.seq, 0), coalesce(e.at, ''), coalesce(e.kind, ''),
		coalesce(e.version, 0), coalesce(e.op, ''), coalesce(e.data, '')
	FROM citeloop_heads AS head LEFT JOIN LATERAL (
		SELECT *, sum(octet_length(data)) OVER (ORDER BY seq ROWS UNBOUNDED PRECEDING) - octet_length(data) AS before
		FROM (SELECT * FROM citeloop_events
			WHERE loop = $1 AND seq > $2 AND seq <= least(head.seq, $3) ORDER BY seq LIMIT $4) AS few
	) AS e ON e.before < $5
	WHERE head.loop = $1 AND ($6 = '' OR EXISTS (SELECT FROM citeloop_events WHERE loop = $1 AND seq = $2 AND op = $6 AND at = $7))
	ORDER BY e.seq`

// page reads the next events after after and up to end, at least one if there are any; to is where the log
// ends, or end if it is longer. They follow last, if that is one: a log without it is another log.
func (l logs) page(ctx context.Context, last loopstate.Event, loop string, after, end int64) (page []loopstate.Event, to int64, err error) {
	if !loopstate.Keepable(loop) {
		loop = "" // no loop has either name
	}
	err = l.do(ctx, "load", func(ctx context.Context, db querier) error {
		page, to = nil, 0
		rows, err := db.Query(ctx, selectPage, loop, after, end, pageEvents, pageBytes, last.Op, rowformat.FormatTime(last.At))
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
				return l.damaged(fmt.Errorf("event %d of loop %s is missing", want, loop))
			}
			e.Data = data // each row has bytes of its own
			e.At, err = rowformat.ParseTime(at)
			page = append(page, e)
			return err
		})
		if err == nil && last.Op != "" && (found.RowsAffected() == 0 || to < end) {
			err = fmt.Errorf("postgres: loop %s was deleted while it was read: %w", loop, loopstate.ErrNotFound)
		}
		return err
	})
	return page, to, err
}
