package postgres_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

// BenchmarkAppend is one event of about half a kilobyte, on disk, in both stores of this machine.
func BenchmarkAppend(b *testing.B) {
	b.Run("postgres", func(b *testing.B) {
		benchmarkAppend(b, open(b, database(b), postgres.Options{}))
	})
	b.Run("sqlite", func(b *testing.B) {
		store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "loops.db"), sqlite.Options{})
		if err != nil {
			b.Fatal(err)
		}
		defer store.Close()
		benchmarkAppend(b, store)
	})
}

func benchmarkAppend(b *testing.B, store loopstate.Store) {
	var took []time.Duration
	at := int64(0)
	for b.Loop() {
		head, events := next("L", at)
		began := time.Now()
		if err := store.Append(b.Context(), head, at, events); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
		at++
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}
