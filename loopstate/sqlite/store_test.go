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
			// The interval is short so that the suite is; the default is tested beside it.
			return open(t, path, sqlite.Options{PollInterval: 5 * time.Millisecond})
		}
	})
}

// open opens a store that the test's end closes.
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
