package storetest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

func testUnfit(t *testing.T, fresh func(t *testing.T) Opener) {
	type args struct {
		head   loopstate.Head
		at     int64
		events []loopstate.Event
	}
	for _, tt := range []struct {
		name  string
		spoil func(a *args) // of an append of three events behind event 2
	}{
		{"no events", func(a *args) { a.events = nil; a.head.Seq = 2 }},
		{"number not following", func(a *args) { a.events[0].Seq = 4 }},
		{"number twice", func(a *args) { a.events[1].Seq = 3 }},
		{"a hole", func(a *args) { a.events[2].Seq = 6; a.head.Seq = 6 }},
		{"order reversed", func(a *args) { a.events[0], a.events[2] = a.events[2], a.events[0] }},
		{"an event of another loop", func(a *args) { a.events[2].Loop = "other" }},
		{"an event of no loop", func(a *args) { a.events[0].Loop = "" }},
		{"no loop at all", func(a *args) {
			a.head.Loop = ""
			for i := range a.events {
				a.events[i].Loop = ""
			}
		}},
		{"no operation", func(a *args) {
			for i := range a.events {
				a.events[i].Op = ""
			}
		}},
		{"an event without operation", func(a *args) { a.events[2].Op = "" }},
		{"two operations", func(a *args) { a.events[1].Op = "else" }},
		{"no kind", func(a *args) { a.events[1].Kind = "" }},
		{"head of another loop", func(a *args) { a.head.Loop = "other" }},
		{"head behind the events", func(a *args) { a.head.Seq = 4 }},
		{"head before the events", func(a *args) { a.head.Seq = 6 }},
		{"negative bytes", func(a *args) { a.head.Stored = -1 }},
		{"negative number", func(a *args) {
			a.at, a.head.Seq = -1, 2
			for i := range a.events {
				a.events[i].Seq = int64(i)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := one(t, fresh)
			want := mustAppend(t, store, "L", 0, "first", 2)
			heads := mustLoops(t, store, "ada")
			a := args{at: 2}
			a.head, a.events = batch("L", 2, "second", 3)
			tt.spoil(&a)
			err := store.Append(t.Context(), a.head, a.at, a.events)
			if err == nil {
				t.Fatal("Append took it")
			}
			if errors.Is(err, loopstate.ErrConflict) || errors.Is(err, loopstate.ErrOperationDone) {
				t.Errorf("Append: %v: the caller would try again for ever", err)
			}
			for _, loop := range []string{"L", "other", ""} {
				var left []loopstate.Event
				if loop == "L" {
					left = want
				}
				if diff := cmp.Diff(left, mustLoad(t, store, loop, 0)); diff != "" {
					t.Errorf("the log of %q changed (-want +got):\n%s", loop, diff)
				}
			}
			if diff := cmp.Diff(heads, mustLoops(t, store, "ada")); diff != "" {
				t.Errorf("the heads changed (-want +got):\n%s", diff)
			}
			mustAppend(t, store, "L", 2, "second", 3) // the operation counts as not done
		})
	}
}
