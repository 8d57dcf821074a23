package storetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

// handle is an open store. Its methods fail the test on an unexpected result.
type handle struct {
	store
	t    *testing.T
	name string
}

// handles returns a function that opens handles and closes them at the end of the test.
func handles(t *testing.T, open opener) func() handle {
	n := 0
	return func() handle {
		t.Helper()
		n++
		h := handle{open(t), t, fmt.Sprint("handle ", n)}
		t.Cleanup(func() {
			if err := h.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
		return h
	}
}

// append appends n events after event at and returns them.
func (h handle) append(loop string, at int64, op string, n int) []loopstate.Event {
	h.t.Helper()
	return h.write(batch(loop, at, op, n))
}

func (h handle) write(head loopstate.Head, events []loopstate.Event, texts ...string) []loopstate.Event {
	h.t.Helper()
	if err := h.Append(h.t.Context(), head, head.Seq-int64(len(events)), events, bodies(texts)...); err != nil {
		h.t.Fatalf("%s: Append(%s, %d events to %d): %v", h.name, head.Loop, len(events), head.Seq, err)
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

// load reads a log until its end or its error.
func load(ctx context.Context, store loopstate.Store, loop string, after int64) (events []loopstate.Event, err error) {
	for e, err := range store.Load(ctx, loop, after) {
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
	return events, nil
}

func (h handle) load(loop string, after int64) []loopstate.Event {
	h.t.Helper()
	events, err := load(h.t.Context(), h, loop, after)
	if err != nil {
		h.t.Fatalf("%s: Load(%s, after %d): %v", h.name, loop, after, err)
	}
	return events
}

func (h handle) length(loop string) int64 { h.t.Helper(); return int64(len(h.load(loop, 0))) }

func (h handle) heads(owner string) []loopstate.Head {
	h.t.Helper()
	heads, err := h.Loops(h.t.Context(), owner)
	if err != nil {
		h.t.Fatalf("%s: Loops(%s): %v", h.name, owner, err)
	}
	return heads
}

func (h handle) delete(loop string) {
	h.t.Helper()
	if err := h.Delete(h.t.Context(), loop); err != nil {
		h.t.Fatalf("%s: Delete(%s): %v", h.name, loop, err)
	}
}

func (h handle) put(texts ...string) {
	h.t.Helper()
	for _, text := range texts {
		if hash, err := h.PutBlob(h.t.Context(), []byte(text)); err != nil || hash != loopstate.HashText([]byte(text)) {
			h.t.Fatalf("%s: PutBlob: %s, %v", h.name, hash, err)
		}
	}
}

func (h handle) putSnapshot(s loopstate.Snapshot) {
	h.t.Helper()
	if err := h.PutSnapshot(h.t.Context(), s); err != nil {
		h.t.Fatalf("%s: PutSnapshot: %v", h.name, err)
	}
}

// kept is what a store has of a loop, except its texts.
type kept struct {
	Log      []loopstate.Event
	Head     *loopstate.Head
	Snapshot *loopstate.Snapshot
}

func (h handle) kept(loop string) kept {
	h.t.Helper()
	k := kept{Log: h.load(loop, 0)}
	for _, head := range h.heads("ada") {
		if head.Loop == loop {
			k.Head = &head
		}
	}
	switch s, err := h.Snapshot(h.t.Context(), loop); {
	case err == nil:
		k.Snapshot = &s
	case !errors.Is(err, loopstate.ErrNotFound):
		h.t.Fatalf("%s: Snapshot(%s): %v", h.name, loop, err)
	}
	return k
}

func (h handle) wantLog(loop string, want []loopstate.Event) {
	h.t.Helper()
	h.wantSame("log of "+loop, want, h.load(loop, 0))
}

func (h handle) wantHeads(want ...loopstate.Head) {
	h.t.Helper()
	h.wantSame("heads", want, h.heads("ada"))
}

func (h handle) wantKept(loop string, want kept) {
	h.t.Helper()
	h.wantSame(loop, want, h.kept(loop))
}

func (h handle) wantSame(what string, want, got any) {
	h.t.Helper()
	if reflect.DeepEqual(want, got) { // cmp is slow for large data
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		h.t.Errorf("%s: %s (-want +got):\n%s", h.name, what, diff)
	}
}

// wantText checks whether a text is stored.
func (h handle) wantText(text string, stored bool) {
	h.t.Helper()
	got, err := h.Blob(h.t.Context(), loopstate.HashText([]byte(text)))
	if stored && (err != nil || string(got) != text) || !stored && !errors.Is(err, loopstate.ErrNotFound) {
		h.t.Errorf("%s: Blob of %.40q: %.40q, %v; want it stored: %v", h.name, text, got, err, stored)
	}
}

// wantError checks that an error is one of those wanted.
func (h handle) wantError(what string, err error, want ...error) {
	h.t.Helper()
	for _, w := range want {
		if errors.Is(err, w) {
			return
		}
	}
	h.t.Errorf("%s: %s: %v, want %v", h.name, what, err, want)
}
