package cli

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// fullDisk is a store that can be read but not written.
type fullDisk struct {
	loopstate.Store
	full   bool
	probes int
}

var errFull = errors.New("database or disk is full")

func (s *fullDisk) Snapshot(context.Context, string) (loopstate.Snapshot, error) {
	return loopstate.Snapshot{}, loopstate.ErrNotFound
}

func (s *fullDisk) Probe(context.Context) error {
	if s.probes++; s.full {
		return errFull
	}
	return nil
}

func TestNotReadyOnAFullDisk(t *testing.T) {
	store, now := &fullDisk{full: true}, time.Unix(0, 0)
	ready := storeAnswers(store, func() time.Time { return now })
	for range 10 {
		if err := ready(t.Context()); !errors.Is(err, errFull) {
			t.Errorf("ready on a full disk: %v", err)
		}
	}
	if store.probes != 1 {
		t.Errorf("%d writes for 10 probes", store.probes)
	}
	store.full, now = false, now.Add(probeEvery)
	if err := ready(t.Context()); err != nil || store.probes != 2 {
		t.Errorf("with free space again: %v after %d writes", err, store.probes)
	}
}
