package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/loopstate/storage"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// open opens a store and closes it at the end of the test.
func open(t testing.TB, path string, options sqlite.Options) *sqlite.Store {
	t.Helper()
	store, err := sqlite.Open(t.Context(), path, options)
	noError(t, err)
	t.Cleanup(func() { noError(t, store.Close()) })
	return store
}

func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// execute changes the file like another program.
func execute(t testing.TB, path string, queries ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	noError(t, err)
	defer db.Close()
	for _, query := range queries {
		if _, err := db.ExecContext(t.Context(), query); err != nil {
			t.Error(err)
		}
	}
}

// written creates a store with a loop L of n events, and closes it.
func written(t testing.TB, n int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "loops.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{Unsynced: true})
	noError(t, err)
	noError(t, storetest.AppendMany(t.Context(), store, "L", "w", n, nil))
	noError(t, store.Close())
	return path
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	noError(t, err)
	return b
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	noError(t, os.WriteFile(path, b, 0o600))
}

func TestOpenMakesPrivateFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes on Windows")
	}
	root := t.TempDir()
	path := filepath.Join(root, "a", "b%20?c#d", "loops ü.db") // special characters of a DSN
	noError(t, storetest.AppendMany(t.Context(), open(t, path, sqlite.Options{}), "L", "w", 1, nil))
	got := map[string]os.FileMode{}
	noError(t, filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || p == root {
			return err
		}
		info, err := d.Info()
		name, _ := filepath.Rel(root, p)
		got[filepath.ToSlash(name)] = info.Mode().Perm()
		return err
	}))
	want := map[string]os.FileMode{
		"a": 0o700, "a/b%20?c#d": 0o700,
		"a/b%20?c#d/loops ü.db": 0o600, "a/b%20?c#d/loops ü.db-wal": 0o600, "a/b%20?c#d/loops ü.db-shm": 0o600,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("modes (-want +got):\n%s", diff)
	}
}

// Files that Open refuses and does not change.
func TestOpenRefuses(t *testing.T) {
	noise := bytes.Repeat([]byte("this is a letter, not a database. "), 400)
	for _, tt := range []struct {
		name string
		make func(t *testing.T) (path string)
		want error  // or nil for any
		says string // part of the remedy
	}{
		{"no path", func(t *testing.T) string { return "" }, nil, "name a file"},
		{"a folder", func(t *testing.T) string { return t.TempDir() }, nil, "name the file"},
		{"a text file", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "letter")
			write(t, path, noise)
			return path
		}, storage.ErrForeign, "choose another data folder"},
		{"another program's database", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "places.db")
			execute(t, path, `CREATE TABLE bookmarks (url TEXT)`, `PRAGMA user_version = 1`)
			return path
		}, storage.ErrForeign, "choose another data folder"},
		{"a schema overwritten", func(t *testing.T) string {
			path := written(t, 100)
			b := read(t, path)
			copy(b[100:4096], noise)
			write(t, path, b)
			return path
		}, storage.ErrDamaged, "backup"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := tt.make(t)
			before, _ := os.ReadFile(path)
			store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err == nil {
				store.Close()
				t.Fatal("Open succeeded")
			}
			if tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) ||
				!strings.Contains(err.Error(), path) {
				t.Errorf("Open: %v\nwant %v, the path, and %q", err, tt.want, tt.says)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

// Files of earlier versions are upgraded with their loops.
func TestEarlierFormats(t *testing.T) {
	first := read(t, filepath.Join("migrations", "1.sql"))
	for name, schema := range map[string]string{
		"format 1":                   string(first),
		"format 1 before its prefix": strings.ReplaceAll(string(first), "citeloop_", ""),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "loops.db")
			prefix := ""
			if strings.Contains(schema, "citeloop_") {
				prefix = "citeloop_"
			}
			execute(t, path, schema, `PRAGMA application_id = 0x636c6f70; PRAGMA user_version = 1`,
				`INSERT INTO `+prefix+`heads VALUES ('L', 'ada', 1, 'q', 0, 'open', '2026-03-01T12:00:00.000000000Z', 5, 2)`,
				`INSERT INTO `+prefix+`events VALUES ('L', 1, '2026-03-01T12:00:00.000000000Z', 'k', 1, 'op', x'7b7d')`)
			store := open(t, path, sqlite.Options{})
			heads, err := store.List(t.Context(), "ada")
			if err != nil || len(heads) != 1 || heads[0].Stored != 5 {
				t.Errorf("heads %+v, %v", heads, err)
			}
			head, events := storetest.Batch("L", 1, "next", 1)
			noError(t, store.Append(t.Context(), head, 1, events))
			n := 0
			for _, err := range store.Load(t.Context(), "L", 0) {
				noError(t, err)
				n++
			}
			heads, err = store.List(t.Context(), "ada")
			if err != nil || n != 2 || heads[0].Stored != 5+int64(len(events[0].Data)) {
				t.Errorf("%d events, want 2; heads %+v, %v", n, heads, err)
			}
			noError(t, store.Delete(t.Context(), "L"))
		})
	}
}

