package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

func testContext(t *testing.T, fresh func(t *testing.T) Opener) {
	t.Run("a read that is cut short ends with an error", func(t *testing.T) {
		store := one(t, fresh)
		mustAppend(t, store, "L", 0, "a", 50)
		for _, stopAt := range []int64{1, 2, 49} {
			ctx, cancel := context.WithCancel(t.Context())
			pairs, last := int64(0), error(nil)
			for e, err := range store.Load(ctx, "L", 0) {
				if last != nil {
					t.Fatalf("a pair follows the error %v", last)
				}
				last = err
				if err == nil {
					pairs++
				}
				if e.Seq == stopAt {
					cancel()
				}
			}
			cancel()
			if !errors.Is(last, context.Canceled) {
				t.Errorf("cancelled at event %d: %d events and then the error %v, want context.Canceled", stopAt, pairs, last)
			}
			if pairs >= 50 {
				t.Errorf("cancelled at event %d: all the events came", stopAt)
			}
		}
		mustAppend(t, store, "L", 50, "b", 1)
	})

	t.Run("cancelled before the call", func(t *testing.T) {
		store := one(t, fresh)
		want := mustAppend(t, store, "L", 0, "a", 2)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for _, c := range everyCall(store) {
			if err := c.do(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v, want context.Canceled", c.name, err)
			}
		}
		if diff := cmp.Diff(want, mustLoad(t, store, "L", 0)); diff != "" {
			t.Errorf("the log changed (-want +got):\n%s", diff)
		}
		mustAppend(t, store, "L", 2, "b", 1)
	})
}

type call struct {
	name string
	do   func(ctx context.Context) error
}

// everyCall is each call of a store that can fail, on the loop L of two events.
func everyCall(store loopstate.Store) []call {
	return []call{
		{"Append", func(ctx context.Context) error {
			head, events := batch("L", 2, "late", 1)
			return store.Append(ctx, head, 2, events)
		}},
		{"Create", func(ctx context.Context) error {
			head, events := whole("late", 2)
			return store.Create(ctx, head, logOf(events, nil))
		}},
		{"Load", func(ctx context.Context) error { _, err := load(ctx, store, "L", 0); return err }},
		{"Loops", func(ctx context.Context) error { _, err := store.Loops(ctx, "ada"); return err }},
		{"Snapshot", func(ctx context.Context) error { _, err := store.Snapshot(ctx, "L"); return err }},
		{"PutSnapshot", func(ctx context.Context) error {
			return store.PutSnapshot(ctx, loopstate.Snapshot{Loop: "L", Seq: 2, Fold: 1, State: []byte("{}")})
		}},
		{"PutBlob", func(ctx context.Context) error { _, err := store.PutBlob(ctx, []byte("late")); return err }},
		{"Blob", func(ctx context.Context) error {
			_, err := store.Blob(ctx, loopstate.HashText([]byte("late")))
			return err
		}},
		{"Probe", store.Probe},
		{"Delete", func(ctx context.Context) error { return store.Delete(ctx, "L") }},
	}
}
