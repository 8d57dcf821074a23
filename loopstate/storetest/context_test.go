package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

var contextTests = []test{
	{"a cancelled load ends with an error", func(t *testing.T, open func() handle) {
		h := open()
		h.append("L", 0, "a", 50)
		for _, stopAt := range []int64{1, 2, 49} {
			ctx, cancel := context.WithCancel(t.Context())
			pairs, last := 0, error(nil)
			for e, err := range h.Load(ctx, "L", 0) {
				if last != nil {
					t.Fatalf("a pair follows the error %v", last)
				}
				if last = err; err == nil {
					pairs++
				}
				if e.Seq == stopAt {
					cancel()
				}
			}
			cancel()
			if !errors.Is(last, context.Canceled) || pairs >= 50 {
				t.Errorf("cancelled at event %d: %d of 50 events, then %v, want context.Canceled", stopAt, pairs, last)
			}
		}
		h.append("L", 50, "b", 1)
	}},
	{"cancelled before the call", func(t *testing.T, open func() handle) {
		h := open()
		want := h.append("L", 0, "a", 2)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for name, do := range everyCall(h) {
			h.wantError(name, do(ctx), context.Canceled)
		}
		h.wantLog("L", want)
		h.append("L", 2, "b", 1)
	}},
}

// everyCall returns each call of a store that can fail, on the loop L of two events.
func everyCall(store loopstate.Store) map[string]func(context.Context) error {
	late := loopstate.HashText([]byte("late"))
	return map[string]func(context.Context) error{
		"Append": func(ctx context.Context) error {
			head, events := batch("L", 2, "late", 1)
			return store.Append(ctx, head, 2, events)
		},
		"Create": func(ctx context.Context) error {
			head, events := whole("late", 2)
			return store.Create(ctx, head, logOf(events, nil))
		},
		"Load":     func(ctx context.Context) error { _, err := load(ctx, store, "L", 0); return err },
		"Loops":    func(ctx context.Context) error { _, err := store.Loops(ctx, "ada"); return err },
		"Stored":   func(ctx context.Context) error { _, err := store.Stored(ctx, "ada"); return err },
		"Snapshot": func(ctx context.Context) error { _, err := store.Snapshot(ctx, "L"); return err },
		"PutSnapshot": func(ctx context.Context) error {
			return store.PutSnapshot(ctx, loopstate.Snapshot{Loop: "L", Seq: 2, Fold: 1, State: []byte("{}")})
		},
		"PutBlob": func(ctx context.Context) error { _, err := store.PutBlob(ctx, []byte("late")); return err },
		"Blob":    func(ctx context.Context) error { _, err := store.Blob(ctx, late); return err },
		"Probe":   store.Probe,
		"Delete":  func(ctx context.Context) error { return store.Delete(ctx, "L") },
	}
}
