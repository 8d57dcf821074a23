package loopstate

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// CheckAppend returns an error if head and events cannot follow sequence number at. Every store calls it before it writes,
// so that all stores reject the same appends.
func CheckAppend(head Head, at int64, events []Event) error {
	switch {
	case at < 0:
		return fmt.Errorf("the sequence number %d is negative", at)
	case len(events) == 0:
		return errors.New("there are no events")
	case head.Loop == "":
		return errors.New("the head has no loop")
	case head.Seq != at+int64(len(events)):
		return fmt.Errorf("the head says sequence number %d, the last event is %d", head.Seq, at+int64(len(events)))
	case head.Stored < 0:
		return fmt.Errorf("the head says that %d bytes are stored", head.Stored)
	case !Keepable(head.Loop), !Keepable(head.Owner), !Keepable(head.Query), !Keepable(head.Status):
		return errors.New("a field of the head is not UTF-8, or holds a NUL, which not every store can keep")
	case !storable(head.UpdatedAt):
		return fmt.Errorf("the head's time %v is outside the years 0 to 9999", head.UpdatedAt)
	}
	op := events[0].Op
	for i, e := range events {
		switch want := at + 1 + int64(i); {
		case e.Loop != head.Loop:
			return fmt.Errorf("event %d is of loop %q, the head of %q", i+1, e.Loop, head.Loop)
		case e.Seq != want:
			return fmt.Errorf("event %d has sequence number %d, not %d", i+1, e.Seq, want)
		case e.Op == "":
			return fmt.Errorf("event %d has no operation id", i+1)
		case e.Op != op:
			return fmt.Errorf("event %d is of operation %q, the first of %q", i+1, e.Op, op)
		case e.Kind == "":
			return fmt.Errorf("event %d has no kind", i+1)
		case !Keepable(e.Op), !Keepable(e.Kind):
			return fmt.Errorf("operation or kind of event %d is not UTF-8, or holds a NUL, which not every store can keep", i+1)
		case !storable(e.At):
			return fmt.Errorf("the time %v of event %d is outside the years 0 to 9999", e.At, i+1)
		}
	}
	return nil
}

// Keepable reports whether every store can store s in a text column.
func Keepable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// storable reports whether every store can store t: years have four digits.
func storable(t time.Time) bool { year := t.UTC().Year(); return 0 <= year && year <= 9999 }
