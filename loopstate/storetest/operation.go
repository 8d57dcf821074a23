package storetest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

func testOperation(t *testing.T, fresh func(t *testing.T) Opener) {
	for _, tt := range []struct {
		name string
		op   string
		at   int64 // the log has five events: two of "a", two of "b", one of "c"
		n    int
	}{
		{"the very same again", "a", 0, 2},
		{"the last one again", "c", 4, 1},
		{"rebased on the new end", "a", 5, 2},
		{"with other events", "b", 5, 3},
		{"behind the end", "b", 9, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			open := fresh(t)
			store := open.open(t)
			want := mustAppend(t, store, "L", 0, "a", 2)
			want = append(want, mustAppend(t, store, "L", 2, "b", 2)...)
			want = append(want, mustAppend(t, store, "L", 4, "c", 1)...)
			for name, handle := range map[string]loopstate.Store{"this handle": store, "another handle": open.open(t)} {
				head, events := batch("L", tt.at, tt.op, tt.n)
				head.Query = "overwritten"
				if err := handle.Append(t.Context(), head, tt.at, events); !errors.Is(err, loopstate.ErrOperationDone) {
					t.Errorf("Append of %q through %s: %v, want ErrOperationDone", tt.op, name, err)
				}
			}
			if diff := cmp.Diff(want, mustLoad(t, store, "L", 0)); diff != "" {
				t.Errorf("the log changed (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]loopstate.Head{headOf("L", 5)}, mustLoops(t, store, "ada")); diff != "" {
				t.Errorf("the head changed (-want +got):\n%s", diff)
			}
		})
	}
}
