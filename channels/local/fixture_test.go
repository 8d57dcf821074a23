package local

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// world has a folder, a counting reader, and a corpus over them with its index on disk.
type world struct {
	t      *testing.T
	dir    string
	cfg    Config
	corpus *Corpus
	before func(name string) // called with each file that is read
	reads  atomic.Int64
}

func newWorld(t *testing.T, folders ...string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	w.cfg = Config{
		Folders: append([]string{w.dir}, folders...),
		Dir:     filepath.Join(t.TempDir(), "index"),
		Edition: "test",
		Reader:  w,
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
	write(w.t, w.dir, name, body)
}

func write(t testing.TB, dir, name, body string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(body), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// indexed returns the corpus of a folder and the reader of its files.
func indexed(t testing.TB, folder string) (*Corpus, *fetch.Reader) {
	t.Helper()
	reader, err := fetch.New(fetch.Config{Corpus: []string{folder}, Timeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Config{Folders: []string{folder}, Dir: t.TempDir(), Reader: reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(c.Close(), reader.Close()); err != nil {
			t.Error(err)
		}
	})
	if _, r, err := c.Search(t.Context(), "", 0); err != nil || r.Pending != 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	return c, reader
}

// rest forgets when the last scan was: the next search scans again.
func (w *world) rest() {
	w.corpus.mu.Lock()
	defer w.corpus.mu.Unlock()
	w.corpus.ended = time.Time{}
}

func (w *world) search(query string) ([]Hit, Report) {
	w.t.Helper()
	hits, report, err := w.corpus.Search(w.t.Context(), query, 50)
	if err != nil {
		w.t.Fatal(err)
	}
	return hits, report
}

// found scans and searches, and returns the paths of the hits within the folder.
func (w *world) found(query string) []string {
	w.t.Helper()
	w.rest()
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
	r := c.Report()
	if r.Failed != nil {
		w.t.Error(r.Failed)
	}
	return r
}
