package postgres

import "time"

// timeLayout keeps a time to the nanosecond, always in UTC and always as long: times sort as their texts.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

func formatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

func parseTime(s string) (time.Time, error) { return time.Parse(time.RFC3339Nano, s) }

// storable reports whether timeLayout can write t, which takes years of four digits.
func storable(t time.Time) bool { year := t.UTC().Year(); return 0 <= year && year <= 9999 }
