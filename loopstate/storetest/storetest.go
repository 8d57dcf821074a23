// Package storetest is the contract of [loopstate.Store] as tests that every implementation runs. Each implementation tests
// its own features (files, pragmas, killed processes) in its package.
package storetest

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// Opener opens a handle on the same data. Handles share nothing else, as if each were in its own process. The suite closes
// them.
type Opener func(t *testing.T) loopstate.Store

// test is a test on empty data.
type test struct {
	name string
	run  func(t *testing.T, open func() handle)
}

// Run tests an implementation. fresh creates empty data for one test and returns its opener.
func Run(t *testing.T, fresh func(t *testing.T) Opener) {
	for _, topic := range []struct {
		name  string
		tests []test
	}{
		{"append", appendTests},
		{"create", createTests()},
		{"batch", batchTests},
		{"refused", refusedTests()},
		{"writers", writerTests()},
		{"load", loadTests},
		{"loops", loopsTests},
		{"stored", storedTests},
		{"snapshot", snapshotTests()},
		{"blob", blobTests()},
		{"watch", watchTests()},
		{"delete", deleteTests()},
		{"concurrent delete", concurrentDeleteTests},
		{"context", contextTests},
		{"close", closeTests},
		{"model", []test{{"random histories", testModel}}},
	} {
		t.Run(topic.name, func(t *testing.T) {
			for _, tt := range topic.tests {
				t.Run(tt.name, func(t *testing.T) { tt.run(t, handles(t, fresh(t))) })
			}
		})
	}
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

// naming returns one event after event at that names texts, and its head.
func naming(loop string, at int64, texts ...string) (loopstate.Head, []loopstate.Event) {
	head, events := batch(loop, at, fmt.Sprint("op", at), 1)
	var hashes []string
	for _, text := range texts {
		hashes = append(hashes, loopstate.HashText([]byte(text)).String())
	}
	events[0].Data, _ = json.Marshal(hashes)
	return head, events
}
