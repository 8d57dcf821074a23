package loops_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

// While an event is written, other calls on the loop wait, until their context ends, or the limit: nobody sees what is not on disk.
// Calls on other loops do not wait.
func TestCallsWaitForAWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := must(sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "citeloop.db"), sqlite.Options{Unsynced: true}))(t)
		defer inner.Close()
		store, entered, release := &hookedStore{Store: inner}, make(chan struct{}), make(chan struct{})
		clock := &clock{}
		svc := loops.New(loops.Config{Store: store, Owner: loops.LocalOwner, Now: clock.Now,
			NewID: func() string { return uuid.Must(uuid.NewV7()).String() }})
		begun := must(svc.Start(t.Context(), loopstate.StartInput{Query: "q"}))(t)
		other := must(svc.Start(t.Context(), loopstate.StartInput{Query: "other"}))(t)
		loop := begun.StateID
		add := func(ctx context.Context, gap string) error {
			return errOf(svc.AddGap(ctx, loop, "", loopstate.GapInput{Gap: gap}))
		}
		noError(t, add(t.Context(), "written before"))
		store.before = map[string]func(){"Append": func() { entered <- struct{}{}; <-release }}
		written := make(chan error, 1)
		go func() { written <- add(t.Context(), "slow to write") }()
		<-entered

		must(svc.ListGaps(t.Context(), other.StateID, "all", 0))(t)
		cancelled, cancel := context.WithCancel(t.Context())
		waiting := make(chan error, 2)
		go func() { waiting <- add(cancelled, "cancelled") }()
		go func() { waiting <- errOf(svc.ListGaps(cancelled, loop, "all", 0)) }()
		synctest.Wait() // waiting for its turn
		cancel()
		for range 2 {
			if err := <-waiting; !errors.Is(err, context.Canceled) {
				t.Errorf("a cancelled call got %v", err)
			}
		}
		if err := add(t.Context(), "impatient"); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("a writer without a deadline got %v, want an error at the limit", err)
		}

		close(release)
		noError(t, <-written)
		noError(t, add(t.Context(), "written after"))
		if got, err := svc.ListGaps(t.Context(), loop, "all", 0); err != nil || got.Total != 3 {
			t.Errorf("%d gaps, %v; want the three that were written", got.Total, err)
		}
	})
}

// After a failed write, the state in memory is that of the log.
func TestAFailedWriteChangesNothing(t *testing.T) {
	t.Parallel()
	h, loop := newLoop(t, "q")
	failing := &hookedStore{Store: h.Store}
	cfg := h.Config
	cfg.Store = failing
	h.Service = loops.New(cfg)
	h.addGap(loop, loopstate.GapInput{Gap: "first"})
	failing.fails = errors.New("disk full")
	if _, err := h.AddGap(t.Context(), loop, "", loopstate.GapInput{Gap: "lost"}); err == nil {
		t.Fatal("the failure of the store was not reported")
	}
	failing.fails = nil
	h.addGap(loop, loopstate.GapInput{Gap: "second"})
	for name, svc := range map[string]*loops.Service{"this process": h.Service, "another": h.service()} {
		got, err := svc.ListGaps(t.Context(), loop, "all", 0)
		if err != nil || got.Total != 2 {
			t.Errorf("%s: %d gaps, %v; want the two that were written", name, got.Total, err)
		}
	}
}
