package storetest

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

var appendTests = []test{
	{"stores every field", func(t *testing.T, open func() handle) {
		h := open()
		want := h.write(headOf("L", 4), []loopstate.Event{
			{Loop: "L", Seq: 1, At: day, Kind: "loop_opened", Version: 1, Op: "a", Data: json.RawMessage(`{"query":"x"}`)},
			{Loop: "L", Seq: 2, At: day, Kind: "gap_added", Version: 7, Op: "a", Data: json.RawMessage("{ \"b\" : 1.0,\n\t\"a\":1e3, \"a\": null }")}, // byte for byte
			{Loop: "L", Seq: 3, At: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), Kind: "k", Version: 0, Op: "a", Data: json.RawMessage(`[]`)},
			{Loop: "L", Seq: 4, At: time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), Kind: "k", Version: 1, Op: "a", Data: json.RawMessage(`"\u0000 \u2028 茶 🍵"`)},
		})
		for _, h := range []handle{h, open()} {
			h.wantLog("L", want)
		}
	}},
	{"large events", func(t *testing.T, open func() handle) {
		h := open()
		head, events := batch("L", 0, "a", 4)
		for i := range events {
			events[i].Data = json.RawMessage(`"` + strings.Repeat(strconv.Itoa(i), 900_000) + `"`)
		}
		h.wantLog("L", h.write(head, events))
	}},
	{"times are in UTC", func(t *testing.T, open func() handle) {
		h := open()
		head, events := batch("L", 0, "a", 1)
		events[0].At = day.In(time.FixedZone("", 5*3600+1800))
		head.UpdatedAt = day.In(time.FixedZone("", -8*3600))
		h.write(head, events)
		if event, head := h.load("L", 0)[0].At, h.heads("ada")[0].UpdatedAt; event != day || head != day {
			t.Errorf("times of event %v and head %v, want %v", event, head, day)
		}
	}},
	{"loops have separate logs", func(t *testing.T, open func() handle) {
		h := open()
		a := h.append("L1", 0, "x", 3)
		b := h.append("L2", 0, "x", 2) // operation ids are per loop
		h.wantLog("L1", append(a, h.append("L1", 3, "y", 2)...))
		h.wantLog("L2", append(b, h.append("L2", 2, "y", 1)...))
	}},
	{"head of the last event", func(t *testing.T, open func() handle) {
		h := open()
		for at := range int64(3) {
			h.append("L", at, string(rune('a'+at)), 1)
			h.wantHeads(headOf("L", at+1))
		}
	}},
	{"texts", func(t *testing.T, open func() handle) {
		h := open()
		h.put("stored before")
		long := strings.Repeat("a long text, ", 100_000)
		texts := []string{"", "stored before", long, "twice", "twice", "caf\xe9 \x00"}
		for i, texts := range [][]string{texts, texts} { // the second append repeats them
			head, events := naming("L", int64(i), texts...)
			h.write(head, events, texts...)
		}
		for _, h := range []handle{h, open()} {
			for _, text := range texts {
				h.wantText(text, true)
			}
		}
	}},
	{"does not keep the caller's slices", func(t *testing.T, open func() handle) {
		h := open()
		_, want := batch("L", 0, "a", 1)
		clear(h.append("L", 0, "a", 1)[0].Data)
		h.wantLog("L", want)
		clear(h.load("L", 0)[0].Data)
		h.wantLog("L", want)
	}},
}
