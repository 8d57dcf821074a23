package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

func testDelete(t *testing.T, fresh func(t *testing.T) Opener) {
	t.Run("takes the texts that no other loop names", func(t *testing.T) { testDeletedTexts(t, fresh) })

	t.Run("takes the loop and nothing else", func(t *testing.T) {
		open := fresh(t)
		store := open.open(t)
		for i, loop := range []string{"L", "L2", "l", "M"} {
			mustAppend(t, store, loop, 0, "a", 700+i)
			mustAppend(t, store, loop, int64(700+i), "b", 3)
			if err := store.PutSnapshot(t.Context(), loopstate.Snapshot{Loop: loop, Seq: 703, Fold: 1, State: []byte(loop)}); err != nil {
				t.Fatal(err)
			}
		}
		others := func(store loopstate.Store) map[string]kept {
			return map[string]kept{"L2": all(t, store, "L2"), "l": all(t, store, "l"), "M": all(t, store, "M")}
		}
		want := others(store)
		mustDelete(t, store, "L")
		for name, handle := range map[string]loopstate.Store{"this handle": store, "another handle": open.open(t)} {
			if diff := cmp.Diff(kept{}, all(t, handle, "L")); diff != "" {
				t.Errorf("of the loop, through %s, is left (-want +got):\n%s", name, diff)
			}
			if diff := cmp.Diff(want, others(handle)); diff != "" {
				t.Errorf("the others, through %s (-want +got):\n%s", name, diff)
			}
		}
	})

	t.Run("unknown loops", func(t *testing.T) {
		open := fresh(t)
		store := open.open(t)
		mustAppend(t, store, "L", 0, "a", 2)
		want := all(t, store, "L")
		for _, loop := range []string{"l", "L ", "%", "", "\x00", "caf\xe9", strings.Repeat("L", 1<<20)} {
			if err := store.Delete(t.Context(), loop); !errors.Is(err, loopstate.ErrNotFound) {
				t.Errorf("Delete(%.20q): %v, want ErrNotFound", loop, err)
			}
		}
		if diff := cmp.Diff(want, all(t, store, "L")); diff != "" {
			t.Errorf("L (-want +got):\n%s", diff)
		}
		mustDelete(t, store, "L")
		for name, handle := range map[string]loopstate.Store{"this handle": store, "another handle": open.open(t)} {
			if err := handle.Delete(t.Context(), "L"); !errors.Is(err, loopstate.ErrNotFound) {
				t.Errorf("Delete again through %s: %v, want ErrNotFound", name, err)
			}
		}
	})

	t.Run("what is built on it is a conflict", func(t *testing.T) {
		open := fresh(t)
		store, other := open.open(t), open.open(t)
		mustAppend(t, store, "L", 0, "a", 5)
		mustDelete(t, other, "L")
		for _, op := range []string{"b", "a"} { // what was done once is as gone as the rest
			head, events := batch("L", 5, op, 1)
			if err := store.Append(t.Context(), head, 5, events); !errors.Is(err, loopstate.ErrConflict) {
				t.Errorf("Append of %q: %v, want ErrConflict", op, err)
			}
		}
		late := loopstate.Snapshot{Loop: "L", Seq: 5, Fold: 1, State: []byte("late")}
		if err := store.PutSnapshot(t.Context(), late); err != nil {
			t.Errorf("PutSnapshot: %v", err)
		}
		if diff := cmp.Diff(kept{}, all(t, store, "L")); diff != "" {
			t.Errorf("something is back (-want +got):\n%s", diff)
		}

		// It begins anew, as the import of an older copy does, and knows nothing of before.
		want := mustAppend(t, store, "L", 0, "a", 2)
		if err := store.PutSnapshot(t.Context(), late); err != nil {
			t.Errorf("PutSnapshot: %v", err)
		}
		if diff := cmp.Diff(kept{Log: want, Head: new(headOf("L", 2))}, all(t, other, "L")); diff != "" {
			t.Errorf("begun anew (-want +got):\n%s", diff)
		}
		fitting := loopstate.Snapshot{Loop: "L", Seq: 2, Fold: 1, State: []byte("fitting")}
		if err := store.PutSnapshot(t.Context(), fitting); err != nil {
			t.Errorf("PutSnapshot: %v", err)
		}
		want = append(want, mustAppend(t, store, "L", 2, "b", 4)...)
		if diff := cmp.Diff(kept{Log: want, Head: new(headOf("L", 6)), Snapshot: &fitting}, all(t, other, "L")); diff != "" {
			t.Errorf("gone on with (-want +got):\n%s", diff)
		}
		mustDelete(t, store, "L")
		if diff := cmp.Diff(kept{}, all(t, other, "L")); diff != "" {
			t.Errorf("deleted again (-want +got):\n%s", diff)
		}
	})

	t.Run("while it is read", func(t *testing.T) {
		for name, after := range map[string]func(t *testing.T, store loopstate.Store){
			"":                                     func(*testing.T, loopstate.Store) {},
			", and begun anew with as many events": func(t *testing.T, store loopstate.Store) { mustAppend(t, store, "L", 0, "new", 3000) },
			", and begun anew with fewer":          func(t *testing.T, store loopstate.Store) { mustAppend(t, store, "L", 0, "new", 5) },
		} {
			open := fresh(t)
			store, other := open.open(t), open.open(t)
			mustAppend(t, store, "L", 0, "old", 3000)
			n, last := 0, error(nil)
			for e, err := range store.Load(t.Context(), "L", 0) {
				if last = err; err != nil {
					break
				}
				if n++; n == 1 {
					mustDelete(t, other, "L")
					after(t, other)
				}
				if e.Op != "old" {
					t.Fatalf("event %d of the new log follows the old one's", e.Seq)
				}
			}
			if n < 3000 && !errors.Is(last, loopstate.ErrNotFound) {
				t.Errorf("deleted%s: %d of 3000 events, then %v, want ErrNotFound", name, n, last)
			}
		}
	})

	t.Run("watchers", func(t *testing.T) {
		for _, tt := range []struct {
			name  string
			other bool // another handle deletes
		}{{"of this handle", false}, {"of another handle", true}} {
			open := fresh(t)
			watching := open.open(t)
			writing := watching
			if tt.other {
				writing = open.open(t)
			}
			hints, others := watching.Watch(t.Context(), "L"), watching.Watch(t.Context(), "M")
			mustAppend(t, writing, "M", 0, "a", 2)
			hinted(t, others, 2)
			for round := range 3 { // each time with fewer events, which are new all the same
				n := 5 - round
				mustAppend(t, writing, "L", 0, "a", n)
				hinted(t, hints, int64(n))
				mustDelete(t, writing, "L")
				hinted(t, hints, 0)
			}
			mustAppend(t, writing, "M", 2, "b", 1)
			hinted(t, others, 3)
		}
	})
}

