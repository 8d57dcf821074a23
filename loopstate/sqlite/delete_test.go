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

// Names without a turn for a long time are deleted.
func TestOldTurnsAreDeleted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "loops.db")
	store := open(t, path, sqlite.Options{})
	execute(t, path, `INSERT INTO citeloop_turns (name, next) VALUES ('old', 1)`)
	if err := store.Hold(t.Context(), "new", time.Minute); err != nil {
		t.Fatal(err)
	}
	var names string
	if err := database(t, path).QueryRow(`SELECT group_concat(name) FROM citeloop_turns`).Scan(&names); err != nil || names != "new" {
		t.Errorf("kept: %s, %v", names, err)
	}
}
