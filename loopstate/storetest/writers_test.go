package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

func writerTests() []test {
	tests := []test{{"one operation by many callers", func(t *testing.T, open func() handle) {
		hs := []handle{open(), open()}
		hs[0].append("L", 0, "first", 1)
		onlyOne(t, 8, loopstate.ErrOperationDone, func(i int) error {
			head, events := batch("L", 1, "once", 2)
			return hs[i%2].Append(t.Context(), head, 1, events)
		})
		if got := hs[1].length("L"); got != 3 {
			t.Errorf("the log has %d events, want 3", got)
		}
	}}}
	for _, tt := range []struct {
		name             string
		handles, writers int // writers per handle
	}{{"eight goroutines", 1, 8}, {"two handles", 2, 1}, {"three handles of three goroutines", 3, 3}} {
		tests = append(tests, test{tt.name, func(t *testing.T, open func() handle) {
			const appends = 20
			var hs []handle
			for range tt.handles {
				h := open()
				for range tt.writers {
					hs = append(hs, h)
				}
			}
			startWriters(t, hs, []string{"L"}, appends).Wait()
			open().wantWhole("L", len(hs)*appends)
		}})
	}
	return tests
}

// startWriters appends n events to each loop through each handle, all concurrently.
func startWriters(t *testing.T, hs []handle, loops []string, n int) *sync.WaitGroup {
	var writers sync.WaitGroup
	for i, h := range hs {
		for _, loop := range loops {
			writers.Go(func() {
				if err := AppendMany(t.Context(), h, loop, fmt.Sprint("w", i), n, nil); err != nil {
					t.Errorf("writer %d of %s: %v", i, loop, err)
				}
			})
		}
	}
	return &writers
}

// onlyOne calls do n times concurrently. One call must succeed, the others must return want.
func onlyOne(t *testing.T, n int, want error, do func(i int) error) {
	t.Helper()
	results := make([]error, n)
	var calls sync.WaitGroup
	for i := range results {
		calls.Go(func() { results[i] = do(i) })
	}
	calls.Wait()
	done := 0
	for _, err := range results {
		switch {
		case err == nil:
			done++
		case !errors.Is(err, want):
			t.Errorf("%v, want %v", err, want)
		}
	}
	if done != 1 {
		t.Errorf("%d calls succeeded, want 1", done)
	}
}

// wantWhole checks the n events of a log of AppendMany.
func (h handle) wantWhole(loop string, n int) {
	h.t.Helper()
	events := h.load(loop, 0)
	if err := CheckLog(events); err != nil || len(events) != n {
		h.t.Errorf("%s: log of %s: %d events, %v; want %d", h.name, loop, len(events), err, n)
	}
}