// testDeletedTexts deletes the loop L, which names a text, among others that may name it as well.
func testDeletedTexts(t *testing.T, fresh func(t *testing.T) Opener) {
	source := `{"sources": [{"source_id": "S1", "sha256": %q}]}`
	body := `{"sources": [{"source_id": "S1", "sha256": "", "capture": {"status": 200, "sha256": %q, "bytes": 8, "kept": true}}]}`
	for _, tt := range []struct {
		name   string
		its    []string            // events of L; %q is the hash
		others map[string][]string // events of other loops
		stays  bool
	}{
		{"named by nobody else", []string{source}, map[string][]string{"M": {`{}`}}, false},
		{"named again and again", []string{source, `{}`, source, source}, nil, false},
		{"named as what a text was taken from", []string{body}, map[string][]string{"M": {`{}`}}, false},
		{"named as what another's text was taken from", []string{source}, map[string][]string{"M": {body}}, true},
		{"named in another word", []string{`"urn:sha256:%s"`}, nil, false},
		{"named in the last of many events", append(many(`{}`, 700), source), nil, false},
		{"not named", []string{`{}`}, nil, true},
		{"part of a longer number", []string{`"0%s"`, `"%[1]s%[1]s"`}, nil, true},
		{"named by another loop", []string{source}, map[string][]string{"M": {source}}, true},
		{"named by the last of another's many events", []string{source}, map[string][]string{"M": append(many(`{}`, 700), source), "N": {`{}`}}, true},
		{"named by the first of another's large events", []string{source}, map[string][]string{"M": {source, `"` + strings.Repeat("large ", 200_000) + `"`}}, true},
		{"named by several", []string{source}, map[string][]string{"A": {source}, "M": {source}, "Z": {source}}, true},
		{"named otherwise by another", []string{source}, map[string][]string{"M": {`["see sha256:%s."]`}}, true},
		{"named in capitals by another", []string{source}, map[string][]string{"M": {`"%X"`}}, true},
		{"part of another's longer number", []string{source}, map[string][]string{"M": {`"0%s"`}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			open := fresh(t)
			store := open.open(t)
			text := []byte("the text")
			mustPut(t, store, text)
			mustPut(t, store, []byte("another text"))
			hash := loopstate.HashText(text)
			name := func(loop string, data []string) {
				head, events := batch(loop, 0, "a", len(data))
				for i, format := range data {
					events[i].Data = json.RawMessage(format)
					switch {
					case strings.Contains(format, "%X"):
						events[i].Data = fmt.Appendf(nil, format, hash[:])
					case strings.Contains(format, "%"):
						events[i].Data = fmt.Appendf(nil, format, hash.String())
					}
				}
				if err := store.Append(t.Context(), head, 0, events); err != nil {
					t.Fatal(err)
				}
			}
			name("L", tt.its)
			want := map[string]kept{}
			for loop, data := range tt.others {
				name(loop, data)
				want[loop] = all(t, store, loop)
			}
			mustDelete(t, store, "L")
			other := open.open(t)
			if got, err := other.Blob(t.Context(), hash); tt.stays && string(got) != "the text" {
				t.Errorf("the text: %q, %v, and it should stay", got, err)
			} else if !tt.stays && !errors.Is(err, loopstate.ErrNotFound) {
				t.Errorf("the text: %q, %v, want ErrNotFound", got, err)
			}
			if got, err := other.Blob(t.Context(), loopstate.HashText([]byte("another text"))); string(got) != "another text" {
				t.Errorf("another text: %q, %v", got, err)
			}
			for loop := range tt.others {
				if got := all(t, other, loop); !reflect.DeepEqual(want[loop], got) { // cmp is slow for large data
					t.Errorf("%s (-want +got):\n%s", loop, cmp.Diff(want[loop], got))
				}
			}
			mustPut(t, store, text)
			if got, err := other.Blob(t.Context(), hash); string(got) != "the text" {
				t.Errorf("the text put again: %q, %v", got, err)
			}
		})
	}
}

