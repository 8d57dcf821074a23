package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

// testDeleting deletes while others write.
func testDeleting(t *testing.T, fresh func(t *testing.T) Opener) {
	t.Run("cancelled in the middle is whole or not at all", func(t *testing.T) {
		store := one(t, fresh)
		text := []byte("the text")
		for i := range 40 {
			mustPut(t, store, text)
			mustAppendNaming(t, store, "L", 0, "a", text)
			mustAppend(t, store, "L", 1, "b", 20)
			want := all(t, store, "L")
			err := store.Delete(&endsAfter{Context: t.Context(), checks: i * 4, done: make(chan struct{})}, "L")
			got := all(t, store, "L")
			_, gone := store.Blob(t.Context(), loopstate.HashText(text))
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				t.Fatalf("Delete %d: %v, want context.Canceled", i, err)
			case got.Log == nil && cmp.Equal(kept{}, got) && errors.Is(gone, loopstate.ErrNotFound):
				continue
			case err == nil:
				t.Fatalf("Delete %d was acknowledged, and there is\n%v and of the text %v", i, got, gone)
			case gone != nil || !cmp.Equal(want, got):
				t.Fatalf("Delete %d was cancelled, and of the text there is %v, of the loop (-want +got):\n%s", i, gone, cmp.Diff(want, got))
			}
			mustDelete(t, store, "L")
		}
	})

	t.Run("by many at once", func(t *testing.T) {
		open := fresh(t)
		stores := []loopstate.Store{open.open(t), open.open(t)}
		for range 5 {
			mustAppend(t, stores[0], "L", 0, "a", 10)
			outcomes := make([]error, 6)
			var deleting sync.WaitGroup
			for i := range outcomes {
				deleting.Go(func() { outcomes[i] = stores[i%2].Delete(t.Context(), "L") })
			}
			deleting.Wait()
			done := 0
			for _, err := range outcomes {
				switch {
				case err == nil:
					done++
				case !errors.Is(err, loopstate.ErrNotFound):
					t.Errorf("Delete: %v, want ErrNotFound", err)
				}
			}
			if done != 1 {
				t.Errorf("%d were told that they deleted it, want 1", done)
			}
		}
	})

	t.Run("two loops of one text at once", func(t *testing.T) {
		open := fresh(t)
		stores := []loopstate.Store{open.open(t), open.open(t)}
		for i := range 20 {
			shared, other := fmt.Appendf(nil, "text %d", i), []byte("another text")
			mustPut(t, stores[0], shared)
			mustPut(t, stores[0], other)
			mustAppendNaming(t, stores[0], "A", 0, "a", shared)
			mustAppendNaming(t, stores[0], "B", 0, "a", shared, other)
			mustAppendNaming(t, stores[0], fmt.Sprint("C", i), 0, "a", other)
			var deleting sync.WaitGroup
			for h, loop := range []string{"A", "B"} {
				deleting.Go(func() {
					if err := stores[h].Delete(t.Context(), loop); err != nil {
						t.Errorf("Delete(%s): %v", loop, err)
					}
				})
			}
			deleting.Wait()
			if text, err := stores[0].Blob(t.Context(), loopstate.HashText(shared)); !errors.Is(err, loopstate.ErrNotFound) {
				t.Fatalf("the text that nobody names any more: %q, %v, want ErrNotFound", text, err)
			}
			if _, err := stores[1].Blob(t.Context(), loopstate.HashText(other)); err != nil {
				t.Fatalf("the text of a third loop: %v", err)
			}
		}
	})

	t.Run("while others append", func(t *testing.T) {
		open := fresh(t)
		const appends = 25
		var writers sync.WaitGroup
		done := make(chan struct{})
		for h := range 2 {
			store := open.open(t)
			for _, loop := range []string{"A", "B", "Z"} {
				writers.Go(func() {
					if err := AppendMany(t.Context(), store, loop, fmt.Sprint("h", h), appends, nil); err != nil {
						t.Errorf("writer of %s: %v", loop, err)
					}
				})
			}
		}
		go func() { writers.Wait(); close(done) }()
		store := open.open(t)
		deleted := 0
		for running := true; running || deleted < 3; deleted++ {
			mustAppend(t, store, "L", 0, "a", 3)
			mustDelete(t, store, "L")
			select {
			case <-done:
				running = false
			default:
			}
		}
		<-done
		for _, loop := range []string{"A", "B", "Z"} {
			events := mustLoad(t, store, loop, 0)
			if err := Whole(events); err != nil {
				t.Errorf("%s: %v", loop, err)
			}
			if len(events) != 2*appends {
				t.Errorf("%s has %d events, want %d", loop, len(events), 2*appends)
			}
		}
		if diff := cmp.Diff(kept{}, all(t, store, "L")); diff != "" {
			t.Errorf("what was deleted (-want +got):\n%s", diff)
		}
	})

	t.Run("a loop that is appended to", func(t *testing.T) {
		open := fresh(t)
		stores := []loopstate.Store{open.open(t), open.open(t)}
		for range 5 {
			mustAppend(t, stores[0], "L", 0, "a", 2)
			var writing sync.WaitGroup
			started := make(chan struct{}, 4)
			for w := range 2 {
				writing.Go(func() {
					for at, i := int64(2), 0; ; i++ {
						head, events := batch("L", at, fmt.Sprintf("w%d/%d", w, i), 1)
						err := stores[w].Append(t.Context(), head, at, events)
						if i == 0 {
							started <- struct{}{}
						}
						switch {
						case err == nil:
							at++
							if err := stores[w].PutSnapshot(t.Context(), loopstate.Snapshot{Loop: "L", Seq: at, Fold: 1}); err != nil {
								t.Errorf("PutSnapshot: %v", err)
							}
							continue
						case !errors.Is(err, loopstate.ErrConflict):
							t.Errorf("Append: %v, want ErrConflict", err)
							return
						}
						tail, err := load(t.Context(), stores[w], "L", at-1)
						if len(tail) == 0 && (err == nil || errors.Is(err, loopstate.ErrNotFound)) {
							return // the loop is gone
						}
						if err != nil {
							t.Errorf("Load: %v", err)
							return
						}
						at = tail[len(tail)-1].Seq
					}
				})
			}
			<-started
			<-started
			mustDelete(t, stores[1], "L")
			writing.Wait()
			if diff := cmp.Diff(kept{}, all(t, stores[0], "L")); diff != "" {
				t.Fatalf("an append that was acknowledged is left without its loop (-want +got):\n%s", diff)
			}
		}
	})

	// The order that Delete asks of who writes: put, append, put.
	t.Run("a text put, named and put again stays", func(t *testing.T) {
		for when := range 4 {
			open := fresh(t)
			writing, deleting := open.open(t), open.open(t)
			text := []byte("the text")
			mustPut(t, deleting, text)
			mustAppendNaming(t, deleting, "L", 0, "a", text)
			for i, do := range []func(){
				func() { mustPut(t, writing, text) },
				func() { mustAppendNaming(t, writing, "M", 0, "a", text) },
				func() { mustPut(t, writing, text) },
				func() {},
			} {
				if i == when {
					mustDelete(t, deleting, "L")
				}
				do()
			}
			if got, err := deleting.Blob(t.Context(), loopstate.HashText(text)); string(got) != "the text" {
				t.Errorf("deleted before step %d: %q, %v", when, got, err)
			}
		}
	})

	t.Run("texts put, named and put again at any time stay", func(t *testing.T) {
		open := fresh(t)
		const texts = 40
		text := func(i int) []byte { return fmt.Appendf(nil, "text %d", i) }
		var running sync.WaitGroup
		for d := range 2 { // each deletes loops that name what the writers name
			store := open.open(t)
			loop := fmt.Sprint("L", d)
			running.Go(func() {
				for i := range texts {
					head, events := naming(loop, 0, "a", text(i))
					for _, do := range []func() error{
						func() error { _, err := store.PutBlob(t.Context(), text(i)); return err },
						func() error { return store.Append(t.Context(), head, 0, events) },
						func() error { return store.Delete(t.Context(), loop) },
					} {
						if err := do(); err != nil {
							t.Errorf("text %d of %s: %v", i, loop, err)
							return
						}
					}
				}
			})
		}
		for w := range 2 {
			store := open.open(t)
			loop := fmt.Sprint("M", w)
			running.Go(func() {
				for i := range texts {
					head, events := naming(loop, int64(i), fmt.Sprint("op", i), text(i))
					for _, do := range []func() error{
						func() error { _, err := store.PutBlob(t.Context(), text(i)); return err },
						func() error { return store.Append(t.Context(), head, int64(i), events) },
						func() error { _, err := store.PutBlob(t.Context(), text(i)); return err },
					} {
						if err := do(); err != nil {
							t.Errorf("text %d of %s: %v", i, loop, err)
							return
						}
					}
				}
			})
		}
		running.Wait()
		store := open.open(t)
		for i := range texts {
			if got, err := store.Blob(t.Context(), loopstate.HashText(text(i))); string(got) != string(text(i)) {
				t.Errorf("text %d: %q, %v", i, got, err)
			}
		}
	})
}

// naming is one event behind at that names texts, and its head.
func naming(loop string, at int64, op string, texts ...[]byte) (loopstate.Head, []loopstate.Event) {
	head, events := batch(loop, at, op, 1)
	events[0].Data = []byte(`[`)
	for i, text := range texts {
		if i > 0 {
			events[0].Data = append(events[0].Data, ',')
		}
		events[0].Data = fmt.Appendf(events[0].Data, `{"sha256": %q}`, loopstate.HashText(text).String())
	}
	events[0].Data = append(events[0].Data, ']')
	return head, events
}

func mustAppendNaming(t *testing.T, store loopstate.Store, loop string, at int64, op string, texts ...[]byte) {
	t.Helper()
	head, events := naming(loop, at, op, texts...)
	if err := store.Append(t.Context(), head, at, events); err != nil {
		t.Fatalf("Append(%s, at %d): %v", loop, at, err)
	}
}
