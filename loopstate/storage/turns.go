package rowformat

import "time"

// Bounds of what the stores keep of turns.
const (
	// LongestHold is the longest that something is left alone; a time further ahead is of a clock that was set back.
	LongestHold = time.Hour
	// LongestTurn is the furthest ahead that a turn is taken, for the same reason.
	LongestTurn = 10 * time.Minute
	// LongestEvery is the slowest pace.
	LongestEvery = 24 * time.Hour
	// TurnsKept is how long after its last turn a name is forgotten.
	TurnsKept = 24 * time.Hour
)

// Pace is the pace of a turn in microseconds, within what a store takes.
type Pace struct{ Every, Burst, Within, Ahead int64 }

// PaceOf is the pace of turns that lie every apart, burst of them together after a pause, of which one is wanted
// within a time.
func PaceOf(every time.Duration, burst int, within time.Duration) Pace {
	p := Pace{
		Every:  min(max(every, 0), LongestEvery).Microseconds(),
		Burst:  int64(min(max(burst, 1), 1_000)),
		Within: min(max(within, 0), LongestTurn).Microseconds(),
	}
	p.Ahead = LongestTurn.Microseconds() + p.Every*p.Burst
	return p
}
