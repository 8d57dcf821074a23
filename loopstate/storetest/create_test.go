package storetest

import (
	"errors"
	"fmt"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

// whole returns a log of n events, each with its own operation, and its head.
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

func createTests() []test {
	tests := []test{
		{"a whole log", func(t *testing.T, open func() handle) {
			h := open()
			for _, n := range []int{1, 256, 3008} {
				head, events := whole(fmt.Sprint("L", n), n)
				if err := h.Create(t.Context(), head, logOf(events, nil)); err != nil {
					t.Fatal(err)
				}
				for _, h := range []handle{h, open()} {
					h.wantLog(head.Loop, events)
				}
				if heads := h.heads("ada"); len(heads) == 0 || !cmp.Equal(heads[0], head) {
					t.Errorf("heads after %d events: %+v", n, heads)
				}
				h.append(head.Loop, int64(n), "next", 1)
			}
		}},
		{"an existing loop", func(t *testing.T, open func() handle) {
			h := open()
			before := h.append("L", 0, "a", 2)
			head, events := whole("L", 5)
			h.wantError("Create", h.Create(t.Context(), head, logOf(events, nil)), loopstate.ErrConflict)
			h.wantLog("L", before)
		}},
	}
	broken := errors.New("the archive is broken")
	for name, spoil := range map[string]func(head *loopstate.Head, events *[]loopstate.Event) error{
		"nothing of a log that ends with an error": func(*loopstate.Head, *[]loopstate.Event) error { return broken },
		"nothing of a short log":                   func(_ *loopstate.Head, events *[]loopstate.Event) error { *events = (*events)[:600]; return nil },
		"nothing of a log with a gap":              func(_ *loopstate.Head, events *[]loopstate.Event) error { (*events)[600].Seq++; return nil },
		"nothing of a log with another loop":       func(_ *loopstate.Head, events *[]loopstate.Event) error { (*events)[600].Loop = "M"; return nil },
		"nothing of a log without an operation":    func(_ *loopstate.Head, events *[]loopstate.Event) error { (*events)[600].Op = ""; return nil },
		"nothing of an empty log":                  func(head *loopstate.Head, events *[]loopstate.Event) error { head.Seq, *events = 0, nil; return nil },
	} {
		tests = append(tests, test{name, func(t *testing.T, open func() handle) {
			h := open()
			head, events := whole("L", 700)
			end := spoil(&head, &events)
			if err := h.Create(t.Context(), head, logOf(events, end)); err == nil || end != nil && !errors.Is(err, end) {
				t.Errorf("Create: %v", err)
			}
			h.wantKept("L", kept{})
			head, events = whole("L", 700)
			if err := h.Create(t.Context(), head, logOf(events, nil)); err != nil {
				t.Errorf("the second try: %v", err)
			}
		}})
	}
	return tests
}
