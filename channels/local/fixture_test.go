package local

import (
	"context"
	"errors"
	"io"
	"log/slog"
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
	w.cfg = Config{
		Folders:  append([]string{w.dir}, folders...),
		Dir:      filepath.Join(t.TempDir(), "index"),
		Edition:  "test",
		Reader:   w,
		Patience: time.Hour, // the test's context ends searches
		Now: func() time.Time {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.now
		},
		Logger: slog.New(slog.DiscardHandler),
	}
	w.restart()
	t.Cleanup(func() { _ = w.corpus.Close() })
	return w
}

// restart simulates a restart of the program.
func (w *world) restart() {
	w.t.Helper()
	if w.corpus != nil {
		if err := w.corpus.Close(); err != nil {
			w.t.Error(err)
		}
	}
	c, err := New(w.cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	w.corpus = c
}

// ReadOpen reads a title, a line, and a text.
func (w *world) ReadOpen(_ context.Context, name string, in io.Reader) (d document.Document, err error) {
	w.reads.Add(1)
	if w.before != nil {
		w.before(name)
	}
	body, err := io.ReadAll(in)
	if err != nil {
		return d, err
	}
	if strings.Contains(string(body), "PANIC") {
		panic("a strange file")
	}
	if strings.Contains(string(body), "BROKEN") {
		return d, errors.New("no text in it")
	}
	title, text, _ := strings.Cut(string(body), "\n")
	return document.Document{Head: document.Head{Title: strings.TrimPrefix(title, "# "), Language: "en"}, Text: text}, nil
}

func (w *world) write(name, body string) {
	w.t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
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
func (w *world) found(query string) []string {
	w.t.Helper()
	w.pass(lookEvery)
	hits, _ := w.search(query)
	var names []string
	for _, h := range hits {
		rel, err := filepath.Rel(w.dir, h.Path)
		if err != nil {
			w.t.Fatal(err)
		}
		names = append(names, filepath.ToSlash(rel))
	}
	return names
}

func (w *world) check(query string, want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(want, w.found(query)); diff != "" {
		w.t.Errorf("search for %q (-want +got)\n%s", query, diff)
	}
}

// index brings a corpus up to date.
func (w *world) index(c *Corpus) Report {
	<-c.start(0)
	w.pass(lookEvery)
	r := c.Report()
	if r.Failed != nil {
		w.t.Error(r.Failed)
	}
	return r
}
