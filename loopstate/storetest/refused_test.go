package storetest

import (
	"errors"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// refusal is an append that a store must refuse without changing anything.
type refusal struct {
	name string
	has  []int // batches in the log, of the operations a, b, …
	at   int64 // the caller's last event
	op   string
	n    int
	// spoil makes an append invalid. Its error is neither ErrConflict nor ErrOperationDone, because repeating it is useless.
	spoil func(head *loopstate.Head, at *int64, events *[]loopstate.Event)
	want  error // nil for an invalid append
}

func refusedTests() []test {
	rows := []refusal{
		{name: "created twice", has: []int{1}, at: 0, op: "x", n: 1, want: loopstate.ErrConflict},
		{name: "version too low", has: []int{3}, at: 2, op: "x", n: 3, want: loopstate.ErrConflict},
		{name: "version much too low", has: []int{5}, at: 1, op: "x", n: 1, want: loopstate.ErrConflict},
		{name: "version too high", has: []int{3}, at: 4, op: "x", n: 3, want: loopstate.ErrConflict},
		{name: "version much too high", has: []int{3}, at: 1_000_000, op: "x", n: 1, want: loopstate.ErrConflict},
		{name: "unknown loop", at: 1, op: "x", n: 1, want: loopstate.ErrConflict},

		{name: "a repeated operation", has: []int{2, 2, 1}, at: 0, op: "a", n: 2, want: loopstate.ErrOperationDone},
		{name: "the last operation", has: []int{2, 2, 1}, at: 4, op: "c", n: 1, want: loopstate.ErrOperationDone},
		{name: "an operation on the new end", has: []int{2, 2, 1}, at: 5, op: "a", n: 2, want: loopstate.ErrOperationDone},
		{name: "an operation with other events", has: []int{2, 2, 1}, at: 5, op: "b", n: 3, want: loopstate.ErrOperationDone},
		{name: "an operation after the end", has: []int{2, 2, 1}, at: 9, op: "b", n: 1, want: loopstate.ErrOperationDone},
	}
	for name, spoil := range map[string]func(head *loopstate.Head, at *int64, events *[]loopstate.Event){
		"no events":                  func(h *loopstate.Head, _ *int64, e *[]loopstate.Event) { *e, h.Seq = nil, 2 },
		"a wrong first number":       func(_ *loopstate.Head, _ *int64, e *[]loopstate.Event) { (*e)[0].Seq = 4 },
		"a repeated number":          func(_ *loopstate.Head, _ *int64, e *[]loopstate.Event) { (*e)[1].Seq = 3 },
		"a missing number":           func(h *loopstate.Head, _ *int64, e *[]loopstate.Event) { (*e)[2].Seq, h.Seq = 6, 6 },
		"reversed order":             func(_ *loopstate.Head, _ *int64, e *[]loopstate.Event) { (*e)[0], (*e)[2] = (*e)[2], (*e)[0] },
		"an event of another loop":   func(_ *loopstate.Head, _ *int64, e *[]loopstate.Event) { (*e)[2].Loop = "other" },
		"an event without a loop":    func(_ *loopstate.Head, _ *int64, e *[]loopstate.Event) { (*e)[0].Loop = "" },
		"an event without operation": func(_ *loopstate.Head, _ *int64, e *[]loopstate.Event) { (*e)[2].Op = "" },
		"two operations":             func(_ *loopstate.Head, _ *int64, e *[]loopstate.Event) { (*e)[1].Op = "else" },
		"no kind":                    func(_ *loopstate.Head, _ *int64, e *[]loopstate.Event) { (*e)[1].Kind = "" },
		"a head of another loop":     func(h *loopstate.Head, _ *int64, _ *[]loopstate.Event) { h.Loop = "other" },
		"a head of an earlier event": func(h *loopstate.Head, _ *int64, _ *[]loopstate.Event) { h.Seq = 4 },
		"a head of a later event":    func(h *loopstate.Head, _ *int64, _ *[]loopstate.Event) { h.Seq = 6 },
		"a negative size":            func(h *loopstate.Head, _ *int64, _ *[]loopstate.Event) { h.Stored = -1 },
		"no loop": func(h *loopstate.Head, _ *int64, e *[]loopstate.Event) {
			h.Loop = ""
			each(*e, func(e *loopstate.Event) { e.Loop = "" })
		},
		"no operation": func(_ *loopstate.Head, _ *int64, e *[]loopstate.Event) {
			each(*e, func(e *loopstate.Event) { e.Op = "" })
		},
		"negative and zero numbers": func(h *loopstate.Head, at *int64, e *[]loopstate.Event) {
			*at, h.Seq = -1, 2
			each(*e, func(e *loopstate.Event) { e.Seq -= 3 })
		},
		"a time before the year 0":   func(h *loopstate.Head, _ *int64, _ *[]loopstate.Event) { h.UpdatedAt = day.AddDate(-3000, 0, 0) },
		"a time after the year 9999": func(_ *loopstate.Head, _ *int64, e *[]loopstate.Event) { (*e)[1].At = day.AddDate(9000, 0, 0) },
		"a query that is not UTF-8":  func(h *loopstate.Head, _ *int64, _ *[]loopstate.Event) { h.Query = "caf\xe9" },
		"an operation with a NUL byte": func(_ *loopstate.Head, _ *int64, e *[]loopstate.Event) {
			each(*e, func(e *loopstate.Event) { e.Op = "a\x00" })
		},
	} {
		rows = append(rows, refusal{name: name, has: []int{2}, at: 2, op: "x", n: 3, spoil: spoil})
	}
	var tests []test
	for _, tt := range rows {
		tests = append(tests, test{tt.name, tt.test})
	}
	return tests
}

func each(events []loopstate.Event, change func(e *loopstate.Event)) {
	for i := range events {
		change(&events[i])
	}
}

func (tt refusal) test(t *testing.T, open func() handle) {
	h := open()
	end := int64(0)
	for i, n := range tt.has {
		end += int64(len(h.append("L", end, string(rune('a'+i)), n)))
	}
	before := h.kept("L")
	for _, h := range []handle{h, open()} {
		head, events := batch("L", tt.at, tt.op, tt.n)
		at := tt.at
		head.Query = "overwritten"
		if tt.spoil != nil {
			tt.spoil(&head, &at, &events)
		}
		err := h.Append(t.Context(), head, at, events, []byte("a refused text"))
		if tt.want != nil {
			h.wantError("Append", err, tt.want)
		} else if err == nil || errors.Is(err, loopstate.ErrConflict) || errors.Is(err, loopstate.ErrOperationDone) {
			t.Errorf("%s: Append: %v, want an error that is neither ErrConflict nor ErrOperationDone", h.name, err)
		}
		h.wantKept("L", before)
		h.wantText("a refused text", false)
		h.wantKept("other", kept{})
		h.wantKept("", kept{})
	}
	h.append("L", end, "x", tt.n) // the refused operation is not done
}
