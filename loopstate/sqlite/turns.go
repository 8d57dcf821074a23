package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/citeloop/citeloop/loopstate/storage"
)

// Turns are rate limits that the processes of a store share: when a host may be asked next, and how long requests to it
// are held. They belong to no loop.
//
// Times are Unix microseconds of this machine's clock, which all processes of a file share. next is the end of the last
// reserved turn (the theoretical arrival time of the generic cell rate algorithm).

// Reserve takes the name's next turn and returns how long to wait for it. Turns are every apart, except for bursts after a
// pause, and none falls into a hold. taken is false, and nothing is reserved, if the wait would be within or longer, or
// longer than ten minutes.
func (s *Store) Reserve(ctx context.Context, name string, every time.Duration, burst int, within time.Duration) (wait time.Duration, taken bool, err error) {
	pace := storage.PaceOf(every, burst, within)
	err = s.write(ctx, "reserve", func(tx *sql.Tx) error {
		var next, held int64
		err := tx.QueryRowContext(ctx, `SELECT next, held FROM turns WHERE name = ?`, name).Scan(&next, &held)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		now := time.Now().UnixMicro() // under the lock, so that turns are in order
		start, end := turn(pace, next, held, now)
		wait = time.Duration(start-now) * time.Microsecond
		if taken = start-now < pace.Within; !taken {
			return nil
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO turns (name, next) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET next = excluded.next`, name, end)
		return err
	})
	if err != nil {
		return 0, false, err
	}
	return wait, taken, nil
}

// turn returns the next turn after the last turn and the hold. A time that is too far ahead comes from a clock that was
// set back.
func turn(pace storage.Pace, next, held, now int64) (start, end int64) {
	if next > now+pace.Ahead {
		next = 0
	}
	if held > now+storage.LongestHold.Microseconds() {
		held = 0
	}
	saved := pace.Every * (pace.Burst - 1)
	arrival := max(next, held+saved, now)
	return max(arrival-saved, now), arrival + pace.Every
}

// Hold holds the name for d from now, at most an hour, with a reason. It does not shorten an existing hold.
func (s *Store) Hold(ctx context.Context, name string, d time.Duration, why string) error {
	return s.write(ctx, "hold", func(tx *sql.Tx) error {
		now := time.Now()
		_, err := tx.ExecContext(ctx, `INSERT INTO turns (name, held, why) VALUES (?1, ?2, ?3)
			ON CONFLICT (name) DO UPDATE SET held = excluded.held, why = excluded.why
			WHERE excluded.held >= turns.held OR turns.held > ?4`,
			name, now.Add(min(d, storage.LongestHold)).UnixMicro(), why, now.Add(storage.LongestHold).UnixMicro())
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM turns WHERE max(next, held) < ?`, now.Add(-storage.TurnsKept).UnixMicro())
		return err
	})
}

// Holds returns the rests of all holds of names with a prefix.
func (s *Store) Holds(ctx context.Context, prefix string) (map[string]time.Duration, error) {
	holds, now := map[string]time.Duration{}, time.Now()
	err := s.read(ctx, func(scan scanner) (bool, error) {
		var name string
		var held int64
		if err := scan(&name, &held); err != nil {
			return false, err
		}
		if left, _ := storage.HoldLeft(time.UnixMicro(held).Sub(now), ""); left > 0 {
			holds[name] = left
		}
		return true, nil
	}, `SELECT name, held FROM turns WHERE substr(name, 1, length(?1)) = ?1 AND held > ?2`, prefix, now.UnixMicro())
	if err != nil {
		return nil, s.explain(ctx, "holds", err)
	}
	return holds, nil
}

// Held returns the rest of the name's hold and its reason, or 0.
func (s *Store) Held(ctx context.Context, name string) (left time.Duration, why string, err error) {
	var held int64
	if _, err := s.readOne(ctx, []any{&held, &why}, `SELECT held, why FROM turns WHERE name = ?`, name); err != nil {
		return 0, "", s.explain(ctx, "held", err)
	}
	left, why = storage.HoldLeft(time.Until(time.UnixMicro(held)), why)
	return left, why, nil
}
