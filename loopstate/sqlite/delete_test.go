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
				hash := must(store.PutBlob(t.Context(), fmt.Appendf(text, " %d times.", at)))(t)
				head.Query = string(secret)
				events[0].Data = fmt.Appendf(nil, `{"said": %q, "sha256": %q, "more": %q}`, secret, hash, strings.Repeat("x", 5000))
			}
			noError(t, store.Append(t.Context(), head, at, events))
		}
		noError(t, store.PutSnapshot(t.Context(), loopstate.Snapshot{Loop: loop, Seq: 50, Fold: 1, State: []byte(loop + " of " + string(secret))}))
	}
	if err := store.Close(); err != nil { // writes the WAL to the file
		t.Fatal(err)
	}
	if n := bytes.Count(read(t, path), secret); n < 100 {
		t.Fatalf("the secret is in the file %d times before the delete", n)
	}
	store = open(t, path, sqlite.Options{})
	for _, loop := range []string{"L", "M"} {
		noError(t, store.Delete(t.Context(), loop))
	}
	noError(t, store.Close())
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
	noError(t, store.Hold(t.Context(), "new", time.Minute))
	var names string
	if err := database(t, path).QueryRow(`SELECT group_concat(name) FROM citeloop_turns`).Scan(&names); err != nil || names != "new" {
		t.Errorf("kept: %s, %v", names, err)
	}
}
