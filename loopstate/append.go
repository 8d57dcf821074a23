package loopstate

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode/utf8"
)

// CheckAppend returns an error if head and events cannot follow sequence number at. Every store calls it before it writes,
// so that all stores reject the same appends.
func CheckAppend(head Head, at int64, events []Event) error {
	switch {
	case at < 0:
		return fmt.Errorf("negative sequence number: %d", at)
	case len(events) == 0:
		return errors.New("no events")
	case head.Seq != at+int64(len(events)):
		return fmt.Errorf("head has sequence number %d, the last event %d", head.Seq, at+int64(len(events)))
	}
	if err := checkHead(head); err != nil {
		return err
	}
	for i, e := range events {
		if e.Op != events[0].Op {
			return fmt.Errorf("event %d has operation %q, the first event %q", i+1, e.Op, events[0].Op)
		}
		if err := checkNext(head, at+1+int64(i), e); err != nil {
			return err
		}
	}
	return nil
}

// CheckCreate yields the events of a whole log, and ends with an error if head and events do not match. Every store's
// Create reads the log through it.
func CheckCreate(head Head, log iter.Seq2[Event, error]) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if err := checkHead(head); err != nil {
			yield(Event{}, err)
			return
		}
		seq := int64(0)
		for e, err := range log {
			if err == nil {
				seq++
				err = checkNext(head, seq, e)
			}
			if err != nil {
				yield(Event{}, err)
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		if seq == 0 || seq != head.Seq {
			yield(Event{}, fmt.Errorf("head has sequence number %d, the last event %d", head.Seq, seq))
		}
	}
}

func checkHead(head Head) error {
	switch {
	case head.Loop == "":
		return errors.New("head without a loop")
	case head.Stored < 0:
		return fmt.Errorf("negative size in the head: %d bytes", head.Stored)
	case !Keepable(head.Loop), !Keepable(head.Owner), !Keepable(head.Query), !Keepable(head.Status):
		return errors.New("a field of the head is not UTF-8 or contains NUL")
	case !storable(head.UpdatedAt):
		return fmt.Errorf("time of the head outside the years 0 to 9999: %v", head.UpdatedAt)
	}
	return nil
}

// checkNext returns an error if e cannot be event seq of the head's loop.
func checkNext(head Head, seq int64, e Event) error {
	switch {
	case e.Loop != head.Loop:
		return fmt.Errorf("event %d belongs to loop %q, the head to %q", seq, e.Loop, head.Loop)
	case e.Seq != seq:
		return fmt.Errorf("event %d has sequence number %d", seq, e.Seq)
	case e.Op == "":
		return fmt.Errorf("event %d has no operation id", seq)
	case e.Kind == "":
		return fmt.Errorf("event %d has no kind", seq)
	case !Keepable(e.Op), !Keepable(e.Kind):
		return fmt.Errorf("operation or kind of event %d is not UTF-8 or contains NUL", seq)
	case !storable(e.At):
		return fmt.Errorf("time of event %d outside the years 0 to 9999: %v", seq, e.At)
	}
	return nil
}

// Keepable reports whether every store can store s in a text column: s is UTF-8 without NUL.
func Keepable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// storable reports whether every store can store t: years have four digits.
func storable(t time.Time) bool { year := t.UTC().Year(); return 0 <= year && year <= 9999 }
