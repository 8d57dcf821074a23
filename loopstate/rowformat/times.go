package rowformat

import "time"

// timeLayout keeps a time to the nanosecond, always in UTC and always as long: times sort as their texts.
// PostgreSQL's own type keeps microseconds only, and SQLite has none.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

// FormatTime writes a time of the years 0 to 9999, which is what loopstate.CheckAppend lets through.
func FormatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

// ParseTime reads what FormatTime wrote.
func ParseTime(s string) (time.Time, error) { return time.Parse(time.RFC3339Nano, s) }
