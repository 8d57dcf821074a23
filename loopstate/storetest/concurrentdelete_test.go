package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

var concurrentDeleteTests = []test{
	{"a cancelled one deletes everything or nothing", func(t *testing.T, open func() handle) {
		h := open()
		for i := range 40 {
			h.put("the text")
			h.write(naming("L", 0, "the text"))
			h.append("L", 1, "b", 20)
			want := h.kept("L")
			err := h.Delete(cancelledAfter(t, 4*i), "L")
			got := h.kept("L")
			_, missing := h.Blob(t.Context(), loopstate.HashText([]byte("the text")))
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				t.Fatalf("Delete %d: %v, want context.Canceled", i, err)
			case cmp.Equal(kept{}, got) && errors.Is(missing, loopstate.ErrNotFound):
				continue
			case err == nil:
				t.Fatalf("Delete %d succeeded, but left\n%v; text: %v", i, got, missing)
			case missing != nil || !cmp.Equal(want, got):
				t.Fatalf("Delete %d was cancelled; text: %v, loop (-want +got):\n%s", i, missing, cmp.Diff(want, got))
			}
			h.delete("L")
		}
	}},
	{"one of many callers succeeds", func(t *testing.T, open func() handle) {
		hs := []handle{open(), open()}
		for range 5 {
			hs[0].append("L", 0, "a", 10)
			onlyOne(t, 6, loopstate.ErrNotFound, func(i int) error { return hs[i%2].Delete(t.Context(), "L") })
		}
	}},
	{"two loops with a common text", func(t *testing.T, open func() handle) {
		hs := []handle{open(), open()}
		for i := range 20 {
			shared := fmt.Sprint("text ", i)
			hs[0].put(shared, "another text")
			hs[0].write(naming("A", 0, shared))
			hs[0].write(naming("B", 0, shared, "another text"))
			hs[0].write(naming(fmt.Sprint("C", i), 0, "another text"))
			var deleting sync.WaitGroup
			for i, loop := range []string{"A", "B"} {
				deleting.Go(func() { run(t, func() error { return hs[i].Delete(t.Context(), loop) }) })
			}
			deleting.Wait()
			hs[0].wantText(shared, false)
			hs[1].wantText("another text", true)
		}
	}},
	{"beside appends to other loops", func(t *testing.T, open func() handle) {
		const appends = 25
		loops := []string{"A", "B", "Z"}
		h, writers := open(), startWriters(t, []handle{open(), open()}, loops, appends)
		deleted := 0
		while(t, func() error { writers.Wait(); return nil }, func() {
			h.append("L", 0, "a", 3)
			h.delete("L")
			deleted++
		})
		for ; deleted < 3; deleted++ {
			h.append("L", 0, "a", 3)
			h.delete("L")
		}
		for _, loop := range loops {
			h.wantWhole(loop, 2*appends)
		}
		h.wantKept("L", kept{})
	}},
	{"beside appends to the loop", func(t *testing.T, open func() handle) {
		hs := []handle{open(), open()}
		for range 5 {
			hs[0].append("L", 0, "a", 2)
			var writing sync.WaitGroup
			started := make(chan struct{}, len(hs))
			for w, h := range hs {
				writing.Go(func() { appendUntilDeleted(h, fmt.Sprint("w", w), started) })
			}
			<-started
			<-started
			hs[1].delete("L")
			writing.Wait()
			hs[0].wantKept("L", kept{})
		}
	}},
	{"keeps the texts of appends at any time", func(t *testing.T, open func() handle) {
		const texts = 40
		text := func(i int) string { return fmt.Sprint("text ", i) }
		write := func(h handle, loop string, at, i int) error {
			both := []string{text(i), text((i + 1) % texts)} // of two writers, in two orders
			if i%2 == 1 {
				slices.Reverse(both)
			}
			head, events := naming(loop, int64(at), both...)
			return h.Append(t.Context(), head, int64(at), events, bodies(both)...)
		}
		var running sync.WaitGroup
		for n := range 2 {
			deleting, writing := open(), open()
			running.Go(func() { // its loops name the texts of the writers
				loop := fmt.Sprint("L", n)
				for i := range texts {
					run(t, func() error { return write(deleting, loop, 0, i) }, func() error { return deleting.Delete(t.Context(), loop) })
				}
			})
			running.Go(func() {
				for i := range texts {
					run(t, func() error { return write(writing, fmt.Sprint("M", n), i, i) })
				}
			})
		}
		running.Wait()
		h := open()
		for i := range texts {
			h.wantText(text(i), true)
		}
	}},
}

// run runs steps until one fails.
func run(t *testing.T, steps ...func() error) {
	t.Helper()
	for i, step := range steps {
		if err := step(); err != nil {
			t.Errorf("step %d: %v", i+1, err)
			return
		}
	}
}

// appendUntilDeleted appends events and snapshots to the loop L until it is deleted, but not forever: SQLite's writers are not
// queued, and a deletion that two of them keep waiting ends after the store's 10 s. It sends on started after the first append.
func appendUntilDeleted(h handle, writer string, started chan<- struct{}) {
	ctx := h.t.Context()
	for at, i := int64(2), 0; i < 300; i++ {
		head, events := batch("L", at, fmt.Sprintf("%s/%d", writer, i), 1)
		err := h.Append(ctx, head, at, events)
		if i == 0 {
			started <- struct{}{}
		}
		if err == nil {
			at++
			run(h.t, func() error { return h.PutSnapshot(ctx, loopstate.Snapshot{Loop: "L", Seq: at, Fold: 1}) })
			continue
		}
		if !errors.Is(err, loopstate.ErrConflict) {
			h.t.Errorf("Append: %v, want ErrConflict", err)
			return
		}
		tail, err := load(ctx, h, "L", at-1)
		if err == nil && len(tail) == 0 || errors.Is(err, loopstate.ErrNotFound) {
			return // deleted, maybe after a page of the log had been loaded
		}
		if err != nil {
			h.t.Errorf("Load: %v", err)
			return
		}
		at = tail[len(tail)-1].Seq
	}
}
