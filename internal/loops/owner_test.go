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
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	h.Owner = "" // as in a server
	var archive bytes.Buffer
	noError(t, h.Export(loops.WithOwner(t.Context(), loops.LocalOwner), loop, &archive))
	for _, ctx := range []context.Context{t.Context(), loops.WithOwner(t.Context(), "")} {
		calls := callsOn(h.Service, loop)
		calls["start"] = func(ctx context.Context) error { return errOf(h.Start(ctx, loopstate.StartInput{Query: "q"})) }
		calls["list"] = func(ctx context.Context) error { return errOf(h.List(ctx, "")) }
		calls["heads"] = func(ctx context.Context) error { return errOf(h.Heads(ctx)) }
		calls["import"] = func(ctx context.Context) error {
			return errOf(h.Import(ctx, bytes.NewReader(archive.Bytes())))
		}
		for name, call := range calls {
			if err := call(ctx); !loopstate.Has(err, loopstate.CodeNoOwner) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := h.State(loops.WithOwner(t.Context(), loops.LocalOwner), loops.ViewInput{Loop: loop}); err != nil {
		t.Errorf("a call of the owner: %v", err)
	}
}
