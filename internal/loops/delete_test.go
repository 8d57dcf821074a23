package loops_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// callsOn returns every call that names a loop.
func callsOn(svc *loops.Service, loop string) map[string]func(ctx context.Context) error {
	return map[string]func(ctx context.Context) error{
		"state": func(ctx context.Context) error { return errOf(svc.State(ctx, loops.ViewInput{Loop: loop})) },
		"round": func(ctx context.Context) error { return errOf(svc.State(ctx, loops.ViewInput{Loop: loop, Round: 1})) },
		"events": func(ctx context.Context) error {
			return errOf(svc.State(ctx, loops.ViewInput{Loop: loop, View: "events"}))
		},
		"gaps": func(ctx context.Context) error { return errOf(svc.ListGaps(ctx, loop, "", 0)) },
		"add gap": func(ctx context.Context) error {
			return errOf(svc.AddGap(ctx, loop, "", loopstate.GapInput{Gap: "one more gap"}))
		},
		"update": func(ctx context.Context) error {
			return errOf(svc.Update(ctx, loop, "", loopstate.UpdateInput{Query: "x"}))
		},
		"update again": func(ctx context.Context) error {
			return errOf(svc.Update(ctx, loop, "op-1", loopstate.UpdateInput{Query: "x"}))
		},
		"search": func(ctx context.Context) error {
			return errOf(svc.Search(ctx, loops.SearchInput{Loop: loop, Channels: []string{"fakeWeb"}, Query: channels.Query{Text: "x"}}))
		},
		"read": func(ctx context.Context) error {
			return errOf(svc.Read(ctx, loops.ReadInput{Loop: loop, URLs: []string{"https://example.org/lighthouse"}}))
		},
		"passages": func(ctx context.Context) error { return errOf(findPassages(svc, ctx, loop, "lighthouse", nil, 1)) },
		"verify": func(ctx context.Context) error {
			return errOf(svc.Verify(ctx, loops.VerifyInput{Loop: loop,
				Claims: []verify.Claim{verify.New("The lighthouse was built in 1874.", "S1")}}))
		},
		"reflect": func(ctx context.Context) error {
			return errOf(svc.Reflect(ctx, loop, "", loopstate.CloseInput{Synthesis: "So far."}))
		},
		"report": func(ctx context.Context) error { return errOf(svc.Report(ctx, loops.ReportInput{Loop: loop})) },
		"prompt": func(ctx context.Context) error {
			return errOf(svc.Prompt(ctx, prompts.All()[0], map[string]string{"state_id": loop}))
		},
		"revision": func(ctx context.Context) error { return errOf(svc.Revision(ctx, loop)) },
		"sources":  func(ctx context.Context) error { return errOf(svc.Sources(ctx, loop)) },
		"source":   func(ctx context.Context) error { return errOf(svc.Source(ctx, loop, "S1")) },
		"span":     func(ctx context.Context) error { return errOf(svc.ReadSpan(ctx, loop, "S1", 0, 0)) },
		"export":   func(ctx context.Context) error { return svc.Export(ctx, loop, io.Discard) },
		"delete":   func(ctx context.Context) error { return svc.Delete(ctx, loop) },
	}
}

// wantUnknown checks that all calls return the error for an unknown loop.
func wantUnknown(t *testing.T, ctx context.Context, svc *loops.Service, loop string) {
	t.Helper()
	_, unknown := svc.State(ctx, loops.ViewInput{Loop: uuid.NewString()})
	for name, call := range callsOn(svc, loop) {
		if err := call(ctx); err == nil || err.Error() != unknown.Error() {
			t.Errorf("%s: %v, want what an unknown id gets: %v", name, err, unknown)
		}
	}
}

func textOf(t *testing.T, svc *loops.Service, loop, source string) loopstate.Hash {
	t.Helper()
	v := must(svc.State(t.Context(), loops.ViewInput{Loop: loop, View: "sources"}))(t)
	for _, src := range v.Sources {
		if src.ID == source {
			return must(loopstate.ParseHash(src.SHA256))(t)
		}
	}
	t.Fatalf("there is no source %s", source)
	return loopstate.Hash{}
}

func sourcesOf(t *testing.T, h *harness, loop string) []loopstate.Source {
	t.Helper()
	v := h.view(loops.ViewInput{Loop: loop, View: "sources"})
	return v.Sources
}

