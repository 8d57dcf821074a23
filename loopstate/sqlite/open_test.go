package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
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
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return store
}

// database opens the file like another program.
func database(t testing.TB, path string) *sql.DB {
	t.Helper()
	db := must(sql.Open("sqlite", path))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// execute changes the file and closes it.
func execute(t testing.TB, path, query string, args ...any) {
	t.Helper()
	db := must(sql.Open("sqlite", path))(t)
	if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
		t.Error(err)
	}
	noError(t, db.Close())
}

// written creates a store with a loop L of n events and a text, and closes it.
func written(t *testing.T, n int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "loops.db")
	store := must(sqlite.Open(t.Context(), path, sqlite.Options{}))(t)
	noError(t, storetest.AppendMany(t.Context(), store, "L", "w", n, nil))
	must(store.PutBlob(t.Context(), []byte("a text")))(t)
	noError(t, store.Close())
	return path
}

func TestOpenMakesPrivateFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes on Windows")
	}
	root := t.TempDir()
	path := filepath.Join(root, "a", "b%20?c#d", "loops ü.db") // special characters of a DSN
	store := open(t, path, sqlite.Options{})
	noError(t, storetest.AppendMany(t.Context(), store, "L", "w", 1, nil))
	got := map[string]os.FileMode{}
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || p == root {
			return err
		}
		info, err := d.Info()
		name, _ := filepath.Rel(root, p)
		got[filepath.ToSlash(name)] = info.Mode().Perm()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]os.FileMode{
		"a": 0o700, "a/b%20?c#d": 0o700,
		"a/b%20?c#d/loops ü.db": 0o600, "a/b%20?c#d/loops ü.db-wal": 0o600, "a/b%20?c#d/loops ü.db-shm": 0o600,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("modes (-want +got):\n%s", diff)
	}
}

func TestConcurrentOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "loops.db")
	var opening sync.WaitGroup
	for range 12 {
		opening.Go(func() {
			store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err != nil {
				t.Errorf("Open: %v", err)
				return
			}
			if err := store.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
	opening.Wait()
}

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
		}, sqlite.ErrForeign, "choose another data folder"},
		{"another program's database", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "places.db")
			execute(t, path, `CREATE TABLE bookmarks (url TEXT)`)
			return path
		}, sqlite.ErrForeign, "choose another data folder"},
		{"another program's version", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "other.db")
			execute(t, path, `PRAGMA user_version = 1`)
			return path
		}, sqlite.ErrForeign, "choose another data folder"},
		{"a schema too new", func(t *testing.T) string {
			path := written(t, 1)
			execute(t, path, `PRAGMA user_version = 99`)
			return path
		}, storage.ErrTooNew, "update citeloop"},
		{"a store of an earlier build", func(t *testing.T) string {
			path := written(t, 1)
			execute(t, path, `ALTER TABLE citeloop_events RENAME TO events`)
			return path
		}, storage.ErrEarlier, "loops export"},
		{"a file cut short", func(t *testing.T) string {
			path := written(t, 100)
			b := read(t, path)
			write(t, path, b[:len(b)/2/4096*4096])
			return path
		}, storage.ErrDamaged, "backup"},
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
			var before []byte
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				before = read(t, path)
			}
			store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			if err == nil {
				store.Close()
				t.Fatal("Open succeeded")
			}
			if tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("Open: %v, want %v", err, tt.want)
			}
			if !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("Open: %v\nwant the path, and %q", err, tt.says)
			}
			if before != nil && !bytes.Equal(before, read(t, path)) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestBusy(t *testing.T) {
	path := written(t, 1)
	store := open(t, path, sqlite.Options{BusyTimeout: 30 * time.Millisecond})
	holder, err := database(t, path).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	if _, err := holder.ExecContext(t.Context(), `BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	head, event := next("L", 1)
	err = store.Append(t.Context(), head, 1, event)
	if !errors.Is(err, storage.ErrBusy) || !strings.Contains(err.Error(), "end the process that writes to it") {
		t.Errorf("Append while another holds the lock: %v, want ErrBusy", err)
	}
	for _, err := range store.Load(t.Context(), "L", 0) { // reads do not wait for writes
		if err != nil {
			t.Errorf("Load while another holds the lock: %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	patient := open(t, path, sqlite.Options{BusyTimeout: time.Hour})
	waiting := make(chan error, 1)
	go func() { waiting <- patient.Append(ctx, head, 1, event) }()
	cancel()
	if err := <-waiting; !errors.Is(err, context.Canceled) {
		t.Errorf("Append that was cancelled while waiting: %v, want context.Canceled", err)
	}
	must(holder.ExecContext(t.Context(), `ROLLBACK`))(t)
	if err := store.Append(t.Context(), head, 1, event); err != nil {
		t.Errorf("Append after the lock was gone: %v", err)
	}
}

func TestTextAboveTheLimit(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "loops.db"), sqlite.Options{})
	if _, err := store.PutBlob(t.Context(), make([]byte, 64<<20+1)); err == nil {
		t.Error("PutBlob accepted 64 MiB and a byte")
	}
	hash, err := store.PutBlob(t.Context(), make([]byte, 64<<20))
	if err != nil {
		t.Fatalf("PutBlob of 64 MiB: %v", err)
	}
	if text, err := store.Blob(t.Context(), hash); err != nil || len(text) != 64<<20 {
		t.Errorf("Blob of 64 MiB: %d bytes, %v", len(text), err)
	}
}

func TestCloseLeavesNothingRunning(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "loops.db"), sqlite.Options{PollInterval: time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	hints := []<-chan int64{store.Watch(t.Context(), "L"), store.Watch(ctx, "L")}
	noError(t, storetest.AppendMany(t.Context(), store, "L", "w", 3, nil))
	<-hints[0]
	cancel()
	noError(t, store.Close())
	var stacks bytes.Buffer
	noError(t, pprof.Lookup("goroutine").WriteTo(&stacks, 2))
	for stack := range strings.SplitSeq(stacks.String(), "\n\n") {
		if strings.Contains(stack, "loopstate/sqlite.(") {
			t.Errorf("still running after Close:\n%s", stack)
		}
	}
}

// next returns one event after event at.
func next(loop string, at int64) (loopstate.Head, []loopstate.Event) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return loopstate.Head{Loop: loop, Owner: "ada", Seq: at + 1, UpdatedAt: now}, []loopstate.Event{{
		Loop: loop, Seq: at + 1, At: now, Kind: "source_read", Version: 1, Op: fmt.Sprint("op", at+1),
		Data: json.RawMessage(`{"source_id":"S1","title":"` + strings.Repeat("Tea and sleep. ", 30) + `"}`),
	}}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	return must(os.ReadFile(path))(t)
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	noError(t, os.WriteFile(path, b, 0o600))
}
