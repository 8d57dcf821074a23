package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

func testLoops(t *testing.T, fresh func(t *testing.T) Opener) {
	put := func(t *testing.T, store loopstate.Store, owner, loop string, at int64, updated time.Time) loopstate.Head {
		t.Helper()
		head, events := batch(loop, at, time.Duration(at).String(), 1)
		head.Owner, head.UpdatedAt = owner, updated
		if err := store.Append(t.Context(), head, at, events); err != nil {
			t.Fatal(err)
		}
		return head
	}

	t.Run("last changed first, ties by id", func(t *testing.T) {
		store := one(t, fresh)
		old := put(t, store, "ada", "old", 0, day.Add(-time.Hour))
		b := put(t, store, "ada", "b", 0, day)
		a := put(t, store, "ada", "a", 0, day)
		c := put(t, store, "ada", "c", 0, day)
		later := put(t, store, "ada", "z", 0, day.Add(time.Nanosecond))
		want := []loopstate.Head{later, a, b, c, old}
		if diff := cmp.Diff(want, mustLoops(t, store, "ada")); diff != "" {
			t.Errorf("Loops (-want +got):\n%s", diff)
		}
		old = put(t, store, "ada", "old", 1, day.Add(time.Hour))
		want = []loopstate.Head{old, later, a, b, c}
		if diff := cmp.Diff(want, mustLoops(t, store, "ada")); diff != "" {
			t.Errorf("Loops after the oldest changed (-want +got):\n%s", diff)
		}
	})

	t.Run("owners do not see each other", func(t *testing.T) {
		store := one(t, fresh)
		hers := put(t, store, "ada", "L1", 0, day)
		his := put(t, store, "Ada", "L2", 0, day)
		nobodys := put(t, store, "", "L3", 0, day)
		for owner, want := range map[string][]loopstate.Head{"ada": {hers}, "Ada": {his}, "": {nobodys}, "ad": nil, "ada%": nil, "bob": nil} {
			got := mustLoops(t, store, owner)
			if len(got) == 0 {
				got = nil
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Loops(%q) (-want +got):\n%s", owner, diff)
			}
		}
	})

	t.Run("every field, through another handle", func(t *testing.T) {
		open := fresh(t)
		head, events := batch("L", 0, "a", 2)
		head.Query, head.Status, head.Round = "¿Qué es el té? 茶\n\"'; DROP TABLE heads", "escalate_budget", 15
		if err := open.open(t).Append(t.Context(), head, 0, events); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]loopstate.Head{head}, mustLoops(t, open.open(t), "ada")); diff != "" {
			t.Errorf("Loops (-want +got):\n%s", diff)
		}
	})

	t.Run("a head is never ahead of its log, nor behind", func(t *testing.T) {
		open := fresh(t)
		writing, reading := open.open(t), open.open(t)
		mustAppend(t, writing, "L", 0, "first", 1)
		done := make(chan error, 1)
		go func() {
			done <- AppendMany(t.Context(), writing, "L", "w", 60, nil)
		}()
		for finished := false; !finished; {
			select {
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
				finished = true
			default:
			}
			before := mustLoops(t, reading, "ada")[0].Seq
			log := int64(len(mustLoad(t, reading, "L", 0)))
			after := mustLoops(t, reading, "ada")[0].Seq
			if log < before || log > after {
				t.Fatalf("a log of %d events between heads that say %d and %d", log, before, after)
			}
		}
		if got := mustLoops(t, reading, "ada")[0].Seq; got != 61 {
			t.Errorf("the head says %d, want 61", got)
		}
	})
}
