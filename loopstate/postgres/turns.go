package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate/rowformat"
)

// Turns are what processes over one store share beside its loops: when a host may be asked next, and until when
// something is left alone. None is part of a loop.
//
// Times are Unix microseconds of the server: the clocks of the machines that ask need not agree. next is the end of
// the last turn that was taken (the theoretical arrival time of the generic cell rate algorithm). The clock is read
// anew in each place (clock_timestamp), so that who waited for another's lock counts from when it got it.

// serverNow is the server's clock.
const serverNow = `(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`

// arrival is when a turn of the row t would be taken, apart from what burst saves up ($2 = every, $3 = burst, $5 =
// the furthest ahead, $6 = the longest hold). What lies further ahead than can have been taken is left over from a
// clock that was set back.
const arrival = `greatest(
	CASE WHEN t.next > ` + serverNow + ` + $5 THEN 0 ELSE t.next END,
	CASE WHEN t.held > ` + serverNow + ` + $6 THEN 0 ELSE t.held + $2 * ($3 - 1) END,
	` + serverNow + `)`

// untilArrival is the wait for that turn.
const untilArrival = `greatest(` + arrival + ` - $2 * ($3 - 1) - ` + serverNow + `, 0)`

// Reserve takes the name's next turn and says how long to wait for it. Turns lie every apart, burst of them together
// after a pause, and none lies where the name is held. taken is false, and nothing is taken, where the wait would be
// within or longer; none is taken ten minutes ahead.
func (s *Store) Reserve(ctx context.Context, name string, every time.Duration, burst int, within time.Duration) (wait time.Duration, taken bool, err error) {
	pace := rowformat.PaceOf(every, burst, within)
	var micros int64
	// A connection that broke may have taken a turn; another is taken then, and the first passes unused.
	err = s.call(ctx, "reserve", func(ctx context.Context, conn *pgxpool.Conn) error {
		err := pgx.ErrNoRows
		if taken = pace.Within > 0; taken {
			err = conn.QueryRow(ctx, `INSERT INTO citeloop_turns AS t (name, next) VALUES ($1, `+serverNow+` + $2::bigint)
				ON CONFLICT (name) DO UPDATE SET next = `+arrival+` + $2::bigint WHERE `+untilArrival+` < $4::bigint
				RETURNING greatest(t.next - $2 * $3::bigint - `+serverNow+`, 0)`,
				name, pace.Every, pace.Burst, pace.Within, pace.Ahead, rowformat.LongestHold.Microseconds()).Scan(&micros)
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		taken = false
		err = conn.QueryRow(ctx, `SELECT `+untilArrival+` FROM citeloop_turns AS t WHERE name = $1 AND $4::bigint IS NOT NULL`,
			name, pace.Every, pace.Burst, pace.Within, pace.Ahead, rowformat.LongestHold.Microseconds()).Scan(&micros)
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

// Hold keeps the name back for d from now, an hour at most, and says why. A hold that ends later stays.
func (s *Store) Hold(ctx context.Context, name string, d time.Duration, why string) error {
	return s.call(ctx, "hold", func(ctx context.Context, conn *pgxpool.Conn) error {
		_, err := conn.Exec(ctx, `INSERT INTO citeloop_turns AS t (name, held, why) VALUES ($1, `+serverNow+` + $2::bigint, $3)
			ON CONFLICT (name) DO UPDATE SET held = excluded.held, why = excluded.why
			WHERE excluded.held >= t.held OR t.held > `+serverNow+` + $4::bigint`,
			name, min(d, rowformat.LongestHold).Microseconds(), why, rowformat.LongestHold.Microseconds())
		if err != nil {
			return err
		}
		_, err = conn.Exec(ctx, `DELETE FROM citeloop_turns WHERE name IN (
			SELECT name FROM citeloop_turns WHERE greatest(next, held) < `+serverNow+` - $1::bigint FOR UPDATE SKIP LOCKED)`, rowformat.TurnsKept.Microseconds())
		return err
	})
}

// Held is for how much longer the name is held, and why; 0 where it is not.
func (s *Store) Held(ctx context.Context, name string) (left time.Duration, why string, err error) {
	var micros int64
	err = s.read(ctx, "held", func(ctx context.Context, conn *pgxpool.Conn) error {
		err := conn.QueryRow(ctx, `SELECT held - `+serverNow+`, why FROM citeloop_turns WHERE name = $1`, name).Scan(&micros, &why)
		if errors.Is(err, pgx.ErrNoRows) {
			micros, err = 0, nil
		}
		return err
	})
	left = time.Duration(micros) * time.Microsecond
	if err != nil || left <= 0 || left > rowformat.LongestHold {
		return 0, "", err
	}
	return left, why, nil
}