func many(data string, n int) []string {
	return strings.Split(strings.Repeat(data+"\n", n-1)+data, "\n")
}

// kept is all that a store keeps of a loop but its texts.
type kept struct {
	Log      []loopstate.Event
	Head     *loopstate.Head
	Snapshot *loopstate.Snapshot
}

func all(t *testing.T, store loopstate.Store, loop string) kept {
	t.Helper()
	k := kept{Log: mustLoad(t, store, loop, 0)}
	for _, h := range mustLoops(t, store, "ada") {
		if h.Loop == loop {
			k.Head = &h
		}
	}
	switch s, err := store.Snapshot(t.Context(), loop); {
	case err == nil:
		k.Snapshot = &s
	case !errors.Is(err, loopstate.ErrNotFound):
		t.Fatalf("Snapshot(%s): %v", loop, err)
	}
	return k
}

func mustDelete(t *testing.T, store loopstate.Store, loop string) {
	t.Helper()
	if err := store.Delete(t.Context(), loop); err != nil {
		t.Fatalf("Delete(%s): %v", loop, err)
	}
}

func mustPut(t *testing.T, store loopstate.Store, text []byte) {
	t.Helper()
	if _, err := store.PutBlob(t.Context(), text); err != nil {
		t.Fatalf("PutBlob: %v", err)
	}
}
