package sqlite_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

// BenchmarkAppend is one event of about half a kilobyte, on disk: the whole cost of an update's write.
func BenchmarkAppend(b *testing.B) {
	store := open(b, filepath.Join(b.TempDir(), "loops.db"), sqlite.Options{})
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

func BenchmarkLoad(b *testing.B) {
	const n = 10_000
	store := open(b, filepath.Join(b.TempDir(), "loops.db"), sqlite.Options{})
	var log []loopstate.Event
	for at := range int64(n) {
		_, events := next("L", at)
		events[0].Op = "import"
		log = append(log, events...)
	}
	head, _ := next("L", n-1)
	if err := store.Append(b.Context(), head, 0, log); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		got := 0
		for _, err := range store.Load(b.Context(), "L", 0) {
			if err != nil {
				b.Fatal(err)
			}
			got++
		}
		if got != n {
			b.Fatalf("%d events, want %d", got, n)
		}
	}
}

// BenchmarkPutBlob is a page of the web, new and again.
func BenchmarkPutBlob(b *testing.B) {
	store := open(b, filepath.Join(b.TempDir(), "loops.db"), sqlite.Options{})
	b.Run("new", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			put(b, store, fmt.Sprint(i, " of ", b.N))
		}
	})
	b.Run("again", func(b *testing.B) {
		put(b, store, "again")
		for b.Loop() {
			put(b, store, "again")
		}
	})
}

func put(b *testing.B, store *sqlite.Store, name string) {
	b.Helper()
	if _, err := store.PutBlob(b.Context(), textOf(name)); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkStored sums the sizes of the default maximum number of loops.
func BenchmarkStored(b *testing.B) {
	path := filepath.Join(b.TempDir(), "loops.db")
	store := open(b, path, sqlite.Options{})
	execute(b, path, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
		INSERT INTO heads SELECT 'loop' || i, 'ada', 1, 'q', 0, 'running', '2026-03-01T09:00:00.000000000Z', i, 0 FROM n`)
	for b.Loop() {
		if n, err := store.Stored(b.Context(), "ada"); n != 10_000*10_001/2 || err != nil {
			b.Fatal(n, err)
		}
	}
}
