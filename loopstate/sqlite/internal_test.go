package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// TestSettings reads the settings of connections, because SQLite ignores unknown pragmas.
func TestSettings(t *testing.T) {
	store, err := Open(t.Context(), filepath.Join(t.TempDir(), "loops.db"), Options{BusyTimeout: 1234 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	settings := func(db *sql.DB) map[string]string {
		got := map[string]string{}
		for _, name := range []string{"journal_mode", "synchronous", "busy_timeout", "query_only", "fullfsync", "checkpoint_fullfsync", "secure_delete", "user_version", "application_id"} {
			var value string
			if err := db.QueryRowContext(t.Context(), "PRAGMA "+name).Scan(&value); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			got[name] = value
		}
		got["connections"] = fmt.Sprint(db.Stats().MaxOpenConnections)
		return got
	}
	want := map[string]string{
		"journal_mode": "wal", "synchronous": "2", "busy_timeout": "1234", "query_only": "0", "fullfsync": "1",
		"checkpoint_fullfsync": "1", "secure_delete": "1", "user_version": fmt.Sprint(len(migrations)), "application_id": fmt.Sprint(applicationID), "connections": "1",
	}
	if diff := cmp.Diff(want, settings(store.writer)); diff != "" {
		t.Errorf("the writer (-want +got):\n%s", diff)
	}
	want["query_only"], want["connections"] = "1", fmt.Sprint(readers)
	if diff := cmp.Diff(want, settings(store.readers)); diff != "" {
		t.Errorf("a reader (-want +got):\n%s", diff)
	}

	// _txlock=immediate: a transaction blocks writers even if it only reads.
	tx, err := store.writer.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	other, err := sql.Open("sqlite", store.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.ExecContext(t.Context(), `BEGIN IMMEDIATE`); !isBusy(err) {
		t.Errorf("a second writer while a transaction is open: %v, want SQLITE_BUSY", err)
	}
}

// A failure in the middle of a batch. RAISE(FAIL) undoes only its own row.
func TestFailedBatchLeavesNothing(t *testing.T) {
	store, err := Open(t.Context(), filepath.Join(t.TempDir(), "loops.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.writer.ExecContext(t.Context(), `CREATE TRIGGER fail BEFORE INSERT ON events WHEN new.seq = 3
		BEGIN SELECT RAISE(FAIL, 'no third event'); END`); err != nil {
		t.Fatal(err)
	}
	head := loopstate.Head{Loop: "L", Owner: "ada", Seq: 4}
	var events []loopstate.Event
	for seq := range int64(4) {
		events = append(events, loopstate.Event{Loop: "L", Seq: seq + 1, Kind: "k", Op: "op"})
	}
	if err := store.Append(t.Context(), head, 0, events); err == nil || !strings.Contains(err.Error(), "no third event") {
		t.Fatalf("Append: %v", err)
	}
	if last, err := store.lastSeq(t.Context(), "L"); err != nil || last != 0 {
		t.Errorf("the log ends at %d, %v, want none", last, err)
	}
	if heads, err := store.Loops(t.Context(), "ada"); err != nil || len(heads) != 0 {
		t.Errorf("Loops: %v, %v, want none", heads, err)
	}
}

func TestCloseWaitsForCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, err := Open(t.Context(), filepath.Join(t.TempDir(), "loops.db"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		leave, err := store.base.Enter()
		if err != nil {
			t.Fatal(err)
		}
		closed := make(chan error, 1)
		go func() { closed <- store.Close() }()
		synctest.Wait()
		select {
		case err := <-closed:
			t.Fatalf("Close returned %v during a call", err)
		default:
		}
		if _, err := store.base.Enter(); !errors.Is(err, storage.ErrClosed) {
			t.Errorf("a call while Close waits: %v, want storage.ErrClosed", err)
		}
		leave()
		if err := <-closed; err != nil {
			t.Errorf("Close: %v", err)
		}
	})
}

func TestOptions(t *testing.T) {
	want := Options{BusyTimeout: 10 * time.Second, PollInterval: 250 * time.Millisecond}
	if diff := cmp.Diff(want, Options{}.withDefaults()); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
}

// Turns and holds of a clock that was set back are ignored.
func TestTurn(t *testing.T) {
	const second, minute = int64(1_000_000), int64(60_000_000)
	now := 1_000 * minute
	tests := []struct {
		name       string
		burst      int
		next, held int64
		start, end int64
	}{
		{"the first", 1, 0, 0, now, now + second},
		{"after one that was taken", 1, now + 5*second, 0, now + 5*second, now + 6*second},
		{"within a burst", 3, now + 2*second, 0, now, now + 3*second},
		{"after a burst", 3, now + 3*second, 0, now + second, now + 4*second},
		{"while held", 3, now, now + minute, now + minute, now + minute + 3*second},
		{"a clock that was set back", 1, now + 1_000*minute, now + 1_000*minute, now, now + second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start, end := turn(storage.PaceOf(time.Second, tt.burst, time.Minute), tt.next, tt.held, now)
			if start != tt.start || end != tt.end {
				t.Errorf("from %d to %d, want %d to %d", start-now, end-now, tt.start-now, tt.end-now)
			}
		})
	}
}

// Unused names are deleted.
func TestOldTurnsAreDeleted(t *testing.T) {
	store, err := Open(t.Context(), filepath.Join(t.TempDir(), "loops.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.writer.ExecContext(t.Context(), `INSERT INTO turns (name, next) VALUES ('old', 1)`); err != nil {
		t.Fatal(err)
	}
	if err := store.Hold(t.Context(), "new", time.Minute, ""); err != nil {
		t.Fatal(err)
	}
	var names string
	if _, err := store.readOne(t.Context(), []any{&names}, `SELECT group_concat(name) FROM turns`); err != nil || names != "new" {
		t.Errorf("kept: %s, %v", names, err)
	}
}

// A file of the first format is upgraded.
func TestMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "loops.db")
	store, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{"first", "second"} { // without a size
		e := loopstate.Event{Loop: text, Seq: 1, Kind: "old", Op: "op", Data: []byte(`{"text": "` + text + `"}`)}
		head := loopstate.Head{Loop: text, Owner: "ada", Seq: 1, Stored: int64(i + 1000)}
		if err := store.Append(t.Context(), head, 0, []loopstate.Event{e}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := store.writer.ExecContext(t.Context(), `DROP TABLE turns; DROP INDEX heads_stored; ALTER TABLE heads DROP COLUMN stored;
		DROP INDEX heads_reviewed; ALTER TABLE heads DROP COLUMN readings; PRAGMA user_version = 1`); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if store, err = Open(t.Context(), path, Options{}); err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, taken, err := store.Reserve(t.Context(), "x", time.Second, 1, time.Second); !taken || err != nil {
		t.Errorf("taken: %v, %v", taken, err)
	}
	heads, err := store.Loops(t.Context(), "ada")
	if err != nil || len(heads) != 2 || heads[0].Stored != 0 {
		t.Errorf("heads without a count: %v, %v", heads, err)
	}
	if heads, err = store.Reviewed(t.Context(), "ada", 10); err != nil || len(heads) != 2 {
		t.Errorf("heads that may have readings: %v, %v", heads, err)
	}
	const want = int64(len(`{"text": "first"}`) + len(`{"text": "second"}`))
	for range 2 { // the second time from the stored counts
		if stored, err := store.Stored(t.Context(), "ada"); stored != want || err != nil {
			t.Errorf("stored: %d, %v, want %d", stored, err, want)
		}
	}
	var counted int
	if _, err := store.readOne(t.Context(), []any{&counted}, `SELECT count(stored) FROM heads`); counted != 2 || err != nil {
		t.Errorf("%d of 2 counts are stored, %v", counted, err)
	}
}

// A late count does not change a head that an append has written.
func TestLateCount(t *testing.T) {
	store, err := Open(t.Context(), filepath.Join(t.TempDir(), "loops.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	e := loopstate.Event{Loop: "L", Seq: 1, Kind: "new", Op: "op"}
	if err := store.Append(t.Context(), loopstate.Head{Loop: "L", Owner: "ada", Seq: 1, Stored: 70}, 0, []loopstate.Event{e}); err != nil {
		t.Fatal(err)
	}
	if err := store.keepCount(t.Context(), "L", 1, 5); err != nil {
		t.Fatal(err)
	}
	if stored, err := store.Stored(t.Context(), "ada"); stored != 70 || err != nil {
		t.Errorf("stored: %d, %v, want 70", stored, err)
	}
}
