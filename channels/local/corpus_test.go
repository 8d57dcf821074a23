package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

const heron = "# T\nThe heron."

func TestFormatsAndSkippedFiles(t *testing.T) {
	w := newWorld(t)
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "secret.md"), heron)
	for _, name := range []string{"a.md", "deep/er/b.md", "README", "a space & 100%.md", "image.png", ".hidden.md", ".git/c.md",
		"node_modules/d.md"} {
		w.write(name, heron)
	}
	w.write("big.md", heron+strings.Repeat(" heron", maxFileBytes/6))
	w.write("panic.md", "PANIC heron")
	w.write("broken.md", "BROKEN heron")
	for link, target := range map[string]string{
		"out.md": filepath.Join(outside, "secret.md"), "outdir": outside, "loop": w.dir, "in.md": filepath.Join(w.dir, "a.md"),
	} {
		if err := os.Symlink(target, filepath.Join(w.dir, link)); err != nil && runtime.GOOS != "windows" {
			t.Fatal(err)
		}
	}
	want := []string{"README", "a space & 100%.md", "a.md", "deep/er/b.md"}
	w.check("heron", 6, want...)
	w.restart()
	w.check("heron", 0, want...)
	if got, want := w.corpus.Words(), "4 files; left out: links, pipes or devices (4), unreadable (3: big.md (larger than 20 MB), "+
		"broken.md (cannot be read), panic.md (cannot be read)), hidden or node_modules folders (2), hidden files (1), "+
		"images (1)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A search finds what the files have at most a second ago, and reads only what has changed.
func TestIndexFollowsTheFiles(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\nThe heron stands in the water.")
	w.write("b.md", "# B\nThe kestrel hovers.")
	w.check("heron", 2, "a.md")
	w.write("c.md", "# C\nA second heron, and a heron again.")
	if hits, _ := w.search("heron"); len(hits) != 1 {
		t.Errorf("%d hits within the second, want 1", len(hits))
	}
	if err := w.corpus.Look(t.Context()); err != nil || w.corpus.Words() != "2 files, 1 more not indexed yet" {
		t.Errorf("a look says %q, %v", w.corpus.Words(), err)
	}
	w.check("heron", 1, "c.md", "a.md")
	w.write("a.md", "# A\nThe owl sleeps in the barn, and sleeps.")
	w.check("heron", 1, "c.md")
	w.check("owl", 0, "a.md")
	w.remove("c.md")
	w.check("heron", 0)
	touched := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(w.dir, "b.md"), touched, touched); err != nil {
		t.Fatal(err)
	}
	w.check("kestrel", 0, "b.md")
	w.restart()
	w.check("owl", 0, "a.md")
}

func TestHitHasTheBestPassage(t *testing.T) {
	w := newWorld(t)
	var long strings.Builder
	for i := range 200 {
		fmt.Fprintf(&long, "Paragraph %d speaks of the heron at some length, and of water.\n\n", i)
	}
	w.write("long.md", "# Long\n"+long.String()+"The heron's nest is a heron's own: heron heron.\n")
	w.write("short.md", "\nOne more heron.")
	hits, _ := w.search("heron nest")
	if len(hits) != 2 || hits[0].Title != "Long" || !strings.Contains(hits[0].Passage, "nest") || hits[1].Title != "short.md" {
		t.Errorf("hits %+v", hits)
	}
}

// The index of a folder that is missing for a while, such as an unmounted disk, is kept but not searched, and its documents take no
// places of others.
func TestMissingAndNestedFolders(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	w := newWorld(t, gone)
	w.write("sub/a.md", "# A\nA long text about something else, which names the heron once and then goes on about the tides.")
	w.write(".own/b.md", heron)
	for i := range 2 * maxCandidates {
		writeFile(t, filepath.Join(gone, fmt.Sprintf("%03d.md", i)), "# Heron\nThe heron.")
	}
	if n := len(w.found("heron")); n != 50 {
		t.Fatalf("%d hits", n)
	}
	if err := os.Rename(gone, gone+".away"); err != nil {
		t.Fatal(err)
	}
	w.check("heron", 0, "sub/a.md")
	if r := w.corpus.Report(); r.Files != 1 || len(r.Missing) != 1 || !strings.HasPrefix(w.corpus.Words(), "1 file;") {
		t.Errorf("%+v, %s", r, w.corpus.Words())
	}
	if err := os.Rename(gone+".away", gone); err != nil {
		t.Fatal(err)
	}
	before := w.reads.Load()
	if n := len(w.found("heron")); n != 50 || w.reads.Load() != before {
		t.Errorf("after it came back: %d hits, %d reads", n, w.reads.Load()-before)
	}
	cfg := w.cfg
	cfg.Folders = []string{w.dir, filepath.Join(w.dir, "sub"), w.dir, filepath.Join(w.dir, ".own")}
	hits, _, err := w.open(cfg).Search(t.Context(), "heron", 10)
	if err != nil || len(hits) != 2 {
		t.Errorf("%d hits in nested folders (%v), want 2: the hidden one was named", len(hits), err)
	}
}

