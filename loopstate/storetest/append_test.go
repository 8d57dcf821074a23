package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

var appendTests = []test{
	{"every field", func(t *testing.T, open func() handle) {
		h := open()
		head, _ := Batch("L", 0, "a", 4)
		head.Query, head.Status, head.Round = "¿Qué es el té? 茶\n\"'; DROP TABLE heads", "escalate_budget", 15
		head.UpdatedAt = day.In(time.FixedZone("", -8*3600))
		want := h.write(head, []loopstate.Event{
			{Loop: "L", Seq: 1, At: day, Kind: "loop_opened", Version: 1, Op: "a", Data: json.RawMessage(`{"query":"x"}`)},
			{Loop: "L", Seq: 2, At: day, Kind: "gap_added", Version: 7, Op: "a",
				Data: json.RawMessage("{ \"b\" : 1.0,\n\t\"a\":1e3, \"a\": null }")}, // byte for byte
			{Loop: "L", Seq: 3, At: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), Kind: "k", Version: 0, Op: "b", Data: json.RawMessage(`[]`)},
			{Loop: "L", Seq: 4, At: time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), Kind: "k", Version: 1, Op: "c",
				Data: json.RawMessage(`"\u0000 \u2028 茶 🍵"`)},
		})
		head.UpdatedAt = day
		for _, h := range []handle{h, open()} {
			h.want("log", want, h.load("L", 0))
			h.want("heads", []loopstate.Head{head}, h.heads("ada"))
		}
	}},
	{"lists", func(t *testing.T, open func() handle) {
		h := open()
		events := h.append("old", 0, "op", 1)
		events = append(events, h.append("old", 1, "op", 2)...)
		for _, loop := range []string{"b", "a", "newest"} {
			head, events := Batch(loop, 0, "op", 1)
			head.UpdatedAt = day.Add(time.Hour)
			if loop == "newest" {
				head.UpdatedAt = day.Add(time.Hour + time.Nanosecond)
			}
			h.write(head, events, "a text")
		}
		h.delete("b")
		heads := h.heads("ada")
		h.want("order", []string{"newest", "a", "old"}, []string{heads[0].Loop, heads[1].Loop, heads[2].Loop})
		for after, want := range map[int64][]loopstate.Event{-1: events, 0: events, 2: events[2:], 3: nil, 9: nil} {
			h.want(fmt.Sprint("log after ", after), want, h.load("old", after))
		}
		stored, err := h.List(t.Context(), "ada")
		h.want("error", nil, err)
		h.want("stored", int64(len(events[0].Data)+len("a text")), stored[1].Stored)
		for owner, want := range map[string]int{"Ada": 0, "": 0, "ad": 0, "ada%": 0, "\x00": 0} {
			h.want("heads of "+owner, want, len(h.heads(owner)))
		}
		head, again := Batch("old", 3, "later", 1)
		head.UpdatedAt, again[0].At = day.Add(-time.Hour), day.Add(-time.Hour) // the clock goes back, the log does not
		events = append(events, h.write(head, again)...)
		h.want("log", events, open().load("old", 0))
	}},
	{"texts", func(t *testing.T, open func() handle) {
		h := open()
		h.put("stored before")
		texts := []string{"", "stored before", strings.Repeat("a long text, ", 100_000), "twice", "twice", "caf\xe9 \x00"}
		for at := range int64(2) { // the second append repeats them
			head, events := Naming("L", at, texts...)
			h.write(head, events, texts...)
		}
		for _, h := range []handle{h, open()} {
			for _, text := range texts {
				h.wantText(text, true)
			}
			h.wantText("unknown", false)
		}
	}},
	{"versions", func(t *testing.T, open func() handle) {
		h, other := open(), open()
		if h.Store == other.Store {
			t.Skip("one handle")
		}
		version := func() int64 {
			v, err := h.Version(t.Context())
			if err != nil || v == 0 {
				t.Fatalf("Version: %d, %v", v, err)
			}
			return v
		}
		before := version()
		other.append("L", 0, "a", 1)
		after := version()
		h.append("L", 1, "b", 1)
		_ = version()
		other.delete("L")
		if last := version(); before == after || after == last {
			t.Errorf("versions %d, %d, %d around the writes of another", before, after, last)
		}
	}},
	{"closed", func(t *testing.T, open func() handle) {
		h := open()
		h.append("L", 0, "a", 2)
		for range 2 { // a second Close succeeds
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
		}
		head, events := Batch("L", 2, "late", 1)
		_, list := h.List(t.Context(), "ada")
		_, blob := h.Blob(t.Context(), loopstate.Hash{})
		for i, err := range []error{h.Append(t.Context(), head, 2, events), list, blob, h.Delete(t.Context(), "L")} {
			if fault := new(loopstate.StoreError); !errors.As(err, &fault) {
				t.Errorf("call %d after Close: %v", i, err)
			}
		}
	}},
}

// refusedTests make appends to a log of 3 events that a store must refuse without changing anything.
func refusedTests() (tests []test) {
	type spoil = func(head *loopstate.Head, events []loopstate.Event)
	for name, tt := range map[string]struct {
		at       int64
		conflict bool // otherwise repeating it is useless
		spoil    spoil
	}{
		"created twice":   {0, true, func(*loopstate.Head, []loopstate.Event) {}},
		"number too low":  {2, true, func(*loopstate.Head, []loopstate.Event) {}},
		"number too high": {4, true, func(*loopstate.Head, []loopstate.Event) {}},
		"an unknown loop": {3, true, func(h *loopstate.Head, e []loopstate.Event) { h.Loop, e[0].Loop, e[1].Loop = "U", "U", "U" }},
		"a wrong number":  {3, false, func(_ *loopstate.Head, e []loopstate.Event) { e[0].Seq = 5 }},
		"another loop":    {3, false, func(_ *loopstate.Head, e []loopstate.Event) { e[1].Loop = "other" }},
		"no operation":    {3, false, func(_ *loopstate.Head, e []loopstate.Event) { e[1].Op = "" }},
		"another head":    {3, false, func(h *loopstate.Head, _ []loopstate.Event) { h.Loop = "other" }},
		"after 9999":      {3, false, func(_ *loopstate.Head, e []loopstate.Event) { e[1].At = day.AddDate(9000, 0, 0) }},
		"not UTF-8":       {3, false, func(h *loopstate.Head, _ []loopstate.Event) { h.Query = "caf\xe9" }},
		"a NUL byte":      {3, false, func(_ *loopstate.Head, e []loopstate.Event) { e[0].Op = "a\x00" }},
	} {
		tests = append(tests, test{"refused: " + name, func(t *testing.T, open func() handle) {
			h := open()
			h.append("L", 0, "a", 3)
			before := h.kept("L")
			head, events := Batch("L", tt.at, "x", 2)
			head.Query = "overwritten"
			tt.spoil(&head, events)
			err := open().Append(t.Context(), head, tt.at, events, []byte("a refused text"))
			if err == nil || errors.Is(err, loopstate.ErrConflict) != tt.conflict {
				t.Errorf("Append: %v, want a conflict: %v", err, tt.conflict)
			}
			h.want("loop", before, h.kept("L"))
			h.wantText("a refused text", false)
			h.append("L", 3, "x", 2)
		}})
	}
	return tests
}
