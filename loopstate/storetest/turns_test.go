package storetest

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
)

func TestTurns(t *testing.T) {
	for _, of := range implementations {
		t.Run(of.name, func(t *testing.T) {
			of.fresh(t)
			testTurns(t, of)
		})
	}
}

func testTurns(t *testing.T, of implementation) {
	var started time.Time // of the test
	// about reports whether a wait is want, less the time that has passed in the test. Clocks are read in microseconds.
	about := func(wait, want time.Duration) bool {
		return wait <= want && wait >= max(want-time.Since(started)-time.Millisecond, 0)
	}
	wants := func(t *testing.T, l channels.Ledger, name string, every time.Duration, burst int, within, want time.Duration, wantTaken bool) {
		t.Helper()
		if wait, taken, err := l.Reserve(t.Context(), name, every, burst, within); err != nil || taken != wantTaken || !about(wait, want) {
			t.Errorf("Reserve: %s, %v, %v; want %s, %v", wait, taken, err, want, wantTaken)
		}
	}
	hold := func(t *testing.T, l channels.Ledger, name string, d time.Duration) {
		t.Helper()
		if err := l.Hold(t.Context(), name, d); err != nil {
			t.Fatalf("Hold: %v", err)
		}
	}
	held := func(t *testing.T, l channels.Ledger, name string, want time.Duration) {
		t.Helper()
		left, err := l.Held(t.Context(), name)
		if err != nil || !about(left, want) {
			t.Errorf("Held: %s, %v; want %s", left, err, want)
		}
	}
	for _, tt := range []struct {
		name string
		test func(t *testing.T, a, b channels.Ledger) // two handles on the same data
	}{
		{"consecutive turns", func(t *testing.T, a, b channels.Ledger) {
			wants(t, a, "host x", time.Minute, 1, time.Hour, 0, true)
			wants(t, b, "host x", time.Minute, 1, time.Hour, time.Minute, true)
			wants(t, a, "host x", time.Minute, 1, time.Hour, 2*time.Minute, true)
			wants(t, b, "host y", time.Minute, 1, time.Hour, 0, true)
		}},
		{"a burst", func(t *testing.T, a, b channels.Ledger) {
			for range 3 {
				wants(t, a, "x", time.Minute, 3, time.Hour, 0, true)
			}
			wants(t, b, "x", time.Minute, 3, time.Hour, time.Minute, true)
			wants(t, a, "x", time.Minute, 1, time.Hour, 4*time.Minute, true) // without a burst, it waits for the end of this one
		}},
		{"a late turn is not taken", func(t *testing.T, a, b channels.Ledger) {
			wants(t, a, "x", time.Minute, 1, 0, 0, false)
			wants(t, a, "x", time.Minute, 1, time.Second, 0, true)
			for range 2 {
				wants(t, b, "x", time.Minute, 1, 30*time.Second, time.Minute, false)
			}
			wants(t, a, "x", time.Minute, 1, 2*time.Minute, time.Minute, true)
		}},
		{"a turn is at most ten minutes ahead", func(t *testing.T, a, b channels.Ledger) {
			wants(t, a, "x", 11*time.Minute, 1, time.Hour, 0, true)
			wants(t, b, "x", 11*time.Minute, 1, time.Hour, 11*time.Minute, false)
		}},
		{"a hold", func(t *testing.T, a, b channels.Ledger) {
			held(t, a, "x", 0)
			hold(t, a, "x", 2*time.Minute)
			held(t, b, "x", 2*time.Minute)
			held(t, b, "y", 0)
			hold(t, b, "x", time.Minute)
			held(t, a, "x", 2*time.Minute)
			hold(t, b, "x", 3*time.Minute)
			held(t, a, "x", 3*time.Minute)
			wants(t, b, "x", time.Minute, 3, time.Minute, 3*time.Minute, false)
			wants(t, b, "x", time.Minute, 3, time.Hour, 3*time.Minute, true)
			wants(t, a, "x", time.Minute, 3, time.Hour, 4*time.Minute, true) // a hold does not allow a burst
		}},
		{"a hold is at most an hour", func(t *testing.T, a, b channels.Ledger) {
			hold(t, a, "x", 24*time.Hour)
			held(t, b, "x", time.Hour)
		}},
		{"a hold after a turn", func(t *testing.T, a, b channels.Ledger) {
			wants(t, a, "x", 2*time.Minute, 1, time.Hour, 0, true)
			hold(t, b, "x", time.Minute)
			wants(t, a, "x", 2*time.Minute, 1, time.Hour, 2*time.Minute, true)
		}},
		{"fifty concurrent callers", func(t *testing.T, a, b channels.Ledger) {
			const every = 11 * time.Second
			var mu sync.Mutex
			var turns []time.Time
			var all sync.WaitGroup
			for i := range 50 {
				all.Go(func() {
					wait, taken, err := []channels.Ledger{a, b}[i%2].Reserve(t.Context(), "x", every, 1, time.Hour)
					mu.Lock()
					defer mu.Unlock()
					if err != nil || !taken {
						t.Errorf("Reserve: %s, %v, %v", wait, taken, err)
					}
					turns = append(turns, time.Now().Add(wait))
				})
			}
			all.Wait()
			slices.SortFunc(turns, time.Time.Compare)
			for i := 1; i < len(turns); i++ {
				if gap, passed := turns[i].Sub(turns[i-1]), time.Since(started); gap < every-passed || gap > every+passed {
					t.Errorf("turn %d is %s after the previous one, want %s", i, gap, every)
				}
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			open := handles(t, of.fresh(t))
			a, b := open(), open()
			started = time.Now()
			tt.test(t, a, b)
		})
	}
}
