package storage

import "time"

// Limits of turns, which the stores share between processes.
const (
	// LongestHold is the longest hold. A later end comes from a clock that was set back.
	LongestHold = time.Hour
	// LongestTurn is how far ahead a turn can be reserved. A later one comes from a clock that was set back.
	LongestTurn = 10 * time.Minute
	// LongestEvery is the slowest pace.
	LongestEvery = 24 * time.Hour
	// TurnsKept is how long a name is stored after its last turn.
	TurnsKept = 24 * time.Hour
)

// Pace is the pace of turns in microseconds, within the limits.
type Pace struct{ Every, Burst, Within, Ahead int64 }

// PaceOf returns the pace of turns that are every apart, with bursts after a pause, where the next turn must begin
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

// HoldLeft returns the rest of a hold, or 0.
func HoldLeft(left time.Duration, why string) (time.Duration, string) {
	if left <= 0 || left > LongestHold {
		return 0, ""
	}
	return left, why
}
