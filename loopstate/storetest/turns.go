package storetest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"
)

// Ledger is what a store keeps of turns and holds for channels.Ledger, which no store may import.
type Ledger interface {
	Reserve(ctx context.Context, name string, every time.Duration, burst int, within time.Duration) (wait time.Duration, taken bool, err error)
	Hold(ctx context.Context, name string, d time.Duration, why string) error
	Held(ctx context.Context, name string) (left time.Duration, why string, err error)
}

// slack is more than any call of these tests takes: waits are told from each other by much more.
const slack = 5 * time.Second

// RunTurns tests a ledger. fresh is called for every test: it makes empty data and returns what opens one more
// handle on them.
func RunTurns(t *testing.T, fresh func(t *testing.T) func(t *testing.T) Ledger) {
	reserve := func(t *testing.T, l Ledger, name string, every time.Duration, burst int, within time.Duration) (time.Duration, bool) {
		t.Helper()
		wait, taken, err := l.Reserve(t.Context(), name, every, burst, within)
		if err != nil {
			t.Fatalf("Reserve: %v", err)
		}
		return wait, taken
	}
	// wants reserves and compares; a wait passes while the test runs, so that it may be shorter by the slack.
	wants := func(t *testing.T, l Ledger, name string, every time.Duration, burst int, within, want time.Duration, wantTaken bool) {
		t.Helper()
		if wait, taken := reserve(t, l, name, every, burst, within); taken != wantTaken || wait > want || wait < max(want-slack, 0) {
			t.Errorf("Reserve answered %s, %v; want %s, %v", wait, taken, want, wantTaken)
		}
	}
	hold := func(t *testing.T, l Ledger, name string, d time.Duration, why string) {
		t.Helper()
		if err := l.Hold(t.Context(), name, d, why); err != nil {
			t.Fatalf("Hold: %v", err)
		}
	}
	held := func(t *testing.T, l Ledger, name string, want time.Duration, wantWhy string) {
		t.Helper()
		left, why, err := l.Held(t.Context(), name)
		if err != nil || left > want || left < max(want-slack, 0) || why != wantWhy {
			t.Errorf("Held answered %s, %q, %v; want %s, %q", left, why, err, want, wantWhy)
		}
	}
	for _, tt := range []struct {
		name string
		test func(t *testing.T, a, b Ledger) // two handles on the same data
	}{
		{"turns follow each other", func(t *testing.T, a, b Ledger) {
			wants(t, a, "host x", time.Minute, 1, time.Hour, 0, true)
			wants(t, b, "host x", time.Minute, 1, time.Hour, time.Minute, true)
			wants(t, a, "host x", time.Minute, 1, time.Hour, 2*time.Minute, true)
			wants(t, b, "host y", time.Minute, 1, time.Hour, 0, true)
		}},
		{"a burst", func(t *testing.T, a, b Ledger) {
			for range 3 {
				wants(t, a, "x", time.Minute, 3, time.Hour, 0, true)
			}
			wants(t, b, "x", time.Minute, 3, time.Hour, time.Minute, true)
			wants(t, a, "x", time.Minute, 1, time.Hour, 4*time.Minute, true) // who allows no burst waits for its end
		}},
		{"what comes too late is not taken", func(t *testing.T, a, b Ledger) {
			wants(t, a, "x", time.Minute, 1, 0, 0, false)
			wants(t, a, "x", time.Minute, 1, time.Second, 0, true)
			for range 2 {
				wants(t, b, "x", time.Minute, 1, 30*time.Second, time.Minute, false)
			}
			wants(t, a, "x", time.Minute, 1, 2*time.Minute, time.Minute, true)
		}},
		{"no turn lies more than ten minutes ahead", func(t *testing.T, a, b Ledger) {
			wants(t, a, "x", 11*time.Minute, 1, time.Hour, 0, true)
			wants(t, b, "x", 11*time.Minute, 1, time.Hour, 11*time.Minute, false)
		}},
		{"a hold", func(t *testing.T, a, b Ledger) {
			held(t, a, "x", 0, "")
			hold(t, a, "x", 2*time.Minute, "unavailable: answered 500")
			held(t, b, "x", 2*time.Minute, "unavailable: answered 500")
			held(t, b, "y", 0, "")
			hold(t, b, "x", time.Minute, "shorter")
			held(t, a, "x", 2*time.Minute, "unavailable: answered 500")
			hold(t, b, "x", 3*time.Minute, "longer")
			held(t, a, "x", 3*time.Minute, "longer")
			wants(t, b, "x", time.Minute, 3, time.Minute, 3*time.Minute, false)
			wants(t, b, "x", time.Minute, 3, time.Hour, 3*time.Minute, true)
			wants(t, a, "x", time.Minute, 3, time.Hour, 4*time.Minute, true) // no burst is saved up in a hold
		}},
		{"a hold is an hour at most", func(t *testing.T, a, b Ledger) {
			hold(t, a, "x", 24*time.Hour, "")
			held(t, b, "x", time.Hour, "")
		}},
		{"a hold beside turns that were taken", func(t *testing.T, a, b Ledger) {
			wants(t, a, "x", 2*time.Minute, 1, time.Hour, 0, true)
			hold(t, b, "x", time.Minute, "")
			wants(t, a, "x", 2*time.Minute, 1, time.Hour, 2*time.Minute, true)
		}},
		{"fifty at once", func(t *testing.T, a, b Ledger) {
			const every = 11 * time.Second
			var mu sync.Mutex
			var turns []time.Time
			var all sync.WaitGroup
			for i := range 50 {
				all.Go(func() {
					wait, taken, err := []Ledger{a, b}[i%2].Reserve(t.Context(), "x", every, 1, time.Hour)
					mu.Lock()
					defer mu.Unlock()
					if err != nil || !taken {
						t.Errorf("Reserve answered %s, %v, %v", wait, taken, err)
					}
					turns = append(turns, time.Now().Add(wait))
				})
			}
			all.Wait()
			slices.SortFunc(turns, time.Time.Compare)
			for i := 1; i < len(turns); i++ {
				if gap := turns[i].Sub(turns[i-1]); gap < every-slack || gap > every+slack {
					t.Errorf("turn %d lies %s after the one before", i, gap)
				}
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			open := fresh(t)
			tt.test(t, open(t), open(t))
		})
	}
}
