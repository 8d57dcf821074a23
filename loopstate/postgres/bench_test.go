package postgres_test

import (
	"slices"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// BenchmarkAppend appends one event of about half a kilobyte.
func BenchmarkAppend(b *testing.B) {
	store := open(b, storetest.PostgreSQL(b), postgres.Options{})
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

// BenchmarkStored sums the sizes of the default maximum number of loops.
func BenchmarkStored(b *testing.B) {
	where := storetest.PostgreSQL(b)
	store := open(b, where, postgres.Options{})
	execute(b, connect(b, where), `INSERT INTO citeloop_heads (loop, owner, seq, query, round, status, updated_at, stored, readings)
		SELECT 'loop' || i, 'ada', 1, 'q', 0, 'running', '2026-03-01T09:00:00.000000000Z', i, 0 FROM generate_series(1, 10000) AS i`)
	for b.Loop() {
		if n, err := store.Stored(b.Context(), "ada"); n != 10_000*10_001/2 || err != nil {
			b.Fatal(n, err)
		}
	}
}
