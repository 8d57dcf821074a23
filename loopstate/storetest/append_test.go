package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
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
	{"parts of a log", func(t *testing.T, open func() handle) {
		h := open()
		all := append(h.append("L", 0, "a", 1500), h.append("L", 1500, "b", 2)...)
		other := h.append("L2", 0, "a", 2)
		for after, want := range map[int64][]loopstate.Event{math.MinInt64: all, 0: all, 1: all[1:], 1501: all[1501:], 1502: nil,
			math.MaxInt64: nil} {
			h.want(fmt.Sprint("after ", after), want, h.load("L", after))
		}
		h.want("another loop", other, h.load("L2", 0))
		for _, loop := range []string{"l", "L ", "%", "", "\x00"} {
			h.want("unknown loop "+loop, []loopstate.Event(nil), h.load(loop, 0))
		}
	}},
	{"lists", func(t *testing.T, open func() handle) {
		h := open()
		put := func(owner, loop string, at int64, updated time.Time) loopstate.Head {
			head, events := Batch(loop, at, "op", 1)
			head.Owner, head.UpdatedAt = owner, updated
			h.write(head, events)
			return head
		}
		old, b, a, c := put("ada", "old", 0, day.Add(-time.Hour)), put("ada", "b", 0, day), put("ada", "a", 0, day), put("ada", "c", 0, day)
		upper, nobody := put("Ada", "L2", 0, day), put("", "L3", 0, day)
		h.want("heads", []loopstate.Head{a, b, c, old}, h.heads("ada"))
		old = put("ada", "old", 1, day.Add(time.Nanosecond))
		for owner, want := range map[string][]loopstate.Head{"ada": {old, a, b, c}, "Ada": {upper}, "": {nobody}, "ad": nil, "ada%": nil,
			"\x00": nil} {
			h.want("heads of "+owner, want, h.heads(owner))
		}
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

// refusedTests make appends that a store must refuse without changing anything.
func refusedTests() (tests []test) {
	for name, tt := range map[string]struct {
		at    int64 // the log has 3 events
		spoil func(head *loopstate.Head, at *int64, events []loopstate.Event)
		want  error // nil: not ErrConflict, because repeating it is useless
	}{
		"created twice":   {at: 0, want: loopstate.ErrConflict},
		"number too low":  {at: 2, want: loopstate.ErrConflict},
		"number too high": {at: 4, want: loopstate.ErrConflict},
		"an unknown loop": {at: 3, want: loopstate.ErrConflict, spoil: func(h *loopstate.Head, _ *int64, e []loopstate.Event) {
			h.Loop,
				e[0].Loop, e[1].Loop = "U", "U", "U"
		}},
		"a wrong number": {at: 3, spoil: func(_ *loopstate.Head, _ *int64, e []loopstate.Event) { e[0].Seq = 5 }},
		"another loop":   {at: 3, spoil: func(_ *loopstate.Head, _ *int64, e []loopstate.Event) { e[1].Loop = "other" }},
		"no operation":   {at: 3, spoil: func(_ *loopstate.Head, _ *int64, e []loopstate.Event) { e[1].Op = "" }},
		"another head":   {at: 3, spoil: func(h *loopstate.Head, _ *int64, _ []loopstate.Event) { h.Loop = "other" }},
		"after 9999":     {at: 3, spoil: func(_ *loopstate.Head, _ *int64, e []loopstate.Event) { e[1].At = day.AddDate(9000, 0, 0) }},
		"not UTF-8":      {at: 3, spoil: func(h *loopstate.Head, _ *int64, _ []loopstate.Event) { h.Query = "caf\xe9" }},
		"a NUL byte":     {at: 3, spoil: func(_ *loopstate.Head, _ *int64, e []loopstate.Event) { e[0].Op = "a\x00" }},
	} {
		tests = append(tests, test{"refused: " + name, func(t *testing.T, open func() handle) {
			h := open()
			h.append("L", 0, "a", 3)
			before := h.kept("L")
			at := tt.at
			head, events := Batch("L", at, "x", 2)
			head.Query = "overwritten"
			if tt.spoil != nil {
				tt.spoil(&head, &at, events)
			}
			err := open().Append(t.Context(), head, at, events, []byte("a refused text"))
			if err == nil || errors.Is(err, loopstate.ErrConflict) != (tt.want != nil) {
				t.Errorf("Append: %v, want %v", err, tt.want)
			}
			h.want("loop", before, h.kept("L"))
			h.wantText("a refused text", false)
			h.want("other loops", 1, len(h.heads("ada")))
			h.append("L", 3, "x", 2)
		}})
	}
	return tests
}
