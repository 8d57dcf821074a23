package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// TestSettings reads the settings of connections, because SQLite ignores unknown pragmas.
func TestSettings(t *testing.T) {
	store, err := Open(t.Context(), filepath.Join(t.TempDir(), "loops.db"), Options{BusyTimeout: 1234 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	settings := func(row func(query string) *sql.Row) map[string]string {
		got := map[string]string{}
		for _, name := range []string{"journal_mode", "synchronous", "busy_timeout", "query_only", "fullfsync", "checkpoint_fullfsync",
			"secure_delete", "user_version", "application_id"} {
			var value string
			if err := row("PRAGMA " + name).Scan(&value); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			got[name] = value
		}
		return got
	}
	want := map[string]string{
		"journal_mode": "wal", "synchronous": "2", "busy_timeout": "1234", "query_only": "0", "fullfsync": "1",
		"checkpoint_fullfsync": "1", "secure_delete": "1", "user_version": fmt.Sprint(len(migrations)),
		"application_id": fmt.Sprint(applicationID),
	}
	if diff := cmp.Diff(want, settings(func(q string) *sql.Row { return store.conn.QueryRowContext(t.Context(), q) })); diff != "" {
		t.Errorf("the writer (-want +got):\n%s", diff)
	}
	want["query_only"] = "1"
	if diff := cmp.Diff(want, settings(func(q string) *sql.Row { return store.readers.QueryRowContext(t.Context(), q) })); diff != "" {
		t.Errorf("a reader (-want +got):\n%s", diff)
	}
}

// An append that fails in the middle leaves nothing, and the next one succeeds.
func TestFailedAppends(t *testing.T) {
	for name, tt := range map[string]struct {
		fail, mend, says string
		want             error
	}{
		// RAISE(FAIL) undoes only its own row.
		"an error": {`CREATE TRIGGER fail BEFORE INSERT ON citeloop_events WHEN new.seq = 3 BEGIN SELECT RAISE(FAIL, 'no third ` +
			`event'); END`,
			`DROP TRIGGER fail`, "no third event", nil},
		"a full disk": {`PRAGMA max_page_count = 1`, `PRAGMA max_page_count = 100000`, "free some space", storage.ErrFull},
		"read only":   {`PRAGMA query_only = 1`, `PRAGMA query_only = 0`, "writable", storage.ErrReadOnly},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "loops.db")
			store, err := Open(t.Context(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			do := func(statement string) {
				if _, err := store.conn.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			do(tt.fail)
			head, events := storetest.Batch("L", 0, "op", 4)
			text := []byte(strings.Repeat("a text ", 1000))
			for i := range events {
				events[i].Data = []byte(`"` + strings.Repeat("large ", 10_000) + `"`)
			}
			err = store.Append(t.Context(), head, 0, events, text)
			if fault := new(loopstate.StoreError); err == nil || !strings.Contains(err.Error(), tt.says) ||
				tt.want != nil && !(errors.Is(err, tt.want) && errors.As(err, &fault) && fault.Place == path) {
				t.Errorf("Append: %v, want %v that says %q", err, tt.want, tt.says)
			}
			if heads, err := store.List(t.Context(), "ada"); err != nil || len(heads) != 0 {
				t.Errorf("heads %v, %v, want none", heads, err)
			}
			do(tt.mend)
			if err := store.Append(t.Context(), head, 0, events, text); err != nil {
				t.Errorf("Append afterwards: %v", err)
			}
		})
	}
}
