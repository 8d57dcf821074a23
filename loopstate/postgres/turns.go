package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate/storage"
)

// Turns are rate limits that the processes of a store share: when a host may be asked next, and how long requests to it
// are held. They belong to no loop.
//
// Times are Unix microseconds of the server, because the clocks of the clients may differ. next is the end of the last
// reserved turn (the theoretical arrival time of the generic cell rate algorithm). Each expression reads the clock
// (clock_timestamp), so that a call that waited for a lock counts from when it got it.

// serverNow is the server's clock.
const serverNow = `(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`

// arrival is the time of the next turn of row t, without the allowance for bursts ($2 = every, $3 = burst, $5 = the
// maximum ahead, $6 = the longest hold). A time that is too far ahead comes from a clock that was set back.
const arrival = `greatest(
	CASE WHEN t.next > ` + serverNow + ` + $5 THEN 0 ELSE t.next END,
	CASE WHEN t.held > ` + serverNow + ` + $6 THEN 0 ELSE t.held + $2 * ($3 - 1) END,
	` + serverNow + `)`

// untilArrival is the wait for that turn.
const untilArrival = `greatest(` + arrival + ` - $2 * ($3 - 1) - ` + serverNow + `, 0)`

// Reserve takes the name's next turn and returns how long to wait for it. Turns are every apart, except for bursts after a
// pause, and none falls into a hold. taken is false, and nothing is reserved, if the wait would be within or longer, or
// longer than ten minutes.
func (s *Store) Reserve(ctx context.Context, name string, every time.Duration, burst int, within time.Duration) (wait time.Duration, taken bool, err error) {
	pace := storage.PaceOf(every, burst, within)
	var micros int64
	// A broken connection may have taken a turn. The retry takes another one, and the first stays unused.
	err = s.call(ctx, "reserve", func(ctx context.Context, conn *pgxpool.Conn) error {
		err := pgx.ErrNoRows
		if taken = pace.Within > 0; taken {
			err = conn.QueryRow(ctx, `INSERT INTO citeloop_turns AS t (name, next) VALUES ($1, `+serverNow+` + $2::bigint)
				ON CONFLICT (name) DO UPDATE SET next = `+arrival+` + $2::bigint WHERE `+untilArrival+` < $4::bigint
				RETURNING greatest(t.next - $2 * $3::bigint - `+serverNow+`, 0)`,
				name, pace.Every, pace.Burst, pace.Within, pace.Ahead, storage.LongestHold.Microseconds()).Scan(&micros)
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		taken = false
		err = conn.QueryRow(ctx, `SELECT `+untilArrival+` FROM citeloop_turns AS t WHERE name = $1 AND $4::bigint IS NOT NULL`,
			name, pace.Every, pace.Burst, pace.Within, pace.Ahead, storage.LongestHold.Microseconds()).Scan(&micros)
		if errors.Is(err, pgx.ErrNoRows) {
			micros, err = 0, nil
		}
		return err
	})
	if err != nil {
		return 0, false, err
	}
	return time.Duration(micros) * time.Microsecond, taken, nil
}

// Hold holds the name for d from now, at most an hour, with a reason. It does not shorten an existing hold.
func (s *Store) Hold(ctx context.Context, name string, d time.Duration, why string) error {
	return s.call(ctx, "hold", func(ctx context.Context, conn *pgxpool.Conn) error {
		_, err := conn.Exec(ctx, `INSERT INTO citeloop_turns AS t (name, held, why) VALUES ($1, `+serverNow+` + $2::bigint, $3)
			ON CONFLICT (name) DO UPDATE SET held = excluded.held, why = excluded.why
			WHERE excluded.held >= t.held OR t.held > `+serverNow+` + $4::bigint`,
			name, min(d, storage.LongestHold).Microseconds(), why, storage.LongestHold.Microseconds())
		if err != nil {
			return err
		}
		_, err = conn.Exec(ctx, `DELETE FROM citeloop_turns WHERE name IN (
			SELECT name FROM citeloop_turns WHERE greatest(next, held) < `+serverNow+` - $1::bigint FOR UPDATE SKIP LOCKED)`, storage.TurnsKept.Microseconds())
		return err
	})
}

// Holds returns the rests of all holds of names with a prefix.
func (s *Store) Holds(ctx context.Context, prefix string) (map[string]time.Duration, error) {
	holds := map[string]time.Duration{}
	err := s.call(ctx, "holds", func(ctx context.Context, conn *pgxpool.Conn) error {
		clear(holds) // read may call this twice
		var name string
		var micros int64
		rows, err := conn.Query(ctx, `SELECT name, held - `+serverNow+` FROM citeloop_turns WHERE starts_with(name, $1) AND held > `+serverNow, prefix)
		if err != nil {
			return err
		}
		_, err = pgx.ForEachRow(rows, []any{&name, &micros}, func() error {
			if left, _ := storage.HoldLeft(time.Duration(micros)*time.Microsecond, ""); left > 0 {
				holds[name] = left
			}
			return nil
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return holds, nil
}

// Held returns the rest of the name's hold and its reason, or 0.
func (s *Store) Held(ctx context.Context, name string) (left time.Duration, why string, err error) {
	var micros int64
	err = s.call(ctx, "held", func(ctx context.Context, conn *pgxpool.Conn) error {
		err := conn.QueryRow(ctx, `SELECT held - `+serverNow+`, why FROM citeloop_turns WHERE name = $1`, name).Scan(&micros, &why)
		if errors.Is(err, pgx.ErrNoRows) {
			micros, err = 0, nil
		}
		return err
	})
	if err != nil {
		return 0, "", err
	}
	left, why = storage.HoldLeft(time.Duration(micros)*time.Microsecond, why)
	return left, why, nil
}
