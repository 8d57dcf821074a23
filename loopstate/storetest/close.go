package storetest

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

func testClose(t *testing.T, fresh func(t *testing.T) Opener) {
	t.Run("calls after it are errors", func(t *testing.T) {
		store := one(t, fresh)
		mustAppend(t, store, "L", 0, "a", 2)
		for range 2 { // the second Close is no error
			if err := store.Close(); err != nil {
				t.Fatalf("Close: %v", err)
			}
		}
		for _, c := range everyCall(store) {
			err := c.do(t.Context())
			if err == nil {
				t.Errorf("%s worked after Close", c.name)
			}
			if errors.Is(err, loopstate.ErrNotFound) || errors.Is(err, loopstate.ErrConflict) {
				t.Errorf("%s: %v: a closed store must not look like an empty one", c.name, err)
			}
		}
	})

	t.Run("a log being read ends with an error", func(t *testing.T) {
		open := fresh(t)
		store := open.open(t)
		mustAppend(t, store, "L", 0, "a", 3000)
		pairs, last := 0, error(nil)
		closing := make(chan error, 1)
		for _, err := range store.Load(t.Context(), "L", 0) {
			last = err
			pairs++
			if pairs == 1 {
				go func() { closing <- store.Close() }() // it may wait for this Load, and this Load not for it
			}
		}
		if err := <-closing; err != nil {
			t.Errorf("Close: %v", err)
		}
		if last == nil && pairs != 3000 {
			t.Errorf("%d of 3000 events and no error", pairs)
		}
	})

	t.Run("waits for the calls under way", func(t *testing.T) {
		open := fresh(t)
		store := open.open(t)
		acknowledged := make([]int64, 4)
		started := make(chan struct{}, len(acknowledged))
		var writers sync.WaitGroup
		for w := range acknowledged {
			loop := string(rune('a' + w))
			writers.Go(func() {
				// It ends with the error of a closed store; how many it may write does not matter.
				_ = AppendMany(t.Context(), store, loop, "w", 1_000_000, func(seq int64) {
					acknowledged[w] = seq
					if seq == 3 {
						started <- struct{}{}
					}
				})
			})
		}
		for range acknowledged {
			<-started
		}
		var closers sync.WaitGroup
		for range 3 {
			closers.Go(func() {
				if err := store.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			})
		}
		closers.Wait()
		writers.Wait()
		again := open.open(t)
		for w, seq := range acknowledged {
			if got := int64(len(mustLoad(t, again, string(rune('a'+w)), 0))); got != seq {
				t.Errorf("loop %d: %d events acknowledged, %d in the log", w, seq, got)
			}
		}
	})

	t.Run("what was written is there again", func(t *testing.T) {
		open := fresh(t)
		store := open.open(t)
		want := mustAppend(t, store, "L", 0, "a", 3)
		if _, err := store.PutBlob(t.Context(), []byte("text")); err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		again := open.open(t)
		if diff := cmp.Diff(want, mustLoad(t, again, "L", 0)); diff != "" {
			t.Errorf("Load (-want +got):\n%s", diff)
		}
		if text, err := again.Blob(t.Context(), loopstate.HashText([]byte("text"))); err != nil || string(text) != "text" {
			t.Errorf("Blob: %q, %v", text, err)
		}
	})
}
