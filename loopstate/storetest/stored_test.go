package storetest

import (
	"fmt"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

func (h handle) wantStored(owner string, want int64) {
	h.t.Helper()
	if got, err := h.Stored(h.t.Context(), owner); got != want || err != nil {
		h.t.Errorf("%s: Stored(%q) = %d, %v, want %d", h.name, owner, got, err, want)
	}
}

// storedTests check that the size of an owner's loops is the sum in their heads.
var storedTests = []test{
	{"the sum by owner", func(t *testing.T, open func() handle) {
		const large = 1 << 40
		h := open()
		for _, head := range []struct {
			owner, loop string
			at, stored  int64
		}{{"ada", "A", 0, 100}, {"ada", "B", 0, 20}, {"Ada", "C", 0, 7}, {"", "D", 0, 3}, {"ada", "A", 1, 5 + large}, {"ada", "E", 0, 0}} {
			h.writeHead(head.owner, head.loop, head.at, day, head.stored)
		}
		for _, h := range []handle{h, open()} {
			for owner, want := range map[string]int64{"ada": 25 + large, "Ada": 7, "": 3, "ad%": 0, "bob": 0, "\x00": 0, "caf\xe9": 0} {
				h.wantStored(owner, want)
			}
		}
	}},
	{"a refused append does not count", func(t *testing.T, open func() handle) {
		h := open()
		h.writeHead("ada", "L", 0, day, 10)
		for at, want := range map[int64]error{5: loopstate.ErrConflict, 0: loopstate.ErrOperationDone} {
			head, events := batch("L", at, fmt.Sprint("op", at), 1)
			h.wantError("Append", h.Append(t.Context(), head, at, events), want)
		}
		h.wantStored("ada", 10)
	}},
	{"a deleted loop does not count", func(t *testing.T, open func() handle) {
		h, other := open(), open()
		h.writeHead("ada", "L", 0, day, 10)
		h.writeHead("ada", "M", 0, day, 20)
		h.delete("L")
		other.wantStored("ada", 20)
		h.writeHead("ada", "L", 0, day, 4) // starts again
		other.wantStored("ada", 24)
		other.delete("L")
		other.delete("M")
		h.wantStored("ada", 0)
	}},
	{"concurrent appends through two handles", func(t *testing.T, open func() handle) {
		const appends = 15
		loops := []string{"L0", "L1", "L2", "L3"}
		startWriters(t, []handle{open(), open()}, loops, appends).Wait() // a head has 1000 bytes an event
		open().wantStored("ada", int64(2*len(loops)*appends*1000))
	}},
}
