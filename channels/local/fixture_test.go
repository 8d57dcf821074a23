package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// world has a folder, a clock, a counting reader, and a corpus over them with its index on disk.
type world struct {
	t      *testing.T
	dir    string
	cfg    Config
	corpus *Corpus
	before func(name string) // called with each file that is read

	mu    sync.Mutex
	now   time.Time
	reads atomic.Int64
}

func newWorld(t *testing.T, folders ...string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	w.cfg = Config{Folders: append([]string{w.dir}, folders...), Dir: filepath.Join(t.TempDir(), "index"), Edition: "test", Reader: w,
		Patience: time.Hour, // the test's context ends searches
		Now:      func() time.Time { return w.pass(0) }}
	w.corpus = w.open(w.cfg)
	return w
}

// open opens a corpus, such as another process does.
func (w *world) open(cfg Config) *Corpus {
	w.t.Helper()
	c, err := New(cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = c.Close() })
	return c
}

// restart simulates a restart of the program.
func (w *world) restart() {
	w.t.Helper()
	if err := w.corpus.Close(); err != nil {
		w.t.Error(err)
	}
	w.corpus = w.open(w.cfg)
}

// EachDocument reads a title, a line, and a text.
func (w *world) EachDocument(_ context.Context, name string, in io.Reader, yield func(string, document.Document) error) error {
	w.reads.Add(1)
	if w.before != nil {
		w.before(name)
	}
	body, err := io.ReadAll(in)
	switch {
	case err != nil:
		return err
	case strings.Contains(string(body), "PANIC"):
		panic("a strange file")
	case strings.Contains(string(body), "BROKEN"):
		return errors.New("no text in it")
	}
	title, text, _ := strings.Cut(string(body), "\n")
	return yield("", document.Document{Head: document.Head{Title: strings.TrimPrefix(title, "# "), Language: "en"}, Text: text})
}

func (w *world) write(name, body string) { writeFile(w.t, filepath.Join(w.dir, name), body) }

// writeAll writes n files.
func (w *world) writeAll(n int, body string) {
	for i := range n {
		w.write(fmt.Sprintf("%02d.md", i), body)
	}
}

func writeFile(t testing.TB, name, body string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(body), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func (w *world) remove(name string) {
	if err := os.Remove(filepath.Join(w.dir, name)); err != nil {
		w.t.Error(err)
	}
}

func (w *world) pass(d time.Duration) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
	return w.now
}

func (w *world) search(query string) ([]Hit, Report) {
	w.t.Helper()
	hits, report, err := w.corpus.Search(w.t.Context(), query, 50)
	if err != nil {
		w.t.Fatal(err)
	}
	return hits, report
}

// found searches a second later and returns the paths of the hits within the folder.
func (w *world) found(query string) (names []string) {
	w.t.Helper()
	w.pass(lookEvery)
	hits, _ := w.search(query)
	for _, h := range hits {
		rel, err := filepath.Rel(w.dir, h.Path)
		if err != nil {
			w.t.Fatal(err)
		}
		names = append(names, filepath.ToSlash(rel))
	}
	return names
}

// check searches and compares the hits, and how many files were read for it.
func (w *world) check(query string, reads int64, want ...string) {
	w.t.Helper()
	before := w.reads.Load()
	if diff := cmp.Diff(want, w.found(query)); diff != "" {
		w.t.Errorf("search for %q (-want +got)\n%s", query, diff)
	}
	if n := w.reads.Load() - before; n != reads {
		w.t.Errorf("search for %q: %d files were read, want %d", query, n, reads)
	}
}
