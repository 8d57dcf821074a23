package storetest

import (
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

func snapshotTests() []test {
	tests := []test{{"missing", func(t *testing.T, open func() handle) {
		h := open()
		h.append("L", 0, "a", 1)
		for _, loop := range []string{"L", "unknown", ""} {
			_, err := h.Snapshot(t.Context(), loop)
			h.wantError("Snapshot of "+loop, err, loopstate.ErrNotFound)
		}
	}}}
	of := func(seq int64, fold int, state string) loopstate.Snapshot {
		return loopstate.Snapshot{Loop: "L", Seq: seq, Fold: fold, State: []byte(state)}
	}
	for _, tt := range []struct {
		name string
		put  []loopstate.Snapshot
		want loopstate.Snapshot
	}{
		{"a single one", []loopstate.Snapshot{of(3, 1, `{"a": 1}`)}, of(3, 1, `{"a": 1}`)},
		{"a newer one replaces", []loopstate.Snapshot{of(3, 1, "3"), of(5, 1, "5")}, of(5, 1, "5")},
		{"an older one is ignored", []loopstate.Snapshot{of(5, 1, "5"), of(3, 1, "3")}, of(5, 1, "5")},
		{"an older one of another fold replaces", []loopstate.Snapshot{of(5, 1, "5"), of(3, 2, "3")}, of(3, 2, "3")},
		{"one of a lower fold replaces", []loopstate.Snapshot{of(5, 2, "5"), of(5, 1, "five")}, of(5, 1, "five")},
		{"byte for byte", []loopstate.Snapshot{of(1, 1, "{ \"a\":1.0,\n\"a\": \"\\u0000\"}")}, of(1, 1, "{ \"a\":1.0,\n\"a\": \"\\u0000\"}")},
	} {
		tests = append(tests, test{tt.name, func(t *testing.T, open func() handle) {
			h := open()
			log := h.append("L", 0, "a", 5)
			for _, s := range tt.put {
				h.putSnapshot(s)
			}
			other := tt.put[0]
			other.Loop, other.Seq = "M", 1
			h.putSnapshot(other)
			open().wantKept("L", kept{Log: log, Head: new(headOf("L", 5)), Snapshot: &tt.want})
		}})
	}
	return tests
}
