package storetest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

func testConflict(t *testing.T, fresh func(t *testing.T) Opener) {
	for _, tt := range []struct {
		name string
		has  int   // events in the log
		at   int64 // what the caller believes
	}{
		{"created twice", 1, 0},
		{"version too low", 3, 2},
		{"version far too low", 5, 1},
		{"version too high", 3, 4},
		{"version far too high", 3, 1_000_000},
		{"no such loop", 0, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := one(t, fresh)
			var want []loopstate.Event
			if tt.has > 0 {
				want = mustAppend(t, store, "L", 0, "first", tt.has)
			}
			heads := mustLoops(t, store, "ada")
			for _, n := range []int{1, 3} {
				head, events := batch("L", tt.at, "second", n)
				head.Query = "overwritten"
				if err := store.Append(t.Context(), head, tt.at, events); !errors.Is(err, loopstate.ErrConflict) {
					t.Errorf("Append of %d at %d to a log of %d: %v, want ErrConflict", n, tt.at, tt.has, err)
				}
			}
			if diff := cmp.Diff(want, mustLoad(t, store, "L", 0)); diff != "" {
				t.Errorf("the log changed (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(heads, mustLoops(t, store, "ada")); diff != "" {
				t.Errorf("the heads changed (-want +got):\n%s", diff)
			}
			mustAppend(t, store, "L", int64(tt.has), "second", 1) // the refused operation counts as not done
		})
	}
}
