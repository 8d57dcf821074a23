package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// patience is how long these tests wait for a hint before they call it lost. No correct store needs it.
const patience = 20 * time.Second

func testWatch(t *testing.T, fresh func(t *testing.T) Opener) {
	closed := func(t *testing.T, hints <-chan int64) {
		t.Helper()
		late := time.After(patience)
		for {
			select {
			case _, ok := <-hints:
				if !ok {
					return
				}
			case <-late:
				t.Fatalf("the channel was not closed within %v", patience)
			}
		}
	}

	for _, tt := range []struct {
		name  string
		other bool // the events come from another handle
	}{
		{"events of this handle", false},
		{"events of another handle", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			open := fresh(t)
			watching := open.open(t)
			writing := watching
			if tt.other {
				writing = open.open(t)
			}
			hints := watching.Watch(t.Context(), "L") // before the loop is there
			second := watching.Watch(t.Context(), "L")
			for at := range int64(3) {
				mustAppend(t, writing, "L", at, string(rune('a'+at)), 1)
				mustAppend(t, writing, "other", at, string(rune('a'+at)), 1)
				hinted(t, hints, at+1)
			}
			hinted(t, second, 3) // a watcher who was not looking misses nothing but the numbers between
			mustAppend(t, writing, "L", 3, "many", 5)
			hinted(t, hints, 8)
			hinted(t, second, 8)
		})
	}

	t.Run("nothing is waited for by who appends", func(t *testing.T) {
		store := one(t, fresh)
		hints := store.Watch(t.Context(), "L")
		for at := range int64(40) {
			mustAppend(t, store, "L", at, time.Duration(at).String(), 1)
		}
		hinted(t, hints, 40)
	})

	t.Run("closes with its context", func(t *testing.T) {
		store := one(t, fresh)
		mustAppend(t, store, "L", 0, "a", 1)
		ctx, cancel := context.WithCancel(t.Context())
		ending, staying := store.Watch(ctx, "L"), store.Watch(t.Context(), "L")
		cancel()
		closed(t, ending)
		closed(t, store.Watch(ctx, "L")) // of a context that has ended
		mustAppend(t, store, "L", 1, "b", 1)
		hinted(t, staying, 2)
	})

	t.Run("closes with the store", func(t *testing.T) {
		store := one(t, fresh)
		var hints []<-chan int64
		for _, loop := range []string{"L", "L", "M", "N"} {
			hints = append(hints, store.Watch(t.Context(), loop))
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		for _, h := range append(hints, store.Watch(t.Context(), "L")) {
			closed(t, h)
		}
	})

	t.Run("come and go while events come", func(t *testing.T) {
		open := fresh(t)
		store, other := open.open(t), open.open(t)
		done := make(chan error, 2)
		for name, writing := range map[string]loopstate.Store{"a": store, "b": other} {
			go func() { done <- AppendMany(t.Context(), writing, "L", name, 30, nil) }()
		}
		for running := 2; running > 0; {
			ctx, cancel := context.WithCancel(t.Context())
			hints := store.Watch(ctx, "L")
			select {
			case <-hints:
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
				running--
			}
			cancel()
			closed(t, hints)
		}
		hinted(t, store.Watch(t.Context(), "M"), appendOne(t, other, "M"))
	})
}

// hinted takes hints up to the number wanted: those on the way may be skipped or repeated. After a Delete that
// is 0.
func hinted(t *testing.T, hints <-chan int64, want int64) {
	t.Helper()
	late := time.After(patience)
	for {
		select {
		case seq, ok := <-hints:
			if !ok {
				t.Fatalf("the channel was closed before %d came", want)
			}
			if seq > want && want > 0 {
				t.Fatalf("the hint says %d, and there are only %d events", seq, want)
			}
			if seq == want {
				return
			}
		case <-late:
			t.Fatalf("no hint of event %d within %v", want, patience)
		}
	}
}

func appendOne(t *testing.T, store loopstate.Store, loop string) int64 {
	t.Helper()
	mustAppend(t, store, loop, 0, "only", 1)
	return 1
}
