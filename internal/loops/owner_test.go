package loops_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// A call without an owner fails; it does not use the local owner's loops.
func TestCallsWithoutOwnerAreRefused(t *testing.T) {
	h := newHarness(t)
	loop := h.start("q")
	h.Owner = "" // as in a server
	var archive bytes.Buffer
	if err := h.Export(loops.WithOwner(t.Context(), loops.LocalOwner), loop, &archive, nil); err != nil {
		t.Fatal(err)
	}
	for _, ctx := range []context.Context{t.Context(), loops.WithOwner(t.Context(), "")} {
		for name, call := range map[string]func() error{
			"start":    func() error { _, err := h.Start(ctx, loopstate.StartInput{Query: "q"}); return err },
			"once":     func() error { _, err := h.StartAsking(ctx, "op", loopstate.StartInput{Query: "q"}, nil); return err },
			"update":   func() error { _, err := h.Update(ctx, loop, "", loopstate.UpdateInput{Query: "q"}); return err },
			"state":    func() error { _, err := h.State(ctx, loops.ViewInput{Loop: loop}); return err },
			"list":     func() error { _, err := h.List(ctx, ""); return err },
			"heads":    func() error { _, err := h.Heads(ctx); return err },
			"complete": func() error { _, _, err := h.CompleteLoop(ctx, "", 9); return err },
			"delete":   func() error { return h.Delete(ctx, loop) },
			"report":   func() error { _, err := h.Report(ctx, loops.ReportInput{Loop: loop}); return err },
			"import": func() error {
				_, err := h.Import(ctx, bytes.NewReader(archive.Bytes()), int64(archive.Len()), nil)
				return err
			},
		} {
			if err := call(); !loopstate.Has(err, loopstate.CodeNoOwner) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := h.State(loops.WithOwner(t.Context(), loops.LocalOwner), loops.ViewInput{Loop: loop}); err != nil {
		t.Errorf("a call of the owner: %v", err)
	}
}
