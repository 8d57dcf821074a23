// Package storetest is the contract of [loopstate.Store] as tests: every implementation runs them. What is
// particular to one implementation (files, pragmas, killed processes) is tested beside it.
package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// Opener opens one more handle on the same data. Handles share nothing else, as if each were in a process
// of its own. The suite closes what it opens.
type Opener func(t *testing.T) loopstate.Store

// Run tests an implementation. fresh is called for every test: it makes empty data of its own and returns
// what opens them.
func Run(t *testing.T, fresh func(t *testing.T) Opener) {
	for _, topic := range []struct {
		name string
		test func(t *testing.T, fresh func(t *testing.T) Opener)
	}{
		{"append", testAppend},
		{"create", testCreate},
		{"batch", testBatch},
		{"conflict", testConflict},
		{"operation", testOperation},
		{"unfit", testUnfit},
		{"writers", testWriters},
		{"load", testLoad},
		{"loops", testLoops},
		{"stored", testStored},
		{"snapshot", testSnapshot},
		{"blob", testBlob},
		{"watch", testWatch},
		{"delete", testDelete},
		{"deleting", testDeleting},
		{"context", testContext},
		{"close", testClose},
		{"model", testModel},
	} {
		t.Run(topic.name, func(t *testing.T) { topic.test(t, fresh) })
	}
}

// one returns a single handle on fresh data.
func one(t *testing.T, fresh func(t *testing.T) Opener) loopstate.Store {
	t.Helper()
	return fresh(t).open(t)
}

func (o Opener) open(t *testing.T) loopstate.Store {
	t.Helper()
	store := o(t)
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return store
}

// day is when the events of these tests happen: to the nanosecond, with a zero at the end and at the start
// of its fraction.
var day = time.Date(2026, 3, 9, 23, 59, 58, 12_345_670, time.UTC)

// batch is n events of a loop behind at, and the head that belongs to them.
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

// mustAppend appends n events behind at and returns them.
func mustAppend(t *testing.T, store loopstate.Store, loop string, at int64, op string, n int) []loopstate.Event {
	t.Helper()
	head, events := batch(loop, at, op, n)
	if err := store.Append(t.Context(), head, at, events); err != nil {
		t.Fatalf("Append(%s, at %d, %d events): %v", loop, at, n, err)
	}
	return events
}

// load reads a log to its end or its error.
func load(ctx context.Context, store loopstate.Store, loop string, after int64) ([]loopstate.Event, error) {
	var events []loopstate.Event
	for e, err := range store.Load(ctx, loop, after) {
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
	return events, nil
}

func mustLoad(t *testing.T, store loopstate.Store, loop string, after int64) []loopstate.Event {
	t.Helper()
	events, err := load(t.Context(), store, loop, after)
	if err != nil {
		t.Fatalf("Load(%s, after %d): %v", loop, after, err)
	}
	return events
}

func mustLoops(t *testing.T, store loopstate.Store, owner string) []loopstate.Head {
	t.Helper()
	heads, err := store.Loops(t.Context(), owner)
	if err != nil {
		t.Fatalf("Loops(%s): %v", owner, err)
	}
	return heads
}
