package postgres

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/loopstate"
)

// fit reports why head and events cannot follow sequence number at, or nil.
func fit(head loopstate.Head, at int64, events []loopstate.Event) error {
	switch {
	case at < 0:
		return fmt.Errorf("the sequence number %d is negative", at)
	case len(events) == 0:
		return errors.New("there are no events")
	case head.Loop == "":
		return errors.New("the head has no loop")
	case head.Seq != at+int64(len(events)):
		return fmt.Errorf("the head says sequence number %d, the last event is %d", head.Seq, at+int64(len(events)))
	case !keepable(head.Loop), !keepable(head.Owner), !keepable(head.Query), !keepable(head.Status):
		return errors.New("a field of the head is not UTF-8, or holds a NUL, which PostgreSQL cannot keep in text")
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
		case !keepable(e.Op), !keepable(e.Kind):
			return fmt.Errorf("operation or kind of event %d is not UTF-8, or holds a NUL, which PostgreSQL cannot keep in text", i+1)
		case !storable(e.At):
			return fmt.Errorf("the time %v of event %d is outside the years 0 to 9999", e.At, i+1)
		}
	}
	return nil
}

// keepable reports whether PostgreSQL can hold s in a column of text.
func keepable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }
