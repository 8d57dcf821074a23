package storage

import (
	"context"
	"time"
)

// Limits of turns.
const (
	// longestHold is the longest hold. A later end comes from a clock that was set back.
	longestHold = time.Hour
	// longestTurn is how far ahead a turn can be reserved. A later one comes from a clock that was set back.
	longestTurn = 10 * time.Minute
	// longestEvery is the slowest pace.
	longestEvery = 24 * time.Hour
	// TurnsKept is how long a name is stored after its last turn.
	TurnsKept = 24 * time.Hour
)

// Turn is the stored row of a name. Times are Unix microseconds of the store's clock: that of the machine for a file, that
// of the server for a database, because the clocks of its clients may differ.
type Turn struct {
	Next int64 // end of the last reserved turn: the theoretical arrival time of the generic cell rate algorithm
	Held int64 // end of the hold
}

// TurnChanger changes one stored row.
type TurnChanger interface {
	// ChangeTurn calls change with the row of a name, which is zero if it is missing, and the current time, and stores the
	// row if change returns true. Changes of one name wait for each other. It removes rows of names that had no turn for
	// TurnsKept.
	ChangeTurn(ctx context.Context, name string, change func(t *Turn, now int64) bool) error
}

// TurnRows is what [Turns] need.
type TurnRows interface {
	TurnChanger
	// HeldTurns returns the rows of names with a prefix whose hold has not ended, and the current time.
	HeldTurns(ctx context.Context, prefix string) (rows map[string]Turn, now int64, err error)
}

// Turns are rate limits that the processes of a store share: when a host may be asked next, and how long requests to it
// are held. They belong to no loop. docs/decisions/10-shared-rates.md says why they are in the store.
type Turns struct{ Rows TurnRows }

// Reserve takes the name's next turn and returns how long to wait for it. Turns are every apart, except for bursts after a
// pause, and none falls into a hold. taken is false, and nothing is reserved, if the wait would be within or longer, or
// longer than ten minutes.
func (t Turns) Reserve(ctx context.Context, name string, every time.Duration, burst int, within time.Duration) (wait time.Duration, taken bool, err error) {
	err = t.Rows.ChangeTurn(ctx, name, func(row *Turn, now int64) bool {
		start, end := row.next(every, burst, now)
		wait = time.Duration(start-now) * time.Microsecond
		if taken = wait < min(within, longestTurn); taken {
			row.Next = end
		}
		return taken
	})
	if err != nil {
		return 0, false, err
	}
	return wait, taken, nil
}

// next returns the next turn of a name after its last one and the hold.
func (t Turn) next(every time.Duration, burst int, now int64) (start, end int64) {
	pace := min(max(every, 0), longestEvery).Microseconds()
	saved := pace * int64(min(max(burst, 1), 1_000)-1)
	if t.Next > now+longestTurn.Microseconds()+saved+pace {
		t.Next = 0
	}
	if t.Held > now+longestHold.Microseconds() {
		t.Held = 0
	}
	arrival := max(t.Next, t.Held+saved, now)
	return max(arrival-saved, now), arrival + pace
}

// left returns the rest of the hold, or 0.
func (t Turn) left(now int64) time.Duration {
	left := time.Duration(t.Held-now) * time.Microsecond
	if left > longestHold {
		return 0
	}
	return max(left, 0)
}

// Hold holds the name for d from now, at most an hour. It does not shorten an existing hold.
func (t Turns) Hold(ctx context.Context, name string, d time.Duration) error {
	return t.Rows.ChangeTurn(ctx, name, func(row *Turn, now int64) bool {
		if d = min(d, longestHold); d < row.left(now) {
			return false
		}
		row.Held = now + d.Microseconds()
		return true
	})
}

// Held returns the rest of the name's hold, or 0.
func (t Turns) Held(ctx context.Context, name string) (left time.Duration, err error) {
	rows, now, err := t.Rows.HeldTurns(ctx, name)
	return rows[name].left(now), err
}
