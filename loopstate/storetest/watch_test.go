package storetest

import (
	"context"
	"fmt"
	"testing"
)

func watchTests() []test {
	tests := []test{
		{"an append does not wait for receivers", func(t *testing.T, open func() handle) {
			h := open()
			hints := h.Watch(t.Context(), "L")
			for at := range int64(40) {
				h.append("L", at, fmt.Sprint(at), 1)
			}
			hinted(t, hints, 40)
		}},
		{"ends with its context", func(t *testing.T, open func() handle) {
			h := open()
			h.append("L", 0, "a", 1)
			ctx, cancel := context.WithCancel(t.Context())
			ending, staying := h.Watch(ctx, "L"), h.Watch(t.Context(), "L")
			cancel()
			closed(ending)
			closed(h.Watch(ctx, "L")) // of an ended context
			h.append("L", 1, "b", 1)
			hinted(t, staying, 2)
		}},
		{"ends with the store", func(t *testing.T, open func() handle) {
			h := open()
			var hints []<-chan int64
			for _, loop := range []string{"L", "L", "M", "N"} {
				hints = append(hints, h.Watch(t.Context(), loop))
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			for _, c := range append(hints, h.Watch(t.Context(), "L")) {
				closed(c)
			}
		}},
		{"watches start and end during appends", func(t *testing.T, open func() handle) {
			h, other := open(), open()
			writers := startWriters(t, []handle{h, other}, []string{"L"}, 30)
			while(t, func() error { writers.Wait(); return nil }, func() {
				ctx, cancel := context.WithCancel(t.Context())
				hints := h.Watch(ctx, "L")
				if h.length("L") > 0 {
					<-hints
				}
				cancel()
				closed(hints)
			})
			other.append("M", 0, "only", 1)
			hinted(t, h.Watch(t.Context(), "M"), 1)
		}},
	}
	for name, another := range map[string]bool{"events of this handle": false, "events of another handle": true} {
		tests = append(tests, test{name, func(t *testing.T, open func() handle) {
			watching := open()
			writing := watching
			if another {
				writing = open()
			}
			hints := watching.Watch(t.Context(), "L") // before the loop exists
			second := watching.Watch(t.Context(), "L")
			for at := range int64(3) {
				writing.append("L", at, fmt.Sprint(at), 1)
				writing.append("other", at, fmt.Sprint(at), 1)
				hinted(t, hints, at+1)
			}
			hinted(t, second, 3) // a slow receiver gets the newest number
			writing.append("L", 3, "many", 5)
			hinted(t, hints, 8)
			hinted(t, second, 8)
		}})
	}
	return tests
}

// hinted receives hints until want, which is 0 after a Delete. Other numbers may be skipped or repeated. If the hint is
// lost, the test times out.
func hinted(t *testing.T, hints <-chan int64, want int64) {
	t.Helper()
	for seq := range hints {
		if seq > want && want > 0 {
			t.Fatalf("hint %d of only %d events", seq, want)
		}
		if seq == want {
			return
		}
	}
	t.Fatalf("the channel was closed before hint %d", want)
}

// closed receives until the channel is closed.
func closed(hints <-chan int64) {
	for range hints {
	}
}
