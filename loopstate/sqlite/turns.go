package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/citeloop/citeloop/loopstate/rowformat"
)

// Turns are what processes over one store share beside its loops: when a host may be asked next, and until when
// something is left alone. None is part of a loop.
//
// Times are Unix microseconds of this machine, whose clock all processes over one file share. next is the end of the
// last turn that was taken (the theoretical arrival time of the generic cell rate algorithm).

// Reserve takes the name's next turn and says how long to wait for it. Turns lie every apart, burst of them together
// after a pause, and none lies where the name is held. taken is false, and nothing is taken, where the wait would be
// within or longer; none is taken ten minutes ahead.
func (s *Store) Reserve(ctx context.Context, name string, every time.Duration, burst int, within time.Duration) (wait time.Duration, taken bool, err error) {
	leave, err := s.enter()
	if err != nil {
		return 0, false, s.explain(ctx, "reserve", err)
	}
	defer leave()
	pace := rowformat.PaceOf(every, burst, within)
	err = s.write(ctx, func(tx *sql.Tx) error {
		var next, held int64
		err := tx.QueryRowContext(ctx, `SELECT next, held FROM turns WHERE name = ?`, name).Scan(&next, &held)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		now := time.Now().UnixMicro() // with the lock in hand: turns are taken in the order of time
		start, end := turn(pace, next, held, now)
		wait = time.Duration(start-now) * time.Microsecond
		if taken = start-now < pace.Within; !taken {
			return nil
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO turns (name, next) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET next = excluded.next`, name, end)
		return err
	})
	if err != nil {
		return 0, false, s.explain(ctx, "reserve", err)
	}
	return wait, taken, nil
}

// turn is the next turn after what was taken and held. What lies further ahead than can have been taken is left over
// from a clock that was set back.
func turn(pace rowformat.Pace, next, held, now int64) (start, end int64) {
	if next > now+pace.Ahead {
		next = 0
	}
	if held > now+rowformat.LongestHold.Microseconds() {
		held = 0
	}
	saved := pace.Every * (pace.Burst - 1)
	arrival := max(next, held+saved, now)
	return max(arrival-saved, now), arrival + pace.Every
}

// Hold keeps the name back for d from now, an hour at most, and says why. A hold that ends later stays.
func (s *Store) Hold(ctx context.Context, name string, d time.Duration, why string) error {
	leave, err := s.enter()
	if err != nil {
		return s.explain(ctx, "hold", err)
	}
	defer leave()
	err = s.write(ctx, func(tx *sql.Tx) error {
		now := time.Now()
		_, err := tx.ExecContext(ctx, `INSERT INTO turns (name, held, why) VALUES (?1, ?2, ?3)
			ON CONFLICT (name) DO UPDATE SET held = excluded.held, why = excluded.why
			WHERE excluded.held >= turns.held OR turns.held > ?4`,
			name, now.Add(min(d, rowformat.LongestHold)).UnixMicro(), why, now.Add(rowformat.LongestHold).UnixMicro())
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM turns WHERE max(next, held) < ?`, now.Add(-rowformat.TurnsKept).UnixMicro())
		return err
	})
	return s.explain(ctx, "hold", err)
}

// Held is for how much longer the name is held, and why; 0 where it is not.
func (s *Store) Held(ctx context.Context, name string) (left time.Duration, why string, err error) {
	var held int64
	if _, err := s.readOne(ctx, []any{&held, &why}, `SELECT held, why FROM turns WHERE name = ?`, name); err != nil {
		return 0, "", s.explain(ctx, "held", err)
	}
	left = time.Until(time.UnixMicro(held))
	if left <= 0 || left > rowformat.LongestHold {
		return 0, "", nil
	}
	return left, why, nil
}
