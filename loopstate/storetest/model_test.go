package storetest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/citeloop/citeloop/loopstate"
)

// model is a store in maps.
type model struct {
	owner string
	logs  map[string][]loopstate.Event
	heads map[string]loopstate.Head
	blobs map[loopstate.Hash][]byte
}

// append implements Store.Append.
func (m *model) append(head loopstate.Head, at int64, events []loopstate.Event, text []byte) error {
	log := m.logs[head.Loop]
	if int64(len(log)) != at {
		return loopstate.ErrConflict
	}
	head.Stored = m.heads[head.Loop].Stored + int64(len(text))
	for _, e := range events {
		head.Stored += int64(len(e.Data))
	}
	m.logs[head.Loop] = append(log, events...)
	m.heads[head.Loop] = head
	return nil
}

func (m *model) loops() []loopstate.Head {
	var heads []loopstate.Head
	for _, h := range m.heads {
		heads = append(heads, h)
	}
	slices.SortFunc(heads, func(a, b loopstate.Head) int {
		return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(a.Loop, b.Loop))
	})
	return heads
}

// delete implements Store.Delete.
func (m *model) delete(loop string) error {
	log, ok := m.logs[loop]
	if !ok {
		return loopstate.ErrNotFound
	}
	delete(m.logs, loop)
	delete(m.heads, loop)
	for hash := range m.blobs {
		names := func(e loopstate.Event) bool { return bytes.Contains(e.Data, []byte(hash.String())) }
		others := slices.Concat(slices.Collect(maps.Values(m.logs))...)
		if slices.ContainsFunc(log, names) && !slices.ContainsFunc(others, names) {
			delete(m.blobs, hash)
		}
	}
	return nil
}

var modelTests = []test{{"random histories", testModel}}

// testModel makes the same random calls to a store, through two handles, and to the model. It deletes all loops at the end of
// each history.
func testModel(t *testing.T, open func() handle) {
	stores := []loopstate.Store{open(), open()}
	history := 0
	rapid.Check(t, func(t *rapid.T) {
		// Histories share the store, because a new one takes longer than a history. Each has its own owner, loops and texts.
		history++
		m := &model{
			owner: fmt.Sprint("owner ", history), logs: map[string][]loopstate.Event{}, heads: map[string]loopstate.Head{},
			blobs: map[loopstate.Hash][]byte{},
		}
		var texts []loopstate.Hash // ever put
		store := func(t *rapid.T) loopstate.Store { return stores[rapid.IntRange(0, 1).Draw(t, "handle")] }
		loop := func(t *rapid.T) string {
			return fmt.Sprintf("%s of %d", rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "loop"), history)
		}
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) { m.checkAppend(t, store(t), loop(t), &texts) },
			"load":   func(t *rapid.T) { m.checkLoad(t, store(t), loop(t), rapid.Int64Range(-1, 12).Draw(t, "after")) },
			"delete": func(t *rapid.T) { m.checkDelete(t, store(t), loop(t)) },
			"": func(t *rapid.T) { // after each action
				got, err := store(t).List(t.Context(), m.owner)
				if err != nil {
					t.Fatalf("List: %v", err)
				}
				if diff := gocmp.Diff(m.loops(), got); diff != "" && len(m.heads)+len(got) > 0 {
					t.Fatalf("List (-model +store):\n%s", diff)
				}
			},
		})
		for _, name := range []string{"a", "b", "c"} {
			m.checkLoad(t, stores[1], fmt.Sprintf("%s of %d", name, history), 0)
		}
		for _, name := range []string{"", "a", "b", "c"} {
			if name != "" {
				m.checkDelete(t, stores[0], fmt.Sprintf("%s of %d", name, history))
			}
			m.checkBlobs(t, stores[1], texts)
		}
	})
}

func (m *model) checkAppend(t *rapid.T, store loopstate.Store, loop string, texts *[]loopstate.Hash) {
	// Mostly at the end of the log.
	at := max(0, int64(len(m.logs[loop]))+rapid.SampledFrom([]int64{0, 0, 0, 0, -1, 1, -3, 3}).Draw(t, "offset"))
	op := fmt.Sprint("op", rapid.IntRange(0, 30).Draw(t, "op"))
	head, events := Batch(loop, at, op, rapid.IntRange(1, 4).Draw(t, "events"))
	head.Owner = m.owner
	head.Status = rapid.SampledFrom([]string{"open", "done"}).Draw(t, "status")
	head.UpdatedAt = day.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "updated")))
	for i := range events {
		text := rapid.String().Draw(t, "data")
		if len(*texts) > 0 && rapid.Bool().Draw(t, "names") {
			text += "/" + rapid.SampledFrom(*texts).Draw(t, "named").String()
		}
		data, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		events[i].Data = data
	}
	text := []byte(rapid.SampledFrom([]string{"x", "y"}).Draw(t, "text") + m.owner)
	want := m.append(head, at, events, text)
	if want == nil {
		hash := loopstate.HashText(text)
		m.blobs[hash] = text
		*texts = append(*texts, hash)
	}
	got := store.Append(t.Context(), head, at, events, text)
	if !errors.Is(got, want) {
		t.Fatalf("Append at %d of %s: %v, want %v as in the model", at, op, got, want)
	}
}

func (m *model) checkLoad(t *rapid.T, store loopstate.Store, loop string, after int64) {
	log := m.logs[loop]
	want := log[min(max(after, 0), int64(len(log))):]
	var got []loopstate.Event
	for e, err := range store.Load(t.Context(), loop, after) {
		if err != nil {
			t.Fatalf("Load: %v", err)
		}
		got = append(got, e)
	}
	if diff := gocmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
		t.Fatalf("Load after %d (-model +store):\n%s", after, diff)
	}
}

func (m *model) checkDelete(t *rapid.T, store loopstate.Store, loop string) {
	want := m.delete(loop)
	if got := store.Delete(t.Context(), loop); !errors.Is(got, want) {
		t.Fatalf("Delete(%s): %v, want %v as in the model", loop, got, want)
	}
}

// checkBlobs reads every text that was ever put.
func (m *model) checkBlobs(t *rapid.T, store loopstate.Store, texts []loopstate.Hash) {
	for _, hash := range texts {
		want, ok := m.blobs[hash]
		got, err := store.Blob(t.Context(), hash)
		if ok && (err != nil || !slices.Equal(got, want)) || !ok && !errors.Is(err, loopstate.ErrNotFound) {
			t.Fatalf("Blob(%s): %x, %v; in the model: %v", hash, got, err, ok)
		}
	}
}
