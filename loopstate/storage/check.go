package storage

import (
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// CheckAppend returns an error if head and events cannot follow sequence number at. Every store calls it before it writes,
// so that all stores reject the same appends.
func CheckAppend(head loopstate.Head, at int64, events []loopstate.Event) error {
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
func CheckCreate(head loopstate.Head, log iter.Seq2[loopstate.Event, error]) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		if err := checkHead(head); err != nil {
			yield(loopstate.Event{}, err)
			return
		}
		seq := int64(0)
		for e, err := range log {
			if err == nil {
				seq++
				err = checkNext(head, seq, e)
			}
			if err != nil {
				yield(loopstate.Event{}, err)
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		if seq == 0 || seq != head.Seq {
			yield(loopstate.Event{}, fmt.Errorf("head has sequence number %d, the last event %d", head.Seq, seq))
		}
	}
}

func checkHead(head loopstate.Head) error {
	switch {
	case head.Loop == "":
		return errors.New("head without a loop")
	case head.Stored < 0:
		return fmt.Errorf("negative size in the head: %d bytes", head.Stored)
	case !loopstate.Keepable(head.Loop), !loopstate.Keepable(head.Owner), !loopstate.Keepable(head.Query), !loopstate.Keepable(head.Status):
		return errors.New("a field of the head is not UTF-8 or contains NUL")
	case !storable(head.UpdatedAt):
		return fmt.Errorf("time of the head outside the years 0 to 9999: %v", head.UpdatedAt)
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
