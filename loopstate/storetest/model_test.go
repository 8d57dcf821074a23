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
	owner     string
	logs      map[string][]loopstate.Event
	heads     map[string]loopstate.Head
	snapshots map[string]loopstate.Snapshot
	blobs     map[loopstate.Hash][]byte
}

// append implements Store.Append.
func (m *model) append(head loopstate.Head, at int64, events []loopstate.Event) error {
	log := m.logs[head.Loop]
	for _, e := range log {
		if e.Op == events[0].Op {
			return loopstate.ErrOperationDone
		}
	}
	if int64(len(log)) != at {
		return loopstate.ErrConflict
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

func (m *model) putSnapshot(s loopstate.Snapshot) {
	kept, ok := m.snapshots[s.Loop]
	if s.Seq <= int64(len(m.logs[s.Loop])) && (!ok || kept.Fold != s.Fold || s.Seq > kept.Seq) {
		m.snapshots[s.Loop] = s
	}
}

// delete implements Store.Delete.
func (m *model) delete(loop string) error {
	log, ok := m.logs[loop]
	if !ok {
		return loopstate.ErrNotFound
	}
	delete(m.logs, loop)
	delete(m.heads, loop)
	delete(m.snapshots, loop)
	for hash := range m.blobs {
		names := func(e loopstate.Event) bool { return bytes.Contains(e.Data, []byte(hash.String())) }
		others := slices.Concat(slices.Collect(maps.Values(m.logs))...)
		if slices.ContainsFunc(log, names) && !slices.ContainsFunc(others, names) {
			delete(m.blobs, hash)
		}
	}
	return nil
}

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
			snapshots: map[string]loopstate.Snapshot{}, blobs: map[loopstate.Hash][]byte{},
		}
		var texts []loopstate.Hash // ever put
		store := func(t *rapid.T) loopstate.Store { return stores[rapid.IntRange(0, 1).Draw(t, "handle")] }
		loop := func(t *rapid.T) string {
			return fmt.Sprintf("%s of %d", rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "loop"), history)
		}
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) { m.checkAppend(t, store(t), loop(t), &texts) },
			"load":   func(t *rapid.T) { m.checkLoad(t, store(t), loop(t), rapid.Int64Range(-1, 12).Draw(t, "after")) },
			"put snapshot": func(t *rapid.T) {
				s := loopstate.Snapshot{
					Loop: loop(t), Seq: rapid.Int64Range(1, 8).Draw(t, "seq"), Fold: rapid.IntRange(1, 2).Draw(t, "fold"),
				}
				s.State = fmt.Appendf(nil, `{"seq": %d, "fold": %d}`, s.Seq, s.Fold) // one state for each prefix and fold
				if err := store(t).PutSnapshot(t.Context(), s); err != nil {
					t.Fatalf("PutSnapshot: %v", err)
				}
				m.putSnapshot(s)
			},
			"snapshot": func(t *rapid.T) { m.checkSnapshot(t, store(t), loop(t)) },
			"delete":   func(t *rapid.T) { m.checkDelete(t, store(t), loop(t)) },
			"put blob": func(t *rapid.T) {
				text := append(rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "text"), fmt.Sprint(history)...)
				hash, err := store(t).PutBlob(t.Context(), text)
				if err != nil || hash != loopstate.HashText(text) {
					t.Fatalf("PutBlob: %s, %v", hash, err)
				}
				m.blobs[hash] = text
				texts = append(texts, hash)
			},
			"": func(t *rapid.T) { // after each action
				got, err := store(t).Loops(t.Context(), m.owner)
				if err != nil {
					t.Fatalf("Loops: %v", err)
				}
				if diff := gocmp.Diff(m.loops(), got); diff != "" && len(m.heads)+len(got) > 0 {
					t.Fatalf("Loops (-model +store):\n%s", diff)
				}
				var want int64
				for _, h := range got {
					want += h.Stored
				}
				if stored, err := store(t).Stored(t.Context(), m.owner); stored != want || err != nil {
					t.Fatalf("Stored: %d, %v, the sum of the heads is %d", stored, err, want)
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
	head, events := batch(loop, at, op, rapid.IntRange(1, 4).Draw(t, "events"))
	head.Owner = m.owner
	head.Status = rapid.SampledFrom([]string{"open", "done"}).Draw(t, "status")
	head.Stored = rapid.Int64Range(0, 1<<40).Draw(t, "stored")
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
	want := m.append(head, at, events)
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
	got, err := load(t.Context(), store, loop, after)
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	if diff := gocmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
		t.Fatalf("Load after %d (-model +store):\n%s", after, diff)
	}
}

func (m *model) checkSnapshot(t *rapid.T, store loopstate.Store, loop string) {
	want, ok := m.snapshots[loop]
	got, err := store.Snapshot(t.Context(), loop)
	switch {
	case !ok && !errors.Is(err, loopstate.ErrNotFound):
		t.Fatalf("Snapshot: %v, %v, want ErrNotFound", got, err)
	case ok && err != nil:
		t.Fatalf("Snapshot: %v", err)
	case ok:
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("Snapshot (-model +store):\n%s", diff)
		}
	}
}

func (m *model) checkDelete(t *rapid.T, store loopstate.Store, loop string) {
	want := m.delete(loop)
	if got := store.Delete(t.Context(), loop); !errors.Is(got, want) {
		t.Fatalf("Delete(%s): %v, want %v as in the model", loop, got, want)
	}
	m.checkSnapshot(t, store, loop)
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
