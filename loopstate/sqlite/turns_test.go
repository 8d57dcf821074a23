package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

func TestTurns(t *testing.T) {
	storetest.RunTurns(t, func(t *testing.T) func(t *testing.T) storetest.Ledger {
		path := filepath.Join(t.TempDir(), "loops.db")
		return func(t *testing.T) storetest.Ledger { return open(t, path, sqlite.Options{}) }
	})
}
