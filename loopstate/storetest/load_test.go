package storetest

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

var loadTests = []test{
	{"after an event", func(t *testing.T, open func() handle) {
		h := open()
		all := h.append("L", 0, "a", 10)
		for after, want := range map[int64][]loopstate.Event{math.MinInt64: all, -1: all, 0: all, 1: all[1:], 9: all[9:], 10: nil, 11: nil, math.MaxInt64: nil} {
			h.wantSame(fmt.Sprint("Load after ", after), want, h.load("L", after))
		}
	}},
	{"an unknown loop", func(t *testing.T, open func() handle) {
		h := open()
		h.append("L", 0, "a", 1)
		for _, loop := range []string{"l", "L ", "%", ""} {
			h.wantLog(loop, nil)
		}
	}},
	{"a long log", func(t *testing.T, open func() handle) {
		h := open()
		want := h.append("L", 0, "a", 1500)
		h.wantLog("L", append(want, h.append("L", 1500, "b", 1500)...))
	}},
	{"a sequence can be used again", func(t *testing.T, open func() handle) {
		h := open()
		h.append("L", 0, "a", 3)
		log := h.Load(t.Context(), "L", 1)
		h.append("L", 3, "b", 1)
		for range 2 {
			var got []int64
			for e, err := range log {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, e.Seq)
			}
			if !slices.Equal(got, []int64{2, 3, 4}) {
				t.Errorf("sequence numbers: %v, want 2 to 4", got)
			}
		}
	}},
	{"an early break releases the connection", func(t *testing.T, open func() handle) {
		h, at := open(), int64(1000)
		h.append("L", 0, "a", int(at))
		for i := range 40 { // more than a pool has connections
			for e, err := range h.Load(t.Context(), "L", 0) {
				if err != nil || e.Seq != 1 {
					t.Fatalf("Load yields event %d, %v", e.Seq, err)
				}
				break
			}
			h.append("L", at, fmt.Sprint("b", i), 1)
			at++
		}
	}},
	{"other calls work during a load", func(t *testing.T, open func() handle) {
		h := open()
		want := h.append("L", 0, "a", 40)
		var got []loopstate.Event
		for e, err := range h.Load(t.Context(), "L", 0) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e)
			if e.Seq <= 40 {
				h.append("L", 39+e.Seq, fmt.Sprint("b", e.Seq), 1)
				h.load("L", e.Seq)
			}
		}
		// The load may or may not yield events that were appended during it.
		h.wantSame("first events", want, got[:min(len(got), 40)])
		for i := range got {
			if got[i].Seq != int64(i+1) {
				t.Errorf("event %d has number %d", i+1, got[i].Seq)
			}
		}
	}},
	{"many readers can pause", func(t *testing.T, open func() handle) {
		h := open()
		h.append("L", 0, "a", 1000)
		for i := range 20 {
			next, stop := iter.Pull2(h.Load(t.Context(), "L", 0))
			defer stop()
			if e, err, ok := next(); err != nil || !ok || e.Seq != 1 {
				t.Fatalf("reader %d: event %d, %v, %v", i, e.Seq, err, ok)
			}
		}
		h.append("L", 1000, "b", 1)
	}},
}
