package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/citeloop/citeloop/loopstate/storage"
)

// turns implements [storage.TurnRows].
type turns struct{ *Store }

var _ storage.TurnRows = turns{}

// ChangeTurn reads the clock under the lock, so that turns are in order.
func (s turns) ChangeTurn(ctx context.Context, name string, change func(t *storage.Turn, now int64) bool) error {
	return s.write(ctx, "turn", func(tx *sql.Tx) error {
		var t storage.Turn
		err := tx.QueryRowContext(ctx, `SELECT next, held, why FROM turns WHERE name = ?`, name).Scan(&t.Next, &t.Held, &t.Why)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		now := time.Now()
		if !change(&t, now.UnixMicro()) {
			return nil
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM turns WHERE max(next, held) < ?5;
			INSERT OR REPLACE INTO turns (name, next, held, why) VALUES (?1, ?2, ?3, ?4)`,
			name, t.Next, t.Held, t.Why, now.Add(-storage.TurnsKept).UnixMicro())
		return err
	})
}

func (s turns) HeldTurns(ctx context.Context, prefix string) (rows map[string]storage.Turn, now int64, err error) {
	rows, now = map[string]storage.Turn{}, time.Now().UnixMicro()
	err = s.read(ctx, func(scan scanner) (bool, error) {
		var name string
		var t storage.Turn
		err := scan(&name, &t.Next, &t.Held, &t.Why)
		rows[name] = t
		return true, err
	}, `SELECT name, next, held, why FROM turns WHERE substr(name, 1, length(?1)) = ?1 AND held > ?2`, prefix, now)
	return rows, now, s.explain(ctx, "turn", err)
}
