package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// testStored: the bytes that an owner's loops keep are the sum of what their heads say, whoever asks.
func testStored(t *testing.T, fresh func(t *testing.T) Opener) {
	put := func(t *testing.T, store loopstate.Store, owner, loop string, at, stored int64) error {
		t.Helper()
		head, events := batch(loop, at, fmt.Sprint("op", at), 1)
		head.Owner, head.Stored = owner, stored
		return store.Append(t.Context(), head, at, events)
	}
	check := func(t *testing.T, store loopstate.Store, owner string, want int64) {
		t.Helper()
		if got, err := store.Stored(t.Context(), owner); got != want || err != nil {
			t.Errorf("Stored(%q) = %d, %v, want %d", owner, got, err, want)
		}
	}

	t.Run("what the heads say, by owner", func(t *testing.T) {
		open := fresh(t)
		store := open.open(t)
		const large = 1 << 40
		for _, loop := range []struct {
			owner, loop string
			at, stored  int64
		}{{"ada", "A", 0, 100}, {"ada", "B", 0, 20}, {"Ada", "C", 0, 7}, {"", "D", 0, 3}, {"ada", "A", 1, 5 + large}, {"ada", "E", 0, 0}} {
			if err := put(t, store, loop.owner, loop.loop, loop.at, loop.stored); err != nil {
				t.Fatal(err)
			}
		}
		for _, handle := range []loopstate.Store{store, open.open(t)} {
			for owner, want := range map[string]int64{"ada": 25 + large, "Ada": 7, "": 3, "ad%": 0, "bob": 0, "\x00": 0, "caf\xe9": 0} {
				check(t, handle, owner, want)
			}
		}
	})

	t.Run("an append that was refused counts nothing", func(t *testing.T) {
		store := one(t, fresh)
		if err := put(t, store, "ada", "L", 0, 10); err != nil {
			t.Fatal(err)
		}
		if err := put(t, store, "ada", "L", 5, 1000); !errors.Is(err, loopstate.ErrConflict) {
			t.Errorf("too high: %v", err)
		}
		if err := put(t, store, "ada", "L", 0, 1000); !errors.Is(err, loopstate.ErrOperationDone) {
			t.Errorf("again: %v", err)
		}
		check(t, store, "ada", 10)
	})

	t.Run("deleting frees them", func(t *testing.T) {
		open := fresh(t)
		store, other := open.open(t), open.open(t)
		for i, loop := range []string{"L", "M"} {
			if err := put(t, store, "ada", loop, 0, int64(10*(i+1))); err != nil {
				t.Fatal(err)
			}
		}
		mustDelete(t, store, "L")
		check(t, other, "ada", 20)
		if err := put(t, store, "ada", "L", 0, 4); err != nil { // begins anew
			t.Fatal(err)
		}
		check(t, other, "ada", 24)
		mustDelete(t, other, "L")
		mustDelete(t, other, "M")
		check(t, store, "ada", 0)
	})

	t.Run("through two handles at once", func(t *testing.T) {
		open := fresh(t)
		const loops, appends = 4, 15
		var writing sync.WaitGroup
		for h := range 2 {
			store := open.open(t)
			for l := range loops {
				writing.Go(func() {
					// Both write each loop; what counts is the last head, which says 1000 bytes an event.
					if err := AppendMany(t.Context(), store, fmt.Sprint("L", l), fmt.Sprint("h", h), appends, nil); err != nil {
						t.Errorf("writer: %v", err)
					}
				})
			}
		}
		writing.Wait()
		check(t, open.open(t), "ada", 2*loops*appends*1000)
	})
}
