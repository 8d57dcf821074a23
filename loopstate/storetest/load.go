package storetest

import (
	"fmt"
	"iter"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

func testLoad(t *testing.T, fresh func(t *testing.T) Opener) {
	t.Run("after", func(t *testing.T) {
		store := one(t, fresh)
		all := mustAppend(t, store, "L", 0, "a", 10)
		for _, tt := range []struct {
			after int64
			want  []loopstate.Event
		}{
			{math.MinInt64, all}, {-1, all}, {0, all}, {1, all[1:]}, {9, all[9:]}, {10, nil}, {11, nil}, {math.MaxInt64, nil},
		} {
			if diff := cmp.Diff(tt.want, mustLoad(t, store, "L", tt.after)); diff != "" {
				t.Errorf("Load after %d (-want +got):\n%s", tt.after, diff)
			}
		}
	})

	t.Run("unknown loop", func(t *testing.T) {
		store := one(t, fresh)
		mustAppend(t, store, "L", 0, "a", 1)
		for _, loop := range []string{"l", "L ", "%", ""} {
			if got := mustLoad(t, store, loop, 0); len(got) != 0 {
				t.Errorf("Load(%q) yields %d events", loop, len(got))
			}
		}
	})

	t.Run("a long log is whole and in order", func(t *testing.T) {
		store := one(t, fresh)
		want := mustAppend(t, store, "L", 0, "a", 1500)
		want = append(want, mustAppend(t, store, "L", 1500, "b", 1500)...)
		if diff := cmp.Diff(want, mustLoad(t, store, "L", 0)); diff != "" {
			t.Errorf("Load (-want +got):\n%s", diff)
		}
	})

	t.Run("a sequence can be ranged over again", func(t *testing.T) {
		store := one(t, fresh)
		mustAppend(t, store, "L", 0, "a", 3)
		log := store.Load(t.Context(), "L", 1)
		mustAppend(t, store, "L", 3, "b", 1)
		for range 2 {
			var got []int64
			for e, err := range log {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, e.Seq)
			}
			if diff := cmp.Diff([]int64{2, 3, 4}, got); diff != "" {
				t.Errorf("sequence numbers (-want +got):\n%s", diff)
			}
		}
	})

	t.Run("an early break holds nothing", func(t *testing.T) {
		store := one(t, fresh)
		at := int64(1000)
		mustAppend(t, store, "L", 0, "a", int(at))
		// More often than any pool has connections.
		for i := range 40 {
			for e, err := range store.Load(t.Context(), "L", 0) {
				if err != nil || e.Seq != 1 {
					t.Fatalf("Load yields event %d, %v", e.Seq, err)
				}
				break
			}
			mustAppend(t, store, "L", at, fmt.Sprint("b", i), 1)
			at++
		}
	})

	t.Run("the loop can be used while it is read", func(t *testing.T) {
		store := one(t, fresh)
		want := mustAppend(t, store, "L", 0, "a", 40)
		var got []loopstate.Event
		for e, err := range store.Load(t.Context(), "L", 0) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e)
			if e.Seq <= 40 {
				mustAppend(t, store, "L", 39+e.Seq, fmt.Sprint("b", e.Seq), 1)
				mustLoad(t, store, "L", e.Seq)
			}
		}
		// Whether events appended meanwhile are seen is left open; those of the start are.
		if diff := cmp.Diff(want, got[:min(len(got), 40)]); diff != "" {
			t.Errorf("Load (-want +got):\n%s", diff)
		}
		if err := Whole(dropOp(got, "a")); err != nil && len(got) > 40 {
			t.Error(err)
		}
	})

	t.Run("many readers stand still at once", func(t *testing.T) {
		store := one(t, fresh)
		mustAppend(t, store, "L", 0, "a", 1000)
		for i := range 20 {
			next, stop := iter.Pull2(store.Load(t.Context(), "L", 0))
			defer stop()
			if e, err, ok := next(); err != nil || !ok || e.Seq != 1 {
				t.Fatalf("reader %d: event %d, %v, %v", i, e.Seq, err, ok)
			}
		}
		mustAppend(t, store, "L", 1000, "b", 1)
	})
}

// dropOp gives the events of one operation ids of their own, so that Whole can tell the rest apart.
func dropOp(events []loopstate.Event, op string) []loopstate.Event {
	out := append([]loopstate.Event(nil), events...)
	for i := range out {
		if out[i].Op == op {
			out[i].Op = fmt.Sprint(op, "#", i)
		}
	}
	return out
}
