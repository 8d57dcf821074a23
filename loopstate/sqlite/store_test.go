package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Opener {
		path := filepath.Join(t.TempDir(), "loops.db")
		return func(t *testing.T) loopstate.Store {
			t.Helper()
			// A short interval for a short suite; TestWatchOtherProcess uses the default.
			return open(t, path, sqlite.Options{PollInterval: 5 * time.Millisecond})
		}
	})
}

// open opens a store and closes it at the end of the test.
func open(t testing.TB, path string, options sqlite.Options) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), path, options)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return store
}
