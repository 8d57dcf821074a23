package storetest

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

// implementation is a store to test.
type implementation struct {
	name  string
	place func(t *testing.T) string // of empty data for one test; skips the test where there is no server
	open  func(ctx context.Context, place string) (loopstate.Store, error)
}

var implementations = []implementation{
	{"sqlite", func(t *testing.T) string { return filepath.Join(t.TempDir(), "loops.db") },
		func(ctx context.Context, place string) (loopstate.Store, error) {
			return sqlite.Open(ctx, place, sqlite.Options{})
		}},
	{"postgres", func(t *testing.T) string { return PostgreSQL(t) },
		func(ctx context.Context, place string) (loopstate.Store, error) {
			return postgres.Open(ctx, place, postgres.Options{})
		}},
}

// memory has one handle, because another would have other data.
func memory() implementation {
	stores := map[string]loopstate.Store{}
	var mu sync.Mutex
	return implementation{"memory", func(t *testing.T) string { return t.Name() },
		func(ctx context.Context, place string) (store loopstate.Store, err error) {
			mu.Lock()
			defer mu.Unlock()
			if store = stores[place]; store == nil {
				store, err = sqlite.Open(ctx, sqlite.Memory, sqlite.Options{})
				stores[place] = store
			}
			return store, err
		}}
}

// test is a test on empty data. Handles share nothing else, as if each were in its own process.
type test struct {
	name string
	run  func(t *testing.T, open func() handle)
}

func TestStores(t *testing.T) {
	for _, of := range append(implementations, memory()) {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			of.place(t) // skips once, not in every part
			for _, tests := range [][]test{appendTests, refusedTests(), concurrentTests, deleteTests} {
				for _, tt := range tests {
					t.Run(tt.name, func(t *testing.T) {
						t.Parallel()
						place := of.place(t)
						tt.run(t, func() handle {
							t.Helper()
							store, err := of.open(t.Context(), place)
							if err != nil {
								t.Fatalf("Open: %v", err)
							}
							t.Cleanup(func() {
								if err := store.Close(); err != nil {
									t.Errorf("Close: %v", err)
								}
							})
							return handle{store, t}
						})
					})
				}
			}
		})
	}
}

// handle is an open store. Its methods fail the test on an unexpected result.
type handle struct {
	loopstate.Store
	t *testing.T
}

// append appends n events after event at and returns them.
func (h handle) append(loop string, at int64, op string, n int) []loopstate.Event {
	h.t.Helper()
	head, events := Batch(loop, at, op, n)
	return h.write(head, events)
}

func (h handle) write(head loopstate.Head, events []loopstate.Event, texts ...string) []loopstate.Event {
	h.t.Helper()
	if err := h.Append(h.t.Context(), head, head.Seq-int64(len(events)), events, bodies(texts)...); err != nil {
		h.t.Fatalf("Append(%s, %d events to %d): %v", head.Loop, len(events), head.Seq, err)
	}
	return events
}

func bodies(texts []string) [][]byte {
	var all [][]byte
	for _, text := range texts {
		all = append(all, []byte(text))
	}
	return all
}

// put stores texts that no event names.
func (h handle) put(texts ...string) {
	h.t.Helper()
	var at int64
	for _, e := range h.load("put", 0) {
		at = e.Seq
	}
	head, events := Batch("put", at, "put", 1)
	head.Owner = "somebody"
	h.write(head, events, texts...)
}

func (h handle) load(loop string, after int64) (events []loopstate.Event) {
	h.t.Helper()
	for e, err := range h.Load(h.t.Context(), loop, after) {
		if err != nil {
			h.t.Fatalf("Load(%s, after %d): %v", loop, after, err)
		}
		events = append(events, e)
	}
	return events
}

func (h handle) heads(owner string) []loopstate.Head {
	h.t.Helper()
	heads, err := h.List(h.t.Context(), owner)
	if err != nil {
		h.t.Fatalf("List(%s): %v", owner, err)
	}
	for i := range heads {
		heads[i].Stored = 0
	}
	return heads
}

func (h handle) delete(loop string) {
	h.t.Helper()
	if err := h.Delete(h.t.Context(), loop); err != nil {
		h.t.Fatalf("Delete(%s): %v", loop, err)
	}
}

// kept is what a store has of a loop, except its texts.
type kept struct {
	Log  []loopstate.Event
	Head *loopstate.Head
}

func (h handle) kept(loop string) kept {
	h.t.Helper()
	k := kept{Log: h.load(loop, 0)}
	for _, head := range h.heads("ada") {
		if head.Loop == loop {
			k.Head = &head
		}
	}
	return k
}

func (h handle) want(what string, want, got any) {
	h.t.Helper()
	if reflect.DeepEqual(want, got) { // cmp is slow for large data
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// wantText checks whether a text is stored.
func (h handle) wantText(text string, stored bool) {
	h.t.Helper()
	got, err := h.Blob(h.t.Context(), loopstate.HashText([]byte(text)))
	if stored && (err != nil || string(got) != text) || !stored && !errors.Is(err, loopstate.ErrNotFound) {
		h.t.Errorf("Blob of %.40q: %.40q, %v; want it stored: %v", text, got, err, stored)
	}
}

func (h handle) wantError(what string, got, want error) {
	h.t.Helper()
	if !errors.Is(got, want) {
		h.t.Errorf("%s: %v, want %v", what, got, want)
	}
}