func TestDelete(t *testing.T) {
	t.Parallel()
	h, loop := studiedLoop(t)
	archive := exported(t, h, loop)
	own, shared := textOf(t, h.Service, loop, "S1"), textOf(t, h.Service, loop, "S2")
	sources := sourcesOf(t, h, loop)
	other := h.start("What of the harbour?")
	h.read(other, "https://example.org/harbour")
	before := exported(t, h, other)

	noError(t, h.Delete(t.Context(), loop))
	wantUnknown(t, t.Context(), h.Service, loop)
	wantUnknown(t, t.Context(), h.service(), loop)
	list, err := h.List(t.Context(), "")
	if err != nil || len(list.Loops) != 1 || list.Loops[0].Loop != other {
		t.Errorf("the list: %+v, %v", list.Loops, err)
	}
	for _, gone := range []loopstate.Hash{own, loopstate.HashText([]byte("So far."))} {
		if text, err := h.Store.Blob(t.Context(), gone); !errors.Is(err, loopstate.ErrNotFound) {
			t.Errorf("a text of the loop alone: %q, %v", text, err)
		}
	}
	if _, err := h.Store.Blob(t.Context(), shared); err != nil {
		t.Errorf("a text that both had read: %v", err)
	}
	if !bytes.Equal(before, exported(t, h, other)) {
		t.Error("another loop is not what it was")
	}

	// An exported copy restores everything.
	must(importInto(h, archive))(t)
	if diff := cmp.Diff(sources, sourcesOf(t, h, loop)); diff != "" {
		t.Errorf("the sources of the loop (-before +after):\n%s", diff)
	}
	must(h.Store.Blob(t.Context(), own))(t)
	h.report(loops.ReportInput{Loop: loop})
}

// A process with a cached loop that another process deletes returns the error for an unknown loop.
func TestDeletedByAnotherProcess(t *testing.T) {
	t.Parallel()
	h, loop := studiedLoop(t)
	must(h.Update(t.Context(), loop, "op-1", loopstate.UpdateInput{Query: "x"}))(t)
	for i := range 7 {
		h.addGap(loop, loopstate.GapInput{Gap: fmt.Sprintf("gap %d", i)})
	}
	for name := range callsOn(h.Service, loop) {
		t.Run(name, func(t *testing.T) { // each call is the first one after the delete
			archive := exported(t, h, loop)
			there := h.service()
			done(h, there.Verify, loops.VerifyInput{Loop: loop, Draft: "The lighthouse was built in 1874 [S1]."})
			noError(t, h.service().Delete(t.Context(), loop))
			_, unknown := there.State(t.Context(), loops.ViewInput{Loop: uuid.NewString()})
			if err := callsOn(there, loop)[name](t.Context()); err == nil || err.Error() != unknown.Error() {
				t.Errorf("%v, want %v", err, unknown)
			}
			wantUnknown(t, t.Context(), there, loop)
			must(importInto(h, archive))(t)
			for name, svc := range map[string]*loops.Service{"which saw it go": there, "which did not": h.Service} {
				if v, err := svc.State(t.Context(), loops.ViewInput{Loop: loop}); err != nil || v.Progress.OpenGaps < 7 {
					t.Errorf("imported again, the process %s: %d gaps, %v", name, v.Progress.OpenGaps, err)
				}
			}
		})
	}
}

// A loop is deleted, an older copy is imported and changed, while another process has the loop in its cache.
func TestReplacedByAnotherProcess(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("What is at Cape Arden?")
	h.web.put("https://example.org/lighthouse", "The lighthouse", lighthouse)
	h.web.put("https://example.org/harbour", "The harbour", harbour)
	h.read(loop, "https://example.org/lighthouse")
	archive := exported(t, h, loop)
	h.read(loop, "https://example.org/harbour")
	gaps := func(svc *loops.Service, word string) {
		t.Helper()
		for i := range 7 {
			must(svc.AddGap(t.Context(), loop, "", loopstate.GapInput{Gap: fmt.Sprintf("%s gap %d", word, i)}))(t)
		}
	}
	gaps(h.Service, "old")
	claim := loops.VerifyInput{Loop: loop, Claims: []verify.Claim{{Text: "The mill was built in 1902.",
		Citations: []verify.Citation{{SourceID: "S2", Quote: "mill was built in 1902"}}}}}
	v, err := h.Verify(t.Context(), claim)
	if err != nil || statuses(v)[0] != loopstate.Unsupported {
		t.Fatalf("before: %v, %v", statuses(v), err)
	}

	there := h.service()
	noError(t, there.Delete(t.Context(), loop))
	must(there.Import(t.Context(), bytes.NewReader(archive)))(t)
	h.web.put("https://example.org/mill", "The mill", "The mill was built in 1902. It stands at the river.")
	done(h, there.Read, loops.ReadInput{Loop: loop, URLs: []string{"https://example.org/mill"}})
	gaps(there, "new")

	want := done(h, there.State, loops.ViewInput{Loop: loop, View: "full"})
	for name, svc := range map[string]*loops.Service{"a process that remembers": h.Service, "a new process": h.service()} {
		got := done(h, svc.State, loops.ViewInput{Loop: loop, View: "full"})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if v, err = h.Verify(t.Context(), claim); err != nil || statuses(v)[0] != loopstate.Inferred {
		t.Errorf("S2 is another text now: %v, %v", statuses(v), err)
	}
}
