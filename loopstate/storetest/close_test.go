package storetest

import (
	"errors"
	"sync"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

var closeTests = []test{
	{"later calls fail", func(t *testing.T, open func() handle) {
		h := open()
		h.append("L", 0, "a", 2)
		for range 2 { // a second Close succeeds
			if err := h.Close(); err != nil {
				t.Fatalf("Close: %v", err)
			}
		}
		for name, do := range everyCall(h) {
			if err := do(t.Context()); err == nil || errors.Is(err, loopstate.ErrNotFound) || errors.Is(err, loopstate.ErrConflict) {
				t.Errorf("%s: %v, want an error that does not look like an empty store", name, err)
			}
		}
	}},
	{"a load in progress ends with an error", func(t *testing.T, open func() handle) {
		h := open()
		h.append("L", 0, "a", 3000)
		pairs, last := 0, error(nil)
		closing := make(chan error, 1)
		for _, err := range h.Load(t.Context(), "L", 0) {
			last = err
			if pairs++; pairs == 1 {
				go func() { closing <- h.Close() }() // it may wait for this Load, but this Load must not wait for it
			}
		}
		if err := <-closing; err != nil {
			t.Errorf("Close: %v", err)
		}
		if last == nil && pairs != 3000 {
			t.Errorf("%d of 3000 events and no error", pairs)
		}
	}},
	{"waits for calls in progress", func(t *testing.T, open func() handle) {
		h := open()
		acknowledged := make([]int64, 4)
		started := make(chan struct{}, len(acknowledged))
		var writers, closers sync.WaitGroup
		for w := range acknowledged {
			writers.Go(func() {
				// It ends with the error of a closed store.
				_ = AppendMany(t.Context(), h, string(rune('a'+w)), "w", 1_000_000, func(seq int64) {
					if acknowledged[w] = seq; seq == 3 {
						started <- struct{}{}
					}
				})
			})
		}
		for range acknowledged {
			<-started
		}
		for range 3 {
			closers.Go(func() {
				if err := h.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			})
		}
		closers.Wait()
		writers.Wait()
		again := open()
		for w, seq := range acknowledged {
			if got := again.length(string(rune('a' + w))); got != seq {
				t.Errorf("loop %d: %d events acknowledged, %d in the log", w, seq, got)
			}
		}
	}},
	{"a new handle has all data", func(t *testing.T, open func() handle) {
		h := open()
		want := h.append("L", 0, "a", 3)
		h.put("text")
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		again := open()
		again.wantLog("L", want)
		again.wantText("text", true)
	}},
}
