package sqlite_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Deleted data is not in the file, not even in unused pages.
func TestDeletedDataIsOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "loops.db")
	store := open(t, path, sqlite.Options{})
	secret := []byte("SECRET-OF-THE-LOOP")
	text := []byte("It says " + string(secret)) // too short for compression
	for _, loop := range []string{"L", "M"} {
		for at := range int64(50) {
			head, events := next(loop, at)
			if loop == "L" {
				hash, err := store.PutBlob(t.Context(), fmt.Appendf(text, " %d times.", at))
				if err != nil {
					t.Fatal(err)
				}
				head.Query = string(secret)
				events[0].Data = fmt.Appendf(nil, `{"said": %q, "sha256": %q, "more": %q}`, secret, hash, strings.Repeat("x", 5000))
			}
			if err := store.Append(t.Context(), head, at, events); err != nil {
				t.Fatal(err)
			}
		}
		if err := store.PutSnapshot(t.Context(), loopstate.Snapshot{Loop: loop, Seq: 50, Fold: 1, State: []byte(loop + " of " + string(secret))}); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil { // writes the WAL to the file
		t.Fatal(err)
	}
	if n := bytes.Count(read(t, path), secret); n < 100 {
		t.Fatalf("the secret is in the file %d times before the delete", n)
	}
	store = open(t, path, sqlite.Options{})
	for _, loop := range []string{"L", "M"} {
		if err := store.Delete(t.Context(), loop); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if b := read(t, path); bytes.Contains(b, secret) {
		t.Errorf("%q is in the file", secret)
	}
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the WAL: %v", err)
	}
}

// A Delete without the lock changes nothing.
func TestDeleteOfALockedStore(t *testing.T) {
	path := written(t, 3)
	store := open(t, path, sqlite.Options{BusyTimeout: 50 * time.Millisecond})
	conn, err := database(t, path).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), `BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	if err := store.Delete(t.Context(), "L"); !errors.Is(err, storage.ErrBusy) {
		t.Errorf("Delete: %v, want ErrBusy", err)
	}
	if _, err := conn.ExecContext(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range store.Load(t.Context(), "L", 0) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 3 {
		t.Errorf("%d events are left of 3", n)
	}
	if err := store.Delete(t.Context(), "L"); err != nil {
		t.Errorf("Delete: %v", err)
	}
}

// A snapshot that an older version left of a deleted loop is never returned.
func TestSnapshotWithoutItsLoop(t *testing.T) {
	path := written(t, 5)
	store := open(t, path, sqlite.Options{})
	if err := store.PutSnapshot(t.Context(), loopstate.Snapshot{Loop: "L", Seq: 5, Fold: 1}); err != nil {
		t.Fatal(err)
	}
	execute(t, path, `CREATE TABLE left_behind AS SELECT * FROM snapshots`)
	if err := store.Delete(t.Context(), "L"); err != nil {
		t.Fatal(err)
	}
	execute(t, path, `INSERT INTO snapshots SELECT * FROM left_behind`)
	for at := range int64(3) {
		if s, err := store.Snapshot(t.Context(), "L"); !errors.Is(err, loopstate.ErrNotFound) {
			t.Errorf("Snapshot of a log of %d events: %v, %v, want ErrNotFound", at, s, err)
		}
		head, events := next("L", at)
		if err := store.Append(t.Context(), head, at, events); err != nil {
			t.Fatal(err)
		}
	}
}
