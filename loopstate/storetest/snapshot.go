package storetest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

func testSnapshot(t *testing.T, fresh func(t *testing.T) Opener) {
	snap := func(seq int64, fold int, state string) loopstate.Snapshot {
		return loopstate.Snapshot{Loop: "L", Seq: seq, Fold: fold, State: []byte(state)}
	}
	for _, tt := range []struct {
		name string
		put  []loopstate.Snapshot
		want loopstate.Snapshot
	}{
		{"the only one", []loopstate.Snapshot{snap(3, 1, `{"a": 1}`)}, snap(3, 1, `{"a": 1}`)},
		{"a newer one wins", []loopstate.Snapshot{snap(3, 1, "3"), snap(5, 1, "5")}, snap(5, 1, "5")},
		{"an older one is ignored", []loopstate.Snapshot{snap(5, 1, "5"), snap(3, 1, "3")}, snap(5, 1, "5")},
		{"another fold replaces, though older", []loopstate.Snapshot{snap(5, 1, "5"), snap(3, 2, "3")}, snap(3, 2, "3")},
		{"a lower fold replaces too", []loopstate.Snapshot{snap(5, 2, "5"), snap(5, 1, "five")}, snap(5, 1, "five")},
		{"bytes are kept as they are", []loopstate.Snapshot{snap(1, 1, "{ \"a\":1.0,\n\"a\": \"\\u0000\"}")}, snap(1, 1, "{ \"a\":1.0,\n\"a\": \"\\u0000\"}")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			open := fresh(t)
			store := open.open(t)
			mustAppend(t, store, "L", 0, "a", 5)
			for _, s := range tt.put {
				if err := store.PutSnapshot(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			}
			other := tt.put[0]
			other.Loop, other.Seq = "M", 1
			if err := store.PutSnapshot(t.Context(), other); err != nil {
				t.Fatal(err)
			}
			got, err := open.open(t).Snapshot(t.Context(), "L")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Snapshot (-want +got):\n%s", diff)
			}
			if got := len(mustLoad(t, store, "L", 0)); got != 5 {
				t.Errorf("the log has %d events, want 5", got)
			}
		})
	}

	t.Run("none", func(t *testing.T) {
		store := one(t, fresh)
		mustAppend(t, store, "L", 0, "a", 1)
		for _, loop := range []string{"L", "unknown", ""} {
			if got, err := store.Snapshot(t.Context(), loop); !errors.Is(err, loopstate.ErrNotFound) {
				t.Errorf("Snapshot(%q): %v, %v, want ErrNotFound", loop, got, err)
			}
		}
	})
}
