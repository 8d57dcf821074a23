package postgres_test

import (
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// Turns and holds of a clock that was set back are ignored.
func TestTurnsOfAClockThatWasSetBack(t *testing.T) {
	where := storetest.PostgreSQL(t)
	store := open(t, where, postgres.Options{})
	execute(t, connect(t, where), `INSERT INTO citeloop_turns (name, next, held) SELECT 'x', later, later
		FROM (SELECT (extract(epoch FROM clock_timestamp() + interval '3 days') * 1000000)::bigint AS later) AS clock`)
	if left, _, err := store.Held(t.Context(), "x"); left != 0 || err != nil {
		t.Errorf("held for %s, %v", left, err)
	}
	if wait, taken, err := store.Reserve(t.Context(), "x", time.Minute, 1, time.Minute); wait != 0 || !taken || err != nil {
		t.Errorf("the first turn: %s, %v, %v", wait, taken, err)
	}
	if wait, taken, err := store.Reserve(t.Context(), "x", time.Minute, 1, time.Hour); wait < 50*time.Second || wait > time.Minute || !taken || err != nil {
		t.Errorf("the second: %s, %v, %v", wait, taken, err)
	}
	if err := store.Hold(t.Context(), "x", time.Minute, "now"); err != nil {
		t.Fatal(err)
	}
	if left, why, err := store.Held(t.Context(), "x"); left <= 50*time.Second || why != "now" || err != nil {
		t.Errorf("held anew for %s, %q, %v", left, why, err)
	}
}

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
