package storetest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

// store is what an implementation provides: the loops, and the turns of hosts.
type store interface {
	loopstate.Store
	channels.Ledger
}

// opener opens a handle on the same data. Handles share nothing else, as if each were in its own process.
type opener func(t *testing.T) store

// implementation is a store to test.
type implementation struct {
	name  string
	fresh func(t *testing.T) opener // creates empty data for one test; skips the test where there is no server
}

var implementations = []implementation{
	{"sqlite", func(t *testing.T) opener {
		path := filepath.Join(t.TempDir(), "loops.db")
		return func(t *testing.T) store {
			t.Helper()
			// A short interval for a short suite; sqlite.TestWatchOtherProcess uses the default.
			s, err := sqlite.Open(t.Context(), path, sqlite.Options{PollInterval: 5 * time.Millisecond})
			if err != nil {
				t.Fatalf("Open: %v", err)
			}
			return s
		}
	}},
	{"postgres", func(t *testing.T) opener {
		address := PostgreSQL(t)
		return func(t *testing.T) store {
			t.Helper()
			s, err := postgres.Open(t.Context(), address, postgres.Options{})
			if err != nil {
				t.Fatalf("Open: %v", err)
			}
			return s
		}
	}},
}

// test is a test on empty data.
type test struct {
	name string
	run  func(t *testing.T, open func() handle)
}

func TestStores(t *testing.T) {
	for _, of := range implementations {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			of.fresh(t) // skips once, not in every part
			testStore(t, of)
		})
	}
}

func testStore(t *testing.T, of implementation) {
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
				t.Run(tt.name, func(t *testing.T) {
					t.Parallel()
					tt.run(t, handles(t, of.fresh(t)))
				})
			}
		})
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