func TestBusy(t *testing.T) {
	path := written(t, 1)
	store := open(t, path, sqlite.Options{BusyTimeout: 30 * time.Millisecond})
	db, err := sql.Open("sqlite", path)
	noError(t, err)
	defer db.Close()
	holder, err := db.Conn(t.Context())
	noError(t, err)
	defer holder.Close()
	_, err = holder.ExecContext(t.Context(), `BEGIN IMMEDIATE`)
	noError(t, err)
	head, events := storetest.Batch("L", 1, "x", 1)
	if err := store.Append(t.Context(), head, 1, events); !errors.Is(err, storage.ErrBusy) ||
		!strings.Contains(err.Error(), "end the process that locked it") {
		t.Errorf("Append while another holds the lock: %v, want ErrBusy", err)
	}
	for _, err := range store.Load(t.Context(), "L", 0) { // reads do not wait for writes
		noError(t, err)
	}
	patient := open(t, path, sqlite.Options{BusyTimeout: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error, 1)
	go func() { waiting <- patient.Append(ctx, head, 1, events) }()
	cancel()
	if err := <-waiting; !errors.Is(err, context.Canceled) {
		t.Errorf("Append that was cancelled while waiting: %v, want context.Canceled", err)
	}
	_, err = holder.ExecContext(t.Context(), `ROLLBACK`)
	noError(t, err)
	noError(t, store.Append(t.Context(), head, 1, events))
}

// An own write leaves the version as it is: no state is read again after it.
func TestVersionOfOwnWrites(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "loops.db"), sqlite.Options{})
	before, err := store.Version(t.Context())
	noError(t, err)
	noError(t, storetest.AppendMany(t.Context(), store, "L", "w", 3, nil))
	if after, err := store.Version(t.Context()); err != nil || after != before {
		t.Errorf("version %d, %v after own writes, want %d", after, err, before)
	}
}

// A row or a page was changed behind SQLite's back.
func TestDamageIsDetected(t *testing.T) {
	all := func(path string) error {
		store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		if err != nil {
			return err
		}
		_, err = storetest.CheckLog(t.Context(), store, "L")
		_, listed := store.List(t.Context(), "ada")
		return errors.Join(err, listed, store.Close())
	}
	for name, damage := range map[string]func(path string){
		"a text that is none": func(path string) { execute(t, path, `UPDATE citeloop_blobs SET text = x'a5a5'`) },
		"another text": func(path string) {
			execute(t, path, `UPDATE citeloop_blobs SET text = (SELECT text FROM citeloop_blobs LIMIT 1 OFFSET 7)`)
		},
		"a promise of 2^60 bytes": func(path string) {
			execute(t, path, `UPDATE citeloop_blobs SET text = x'28b52ffde0000000000000001003ffff'`)
		},
		"a page": func(path string) {
			b := read(t, path)
			at := bytes.Index(b, []byte("w/75source_read"))
			if at = max(at, bytes.Index(b, []byte("source_read"))); at < 4096 {
				t.Fatal("no event in the file")
			}
			copy(b[at/4096*4096:], bytes.Repeat([]byte{0xa5}, 4096))
			write(t, path, b)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := written(t, 150)
			noError(t, all(path))
			damage(path)
			if err := all(path); !errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), "restore a backup") &&
				!strings.Contains(err.Error(), "fetch its source again") {
				t.Errorf("%v, want ErrDamaged", err)
			}
		})
	}
}

// A text that is stored again is whole again.
func TestDamagedTextIsRepaired(t *testing.T) {
	path := written(t, 1)
	store := open(t, path, sqlite.Options{})
	text := "It says so."
	for at := range int64(2) {
		head, events := storetest.Naming("M", at, text)
		noError(t, store.Append(t.Context(), head, at, events, []byte(text)))
		if got, err := store.Blob(t.Context(), loopstate.HashText([]byte(text))); err != nil || string(got) != text {
			t.Errorf("Blob after %d appends: %q, %v", at+1, got, err)
		}
		execute(t, path, `UPDATE citeloop_blobs SET text = x'a5a5'`)
	}
}
