package storetest

import (
	"errors"
	"fmt"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

// whole is a log of n events, each of an operation of its own, and the head that belongs to it.
func whole(loop string, n int) (loopstate.Head, []loopstate.Event) {
	head, events := batch(loop, 0, "", n)
	for i := range events {
		events[i].Op = fmt.Sprint("op-", i+1)
	}
	return head, events
}

// logOf yields events and then an error, unless it is nil.
func logOf(events []loopstate.Event, end error) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
		if end != nil {
			yield(loopstate.Event{}, end)
		}
	}
}

func testCreate(t *testing.T, fresh func(t *testing.T) Opener) {
	t.Run("a whole log", func(t *testing.T) {
		open := fresh(t)
		store := open.open(t)
		for _, n := range []int{1, 256, 3008} {
			head, events := whole(fmt.Sprint("L", n), n)
			if err := store.Create(t.Context(), head, logOf(events, nil)); err != nil {
				t.Fatal(err)
			}
			for name, handle := range map[string]loopstate.Store{"this handle": store, "another handle": open.open(t)} {
				if diff := cmp.Diff(events, mustLoad(t, handle, head.Loop, 0)); diff != "" {
					t.Errorf("%d events through %s (-want +got):\n%s", n, name, diff)
				}
			}
			if heads := mustLoops(t, store, "ada"); len(heads) == 0 || !cmp.Equal(heads[0], head) {
				t.Errorf("heads after %d events: %+v", n, heads)
			}
			mustAppend(t, store, head.Loop, int64(n), "next", 1)
		}
	})

	t.Run("all or nothing", func(t *testing.T) {
		broken := errors.New("the archive is broken")
		for name, spoil := range map[string]func(*loopstate.Head, []loopstate.Event) ([]loopstate.Event, error){
			"the log ends with an error": func(_ *loopstate.Head, events []loopstate.Event) ([]loopstate.Event, error) { return events, broken },
			"the log is short":           func(_ *loopstate.Head, events []loopstate.Event) ([]loopstate.Event, error) { return events[:600], nil },
			"a gap": func(_ *loopstate.Head, events []loopstate.Event) ([]loopstate.Event, error) {
				events[600].Seq++
				return events, nil
			},
			"another loop": func(_ *loopstate.Head, events []loopstate.Event) ([]loopstate.Event, error) {
				events[600].Loop = "M"
				return events, nil
			},
			"no operation": func(_ *loopstate.Head, events []loopstate.Event) ([]loopstate.Event, error) {
				events[600].Op = ""
				return events, nil
			},
			"no events": func(head *loopstate.Head, _ []loopstate.Event) ([]loopstate.Event, error) {
				head.Seq = 0
				return nil, nil
			},
		} {
			t.Run(name, func(t *testing.T) {
				store := one(t, fresh)
				head, events := whole("L", 700)
				spoiled, end := spoil(&head, events)
				if err := store.Create(t.Context(), head, logOf(spoiled, end)); err == nil || end != nil && !errors.Is(err, end) {
					t.Errorf("Create: %v", err)
				}
				if left, heads := mustLoad(t, store, "L", 0), mustLoops(t, store, "ada"); len(left)+len(heads) > 0 {
					t.Errorf("%d events and the heads %+v were left", len(left), heads)
				}
				head, events = whole("L", 700)
				if err := store.Create(t.Context(), head, logOf(events, nil)); err != nil {
					t.Errorf("the second try: %v", err)
				}
			})
		}
	})

	t.Run("a loop that exists", func(t *testing.T) {
		store := one(t, fresh)
		before := mustAppend(t, store, "L", 0, "a", 2)
		head, events := whole("L", 5)
		if err := store.Create(t.Context(), head, logOf(events, nil)); !errors.Is(err, loopstate.ErrConflict) {
			t.Errorf("Create: %v, want ErrConflict", err)
		}
		if diff := cmp.Diff(before, mustLoad(t, store, "L", 0)); diff != "" {
			t.Errorf("the log (-want +got):\n%s", diff)
		}
	})
}
