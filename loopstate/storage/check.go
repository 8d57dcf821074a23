package storage

import (
	"errors"
	"fmt"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// checkAppend returns an error if head and events cannot follow sequence number at, so that all stores reject the same
// appends.
func checkAppend(head loopstate.Head, at int64, events []loopstate.Event) error {
	switch {
	case at < 0:
		return fmt.Errorf("negative sequence number: %d", at)
	case len(events) == 0:
		return errors.New("no events")
	case head.Seq != at+int64(len(events)):
		return fmt.Errorf("head has sequence number %d, the last event %d", head.Seq, at+int64(len(events)))
	case head.Loop == "":
		return errors.New("head without a loop")
	case !loopstate.Keepable(head.Loop), !loopstate.Keepable(head.Owner), !loopstate.Keepable(head.Query), !loopstate.Keepable(head.Status):
		return errors.New("a field of the head is not UTF-8 or contains NUL")
	case !storable(head.UpdatedAt):
		return fmt.Errorf("time of the head outside the years 0 to 9999: %v", head.UpdatedAt)
	}
	for i, e := range events {
		if err := checkNext(head, at+1+int64(i), e); err != nil {
			return err
		}
	}
	return nil
}

// checkNext returns an error if e cannot be event seq of the head's loop.
func checkNext(head loopstate.Head, seq int64, e loopstate.Event) error {
	switch {
	case e.Loop != head.Loop:
		return fmt.Errorf("event %d belongs to loop %q, the head to %q", seq, e.Loop, head.Loop)
	case e.Seq != seq:
		return fmt.Errorf("event %d has sequence number %d", seq, e.Seq)
	case e.Op == "":
		return fmt.Errorf("event %d has no operation id", seq)
	case e.Kind == "":
		return fmt.Errorf("event %d has no kind", seq)
	case !loopstate.Keepable(e.Op), !loopstate.Keepable(e.Kind):
		return fmt.Errorf("operation or kind of event %d is not UTF-8 or contains NUL", seq)
	case !storable(e.At):
		return fmt.Errorf("time of event %d outside the years 0 to 9999: %v", seq, e.At)
	}
	return nil
}

// storable reports whether every store can store t: years have four digits.
func storable(t time.Time) bool { year := t.UTC().Year(); return 0 <= year && year <= 9999 }

// timeLayout has nanoseconds, UTC and a fixed length, so that times sort like their texts. PostgreSQL's own type has
// microseconds only, and SQLite has no time type.
const timeLayout = "2006-01-02T15:04:05.000000000Z"

// FormatTime formats a time of the years 0 to 9999.
func FormatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

func parseTime(s string) (time.Time, error) { return time.Parse(time.RFC3339Nano, s) }
