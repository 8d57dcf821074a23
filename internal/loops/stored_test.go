package loops_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// full returns a loop with one source whose owner ada has no space left.
func full(t *testing.T) (h *harness, ctx context.Context, loop string) {
	t.Helper()
	h = newHarness(t)
	ctx = loops.WithOwner(t.Context(), "ada")
	h.web.put("https://example.org/tower", "Tower", "The tower is 12 metres high.")
	h.web.put("https://example.org/quay", "Quay", "The quay is 90 metres long.")
	started := must(h.Start(ctx, loopstate.StartInput{Query: "q", Gaps: []loopstate.GapInput{{Gap: "How high is the tower?"}}}))(t)
	loop = started.StateID
	must(h.Read(ctx, loops.ReadInput{Loop: loop, URLs: []string{"https://example.org/tower"}}))(t)
	h.MaxStored = h.stored(ctx)
	return h, ctx, loop
}

func (h *harness) stored(ctx context.Context) (stored int64) {
	h.t.Helper()
	for _, head := range must(h.Store.List(ctx, loops.OwnerOf(ctx)))(h.t) {
		stored += head.Stored
	}
	return stored
}

// Calls that bring new material are refused, and what it takes to finish is not.
func TestWithoutSpace(t *testing.T) {
	t.Parallel()
	pasted := strings.Repeat("What a user pasted. ", 12)
	hit := loopstate.Evidence{Title: "A page", URL: "https://example.org/hit", Source: "fakeWeb"}
	read := func(loop string, urls ...string) loops.ReadInput { return loops.ReadInput{Loop: loop, URLs: urls} }
	for _, tt := range []struct {
		name    string
		refused bool
		call    func(h *harness, ctx context.Context, loop string) error
	}{
		{"another loop", true, func(h *harness, ctx context.Context, _ string) error {
			return errOf(h.Start(ctx, loopstate.StartInput{Query: "another"}))
		}},
		{"a page", true, func(h *harness, ctx context.Context, loop string) error {
			return errOf(h.Read(ctx, read(loop, "https://example.org/quay")))
		}},
		{"a pasted text", true, func(h *harness, ctx context.Context, loop string) error {
			return errOf(h.Read(ctx, loops.ReadInput{Loop: loop, Text: pasted, Title: "Pasted"}))
		}},
		{"a search", true, func(h *harness, ctx context.Context, loop string) error {
			return errOf(h.Search(ctx, loops.SearchInput{Loop: loop, Channels: []string{"fakeWeb"}, Query: channels.Query{Text: "tower"}}))
		}},
		{"hits of the host's", true, func(h *harness, ctx context.Context, loop string) error {
			return errOf(h.Update(ctx, loop, "", loopstate.UpdateInput{Evidence: []loopstate.Evidence{hit}}))
		}},
		{"a gap", true, func(h *harness, ctx context.Context, loop string) error {
			return errOf(h.AddGap(ctx, loop, "", loopstate.GapInput{Gap: "What else?"}))
		}},
		{"a large synthesis", true, func(h *harness, ctx context.Context, loop string) error {
			return errOf(h.Reflect(ctx, loop, "", loopstate.CloseInput{Synthesis: strings.Repeat("long 日本 ", 50_000)}))
		}},
		{"a page that is kept", false, func(h *harness, ctx context.Context, loop string) error {
			return errOf(h.Read(ctx, read(loop, "https://example.org/tower")))
		}},
		{"a page for no loop", false, func(h *harness, ctx context.Context, _ string) error {
			return errOf(h.Read(ctx, read("", "https://example.org/quay")))
		}},
		{"passages", false, func(h *harness, ctx context.Context, loop string) error {
			return errOf(findPassages(h.Service, ctx, loop, "tower", nil, 3))
		}},
		{"a verification", false, func(h *harness, ctx context.Context, loop string) error {
			claim := verify.New("The tower is 12 metres high.", "S1")
			return errOf(h.Verify(ctx, loops.VerifyInput{Loop: loop, Claims: []verify.Claim{claim}}))
		}},
		{"an answered gap", false, func(h *harness, ctx context.Context, loop string) error {
			return errOf(h.Update(ctx, loop, "", loopstate.UpdateInput{AnsweredGaps: []string{"G1"}}))
		}},
		{"the end of a round", false, func(h *harness, ctx context.Context, loop string) error {
			return errOf(h.Reflect(ctx, loop, "", loopstate.CloseInput{SignOff: true, Synthesis: "The tower is 12 metres high [S1].",
				AnsweredGaps: []string{"G1"}}))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, ctx, loop := full(t)
			before := h.stored(ctx)
			err := tt.call(h, ctx, loop)
			if loopstate.Has(err, loopstate.CodeStorageFull) != tt.refused || err != nil && !tt.refused {
				t.Fatalf("%v, want it refused: %v", err, tt.refused)
			}
			if !tt.refused {
				return
			}
			if after := h.stored(ctx); after != before || h.web.asked["https://example.org/quay"] > 0 {
				t.Errorf("%d bytes were kept, and the site was asked %d times", after-before, h.web.asked["https://example.org/quay"])
			}
			if err := tt.call(h, t.Context(), h.start("mine")); err != nil {
				t.Errorf("whoever runs it on their own machine: %v", err)
			}
			h.MaxStored += 2_000_000
			if err := tt.call(h, ctx, loop); err != nil {
				t.Errorf("with room again: %v", err)
			}
		})
	}
}