// A search waits no longer than its context allows. The files read until then stay indexed.
func TestIndexingResumes(t *testing.T) {
	w := newWorld(t)
	w.writeAll(40, heron)
	ctx, cancel := context.WithCancel(t.Context())
	held := make(chan struct{})
	w.before = func(string) {
		if w.reads.Load() > 10 {
			cancel()
			<-held
		}
	}
	hits, report, err := w.corpus.Search(ctx, "heron", 50)
	if !errors.Is(err, context.Canceled) || len(hits) != 0 || report.Pending != 40 || report.Files != 40 {
		t.Errorf("%d hits (%v), report %+v", len(hits), err, report)
	}
	close(held)
	if hits, report = w.search("heron"); len(hits) != 40 || report.Pending != 0 || w.reads.Load() != 40 {
		t.Errorf("afterwards %d hits, %d files read, report %+v", len(hits), w.reads.Load(), report)
	}
}

// A partial index answers from the files that it has and reports their number. While most files are not indexed, a search waits for
// them as long as it may, even with a short patience.
func TestPartialIndex(t *testing.T) {
	w := newWorld(t)
	w.writeAll(30, heron)
	w.cfg.Patience = time.Nanosecond
	w.restart()
	held, reached := make(chan struct{}), make(chan struct{}, 100)
	w.before = func(string) {
		if w.pass(commitEvery); w.reads.Load() > 20 { // each file takes one commit interval
			reached <- struct{}{}
			<-held
		}
	}
	w.corpus.Index()
	<-reached
	hurried, cancel := context.WithCancel(t.Context())
	cancel()
	hits, report, err := w.corpus.Search(hurried, "heron", 100)
	if err != nil || report.Files != 30 || report.Pending == 0 || report.Pending == 30 || len(hits) < report.Files-report.Pending ||
		len(hits) == 30 || report.MostlyIndexed() {
		t.Errorf("%d hits, %v, report %+v", len(hits), err, report)
	}
	time.AfterFunc(10*time.Millisecond, func() { close(held) })
	if hits, report := w.search("heron"); len(hits) != 30 || report.Pending != 0 {
		t.Errorf("a patient search: %d hits, %+v", len(hits), report)
	}
}

func TestParallelSearchesWhileFilesChange(t *testing.T) {
	w := newWorld(t)
	w.writeAll(20, heron)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				w.pass(lookEvery)
				if _, _, err := w.corpus.Search(t.Context(), "heron", 30); err != nil {
					t.Error(err)
				}
			}
		})
	}
	w.writeAll(20, "# T\nThe heron and its many other herons.")
	all.Wait()
	if n := len(w.found(`heron "other herons"`)); n != 20 {
		t.Errorf("%d hits, want 20", n)
	}
}

// Two processes share an index: what one has read the other does not read again, and each sees what the other wrote.
func TestTwoShareAnIndex(t *testing.T) {
	w := newWorld(t)
	w.writeAll(20, heron)
	other := w.open(w.cfg)
	other.Index()
	if n := len(w.found("heron")); n != 20 {
		t.Errorf("%d hits", n)
	}
	<-other.start(0)
	w.write("new.md", "# T\nThe otter.")
	<-other.start(0)
	w.check("otter", 0, "new.md")
	w.remove("new.md")
	w.check("otter", 0)
	w.pass(lookEvery)
	if hits, _, err := other.Search(t.Context(), "otter", 5); err != nil || len(hits) > 0 {
		t.Errorf("the other finds a removed file: %v, %v", hits, err)
	}
}

// Damage that a search meets is mended by the next search.
func TestDamageIsMended(t *testing.T) {
	for _, column := range []string{"text", "digest", "about"} {
		w := newWorld(t)
		w.write("a.md", heron)
		w.check("heron", 1, "a.md")
		if _, err := w.corpus.ix.Exec(`UPDATE documents SET ` + column + ` = '{'`); err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.corpus.Search(t.Context(), "heron", 5); err == nil {
			t.Fatalf("an index with a damaged %s answers", column)
		}
		w.check("heron", 1, "a.md")
	}
}

// A process of another edition has an index of its own, in place of the earlier one. One that nobody opens is removed.
func TestIndexFiles(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", heron)
	w.check("heron", 1, "a.md")
	writeFile(t, filepath.Join(w.cfg.Dir, "notes.txt"), "mine")
	w.cfg.Edition = "newer"
	w.restart()
	w.check("heron", 1, "a.md")
	if err := w.corpus.Close(); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct {
		age  time.Duration
		want int
	}{{time.Hour, 2}, {keepUnused + time.Hour, 1}} {
		err := Sweep(w.cfg.Dir, time.Now().Add(tt.age))
		if files, _ := filepath.Glob(filepath.Join(w.cfg.Dir, "*")); len(files) != tt.want || err != nil {
			t.Errorf("after %s: %v, %v", tt.age, files, err)
		}
	}
}
