package postgres_test

import (
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// Unused names are deleted.
func TestOldTurnsAreDeleted(t *testing.T) {
	where := storetest.PostgreSQL(t)
	store := open(t, where, postgres.Options{})
	admin := connect(t, where)
	execute(t, admin, `INSERT INTO citeloop_turns (name, next) VALUES ('old', 1)`)
	if err := store.Hold(t.Context(), "new", time.Minute, ""); err != nil {
		t.Fatal(err)
	}
	if names := ask[string](t, admin, `SELECT string_agg(name, ',') FROM citeloop_turns`); names != "new" {
		t.Errorf("kept: %s", names)
	}
}
