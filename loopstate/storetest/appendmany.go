// Package storetest tests that every implementation of [loopstate.Store] keeps the same contract. Each implementation tests
// its own features (files, pragmas, killed processes) in its package, with the functions that this package exports.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// AppendMany appends n events to a loop, one at a time, like a process that shares the loop with others: after a conflict,
// it loads the new events and tries again. Event i has the operation id writer/i. acknowledged may be nil; it is called with
// each sequence number after its Append has returned. Tests of implementations use it in separate processes.
func AppendMany(ctx context.Context, store loopstate.Store, loop, writer string, n int, acknowledged func(seq int64)) error {
	at := int64(0)
	for i := 0; i < n; {
		head, events := batch(loop, at, fmt.Sprintf("%s/%d", writer, i), 1)
		err := store.Append(ctx, head, at, events)
		switch {
		case err == nil:
			at++
			i++
			if acknowledged != nil {
				acknowledged(at)
			}
		case errors.Is(err, loopstate.ErrConflict):
			for e, err := range store.Load(ctx, loop, at) {
				if err != nil {
					return err
				}
				at = e.Seq
			}
		default:
			return err
		}
	}
	return nil
}

// CheckLog returns an error if a log of [AppendMany] lacks an event or repeats an operation.
func CheckLog(events []loopstate.Event) error {
	ops := map[string]int64{}
	for i, e := range events {
		if e.Seq != int64(i)+1 {
			return fmt.Errorf("event %d has sequence number %d", i+1, e.Seq)
		}
		if first, ok := ops[e.Op]; ok {
			return fmt.Errorf("operation %s is in events %d and %d", e.Op, first, e.Seq)
		}
		ops[e.Op] = e.Seq
	}
	return nil
}

// day is the time of the tests' events. Its fraction starts and ends with a zero.
var day = time.Date(2026, 3, 9, 23, 59, 58, 12_345_670, time.UTC)

// batch returns n events of a loop after event at, and their head.
func batch(loop string, at int64, op string, n int) (loopstate.Head, []loopstate.Event) {
	events := make([]loopstate.Event, n)
	for i := range events {
		seq := at + 1 + int64(i)
		events[i] = loopstate.Event{
			Loop: loop, Seq: seq, At: day.Add(time.Duration(seq) * time.Nanosecond), Kind: "source_read", Version: 2, Op: op,
			Data: json.RawMessage(fmt.Sprintf(`{"n": %d, "op": %q}`, seq, op)),
		}
	}
	return headOf(loop, at+int64(n)), events
}

func headOf(loop string, seq int64) loopstate.Head {
	return loopstate.Head{
		Loop: loop, Owner: "ada", Seq: seq, Query: "Does tea help?", Round: int(seq) / 3, Status: "open",
		UpdatedAt: day.Add(time.Duration(seq) * time.Second), Stored: 1000 * seq,
	}
}
