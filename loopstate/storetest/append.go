package storetest

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/citeloop/citeloop/loopstate"
)

func testAppend(t *testing.T, fresh func(t *testing.T) Opener) {
	t.Run("every field comes back as it was", func(t *testing.T) {
		open := fresh(t)
		store := open.open(t)
		want := []loopstate.Event{
			{Loop: "L", Seq: 1, At: day, Kind: "loop_opened", Version: 1, Op: "a", Data: json.RawMessage(`{"query":"x"}`)},
			{Loop: "L", Seq: 2, At: day, Kind: "gap_added", Version: 7, Op: "a", Data: json.RawMessage("{ \"b\" : 1.0,\n\t\"a\":1e3, \"a\": null }")}, // order, space, doubles kept
			{Loop: "L", Seq: 3, At: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), Kind: "k", Version: 0, Op: "a", Data: json.RawMessage(`[]`)},
			{Loop: "L", Seq: 4, At: time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), Kind: "k", Version: 1, Op: "a", Data: json.RawMessage(`"\u0000 \u2028 茶 🍵"`)},
		}
		if err := store.Append(t.Context(), headOf("L", 4), 0, want); err != nil {
			t.Fatal(err)
		}
		for name, handle := range map[string]loopstate.Store{"this handle": store, "another handle": open.open(t)} {
			if diff := cmp.Diff(want, mustLoad(t, handle, "L", 0)); diff != "" {
				t.Errorf("Load through %s (-want +got):\n%s", name, diff)
			}
		}
	})

	t.Run("large events", func(t *testing.T) {
		store := one(t, fresh)
		const n = 4
		head, events := batch("L", 0, "a", n)
		for i := range events {
			events[i].Data = json.RawMessage(`"` + strings.Repeat(strconv.Itoa(i), 900_000) + `"`)
		}
		if err := store.Append(t.Context(), head, 0, events); err != nil {
			t.Fatal(err)
		}
		got := mustLoad(t, store, "L", 0)
		if len(got) != n {
			t.Fatalf("the log has %d events, want %d", len(got), n)
		}
		for i := range got {
			if !bytes.Equal(got[i].Data, events[i].Data) {
				t.Errorf("the data of event %d, %d bytes, are not the %d appended", i+1, len(got[i].Data), len(events[i].Data))
			}
		}
	})

	t.Run("times come back in UTC", func(t *testing.T) {
		store := one(t, fresh)
		head, events := batch("L", 0, "a", 1)
		events[0].At = day.In(time.FixedZone("", 5*3600+1800))
		head.UpdatedAt = day.In(time.FixedZone("", -8*3600))
		if err := store.Append(t.Context(), head, 0, events); err != nil {
			t.Fatal(err)
		}
		if got := mustLoad(t, store, "L", 0)[0].At; got != day {
			t.Errorf("the event's time is %v, want %v", got, day)
		}
		if got := mustLoops(t, store, "ada")[0].UpdatedAt; got != day {
			t.Errorf("the head's time is %v, want %v", got, day)
		}
	})

	t.Run("logs of different loops do not mix", func(t *testing.T) {
		store := one(t, fresh)
		a := mustAppend(t, store, "L1", 0, "x", 3)
		b := mustAppend(t, store, "L2", 0, "x", 2) // the same operation id: it is the loop's own
		a = append(a, mustAppend(t, store, "L1", 3, "y", 2)...)
		b = append(b, mustAppend(t, store, "L2", 2, "y", 1)...)
		if diff := cmp.Diff(a, mustLoad(t, store, "L1", 0)); diff != "" {
			t.Errorf("L1 (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(b, mustLoad(t, store, "L2", 0)); diff != "" {
			t.Errorf("L2 (-want +got):\n%s", diff)
		}
	})

	t.Run("the head is of the last event", func(t *testing.T) {
		store := one(t, fresh)
		for at := range int64(3) {
			mustAppend(t, store, "L", at, string(rune('a'+at)), 1)
			if diff := cmp.Diff([]loopstate.Head{headOf("L", at+1)}, mustLoops(t, store, "ada")); diff != "" {
				t.Errorf("heads after event %d (-want +got):\n%s", at+1, diff)
			}
		}
	})

	t.Run("the caller keeps the slices", func(t *testing.T) {
		store := one(t, fresh)
		head, events := batch("L", 0, "a", 1)
		want := append([]byte(nil), events[0].Data...)
		if err := store.Append(t.Context(), head, 0, events); err != nil {
			t.Fatal(err)
		}
		clear(events[0].Data)
		got := mustLoad(t, store, "L", 0)[0].Data
		if diff := cmp.Diff(json.RawMessage(want), got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("data (-want +got):\n%s", diff)
		}
		clear(got)
		if diff := cmp.Diff(json.RawMessage(want), mustLoad(t, store, "L", 0)[0].Data); diff != "" {
			t.Errorf("data after the loaded bytes were overwritten (-want +got):\n%s", diff)
		}
	})
}