func (h *harness) startFor(ctx context.Context) string {
	h.t.Helper()
	limit := h.MaxStored
	h.MaxStored = 0
	defer func() { h.MaxStored = limit }()
	started := must(h.Start(ctx, loopstate.StartInput{Query: "q"}))(h.t)
	return started.StateID
}

// A page that fits is stored.
func TestSpaceForOnePage(t *testing.T) {
	t.Parallel()
	h, ctx, loop := full(t)
	needs := int64(len(h.web.pages["https://example.org/quay"].Text))
	read := func() error {
		return errOf(h.Read(ctx, loops.ReadInput{Loop: loop, URLs: []string{"https://example.org/quay"}}))
	}
	used := h.stored(ctx)
	for _, h.MaxStored = range []int64{used + 1, used + needs} { // its event needs more
		got, ok := errors.AsType[*loopstate.Error](read())
		if !ok || got.Needs <= needs {
			t.Fatalf("%+v, want an Error", got)
		}
		if diff := cmp.Diff(loopstate.Error{Code: loopstate.CodeStorageFull, Subject: "request", Value: "ada", Got: used, Needs: got.Needs,
			Limit: h.MaxStored}, *got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		h.MaxStored = used + got.Needs
	}
	if err := read(); err != nil {
		t.Errorf("it would just fit: %v", err)
	}
	// The count is the real size.
	var want int64
	for _, e := range h.log(loop) {
		want += int64(len(e.Data))
	}
	for _, url := range []string{"https://example.org/tower", "https://example.org/quay"} {
		want += int64(len(h.web.pages[url].Text))
	}
	if got := h.stored(ctx); got != want {
		t.Errorf("%d bytes are counted, and %d are there", got, want)
	}
}

// Concurrent calls may exceed the limit by their own data only; later calls fail.
func TestSpaceForConcurrentCalls(t *testing.T) {
	t.Parallel()
	h, ctx, _ := full(t)
	const callers, each = 6, 5
	h.MaxStored += 20_000 // for the loops
	var targets []string
	for range callers {
		targets = append(targets, h.startFor(ctx))
	}
	h.MaxStored = h.stored(ctx) + 2_500 // for one text
	var mu sync.Mutex
	kept := 0
	var calling sync.WaitGroup
	for c, loop := range targets {
		calling.Go(func() {
			for i := range each {
				text := fmt.Sprint(c, "/", i) + strings.Repeat(" a text of some length", 50)
				_, err := h.Read(ctx, loops.ReadInput{Loop: loop, Text: text, Title: "Pasted"})
				if full := loopstate.Has(err, loopstate.CodeStorageFull); err != nil && !full {
					t.Errorf("paste: %v", err)
				} else if err == nil {
					mu.Lock()
					kept++
					mu.Unlock()
				}
			}
		})
	}
	calling.Wait()
	if kept < 1 || kept > callers {
		t.Errorf("%d texts were kept, want 1 to %d", kept, callers)
	}
	if !loopstate.Has(h.fillStore(ctx), loopstate.CodeStorageFull) {
		t.Error("the next is kept")
	}
}

func (h *harness) fillStore(ctx context.Context) error {
	_, err := h.Start(ctx, loopstate.StartInput{Query: strings.Repeat("one more ", 200)})
	return err
}
