package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate/storage"
)

// serverNow is the server's clock in Unix microseconds. clock_timestamp is read when the expression is evaluated, so that
// a call that waited for a lock counts from when it got it.
const serverNow = `(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`

// turns implements [storage.TurnRows].
type turns struct{ *Store }

var _ storage.TurnRows = turns{}

// ChangeTurn locks the row by updating it. A broken connection may have taken a turn: the retry takes another one, and the
// first stays unused.
func (s turns) ChangeTurn(ctx context.Context, name string, change func(t *storage.Turn, now int64) bool) error {
	return s.call(ctx, "turn", func(ctx context.Context, conn *pgxpool.Conn) error {
		tx, err := conn.Begin(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback(ctx) }() // no effect after a commit
		var t storage.Turn
		var now int64
		err = tx.QueryRow(ctx, `INSERT INTO citeloop_turns AS t (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name
			RETURNING t.next, t.held, t.why, `+serverNow, name).Scan(&t.Next, &t.Held, &t.Why, &now)
		if err != nil || !change(&t, now) {
			return err
		}
		_, err = tx.Exec(ctx, `WITH unused AS (DELETE FROM citeloop_turns WHERE name IN (
				SELECT name FROM citeloop_turns WHERE greatest(next, held) < $5 AND name <> $1 FOR UPDATE SKIP LOCKED))
			UPDATE citeloop_turns SET next = $2, held = $3, why = $4 WHERE name = $1`,
			name, t.Next, t.Held, t.Why, now-storage.TurnsKept.Microseconds())
		if err != nil {
			return err
		}
		return tx.Commit(ctx)
	})
}

func (s turns) HeldTurns(ctx context.Context, prefix string) (rows map[string]storage.Turn, now int64, err error) {
	err = s.call(ctx, "turn", func(ctx context.Context, conn *pgxpool.Conn) error {
		rows = map[string]storage.Turn{} // a retry starts again
		var name string
		var t storage.Turn
		found, err := conn.Query(ctx, `SELECT name, next, held, why, `+serverNow+` FROM citeloop_turns WHERE starts_with(name, $1) AND held > `+serverNow, prefix)
		if err != nil {
			return err
		}
		_, err = pgx.ForEachRow(found, []any{&name, &t.Next, &t.Held, &t.Why, &now}, func() error {
			rows[name] = t
			return nil
		})
		return err
	})
	return rows, now, err
}
