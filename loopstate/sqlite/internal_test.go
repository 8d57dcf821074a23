package sqlite

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
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
	if _, err := store.writer.ExecContext(t.Context(), `CREATE TRIGGER fail BEFORE INSERT ON citeloop_events WHEN new.seq = 3
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
	for e, err := range store.Load(t.Context(), "L", 0) {
		t.Errorf("the log has event %d, %v, want none", e.Seq, err)
	}
	if heads, err := store.Loops(t.Context(), "ada"); err != nil || len(heads) != 0 {
		t.Errorf("Loops: %v, %v, want none", heads, err)
	}
}
