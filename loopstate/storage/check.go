package storage

import (
	"fmt"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// checkAppend returns an error if head and events cannot follow sequence number at, so that all stores reject the same appends.
func checkAppend(head loopstate.Head, at int64, events []loopstate.Event) error {
	ok := at >= 0 && len(events) > 0 && head.Seq == at+int64(len(events)) && head.Loop != "" &&
		storable(head.UpdatedAt, head.Loop, head.Owner, head.Query, head.Status)
	for i, e := range events {
		ok = ok && e.Loop == head.Loop && e.Seq == at+1+int64(i) && e.Op != "" && e.Kind != "" && storable(e.At, e.Op, e.Kind)
	}
	if !ok {
		return fmt.Errorf("the head of loop %q at event %d and %d events after event %d do not match, or cannot be stored", head.Loop,
			head.Seq, len(events), at)
	}
	return nil
}

// storable reports whether every store can store a time, whose year has four digits, and texts.
func storable(t time.Time, texts ...string) bool {
	year := t.UTC().Year()
	ok := 0 <= year && year <= 9999
	for _, text := range texts {
		ok = ok && loopstate.Keepable(text)
	}
	return ok
}

// timeLayout has nanoseconds, UTC and a fixed length, so that times sort like their texts. PostgreSQL's own type has
// microseconds only, and SQLite has no time type.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

// FormatTime formats a time of the years 0 to 9999.
func FormatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

func parseTime(s string) (time.Time, error) { return time.Parse(time.RFC3339Nano, s) }
