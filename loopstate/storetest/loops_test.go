package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// writeHead appends an event with the owner, time and size of its head.
func (h handle) writeHead(owner, loop string, at int64, updated time.Time, stored int64) loopstate.Head {
	h.t.Helper()
	head, events := batch(loop, at, fmt.Sprint("op", at), 1)
	head.Owner, head.UpdatedAt, head.Stored = owner, updated, stored
	h.write(head, events)
	return head
}

var loopsTests = []test{
	{"last changed first, ties by id", func(t *testing.T, open func() handle) {
		h := open()
		put := func(loop string, at int64, updated time.Time) loopstate.Head {
			return h.writeHead("ada", loop, at, updated, 0)
		}
		old, b, a, c, later := put("old", 0, day.Add(-time.Hour)), put("b", 0, day), put("a", 0, day), put("c", 0, day), put("z", 0, day.Add(time.Nanosecond))
		h.wantHeads(later, a, b, c, old)
		old = put("old", 1, day.Add(time.Hour))
		h.wantHeads(old, later, a, b, c)
	}},
	{"owners have separate lists", func(t *testing.T, open func() handle) {
		h := open()
		for owner, want := range map[string][]loopstate.Head{
			"ada": {h.writeHead("ada", "L1", 0, day, 0)}, "Ada": {h.writeHead("Ada", "L2", 0, day, 0)}, "": {h.writeHead("", "L3", 0, day, 0)},
			"ad": nil, "ada%": nil, "bob": nil,
		} {
			h.wantSame(fmt.Sprintf("Loops(%q)", owner), want, append([]loopstate.Head(nil), h.heads(owner)...))
		}
	}},
	{"every field, through another handle", func(t *testing.T, open func() handle) {
		head, events := batch("L", 0, "a", 2)
		head.Readings = 3
		head.Query, head.Status, head.Round = "¿Qué es el té? 茶\n\"'; DROP TABLE heads", "escalate_budget", 15
		open().write(head, events)
		open().wantHeads(head)
	}},
	{"loops with readings", func(t *testing.T, open func() handle) {
		h := open()
		put := func(owner, loop string, at int64, updated time.Time, readings int) loopstate.Head {
			head, events := batch(loop, at, fmt.Sprint("op", at), 1)
			head.Owner, head.UpdatedAt, head.Readings = owner, updated, readings
			h.write(head, events)
			return head
		}
		old, b, a := put("ada", "old", 0, day.Add(-time.Hour), 1), put("ada", "b", 0, day, 2), put("ada", "a", 0, day, 3)
		put("ada", "none", 0, day.Add(time.Minute), 0)
		put("bob", "bob's", 0, day, 1)
		want := func(limit int, heads ...loopstate.Head) {
			t.Helper()
			for _, h := range []handle{h, open()} {
				got, err := h.Reviewed(t.Context(), "ada", limit)
				if err != nil {
					t.Fatal(err)
				}
				h.wantSame(fmt.Sprintf("Reviewed(%d)", limit), heads, got)
			}
		}
		want(10, a, b, old)
		want(2, a, b)
		old = put("ada", "old", 1, day.Add(time.Hour), 1)
		put("ada", "b", 1, day, 0)
		want(10, old, a)
		for _, owner := range []string{"eve", "\x00"} {
			if got, err := h.Reviewed(t.Context(), owner, 10); err != nil || len(got) != 0 {
				t.Errorf("Reviewed(%q) = %v, %v, want none", owner, got, err)
			}
		}
	}},
	{"the head changes together with the log", func(t *testing.T, open func() handle) {
		writing, reading := open(), open()
		writing.append("L", 0, "first", 1)
		while(t, func() error { return AppendMany(t.Context(), writing, "L", "w", 60, nil) }, func() {
			before, log, after := reading.heads("ada")[0].Seq, reading.length("L"), reading.heads("ada")[0].Seq
			if log < before || log > after {
				t.Fatalf("a log of %d events between heads of events %d and %d", log, before, after)
			}
		})
		if got := reading.heads("ada")[0].Seq; got != 61 {
			t.Errorf("the head has number %d, want 61", got)
		}
	}},
}
