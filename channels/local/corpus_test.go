package local

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
)

func TestFormatsAndSkippedFiles(t *testing.T) {
	w := newWorld(t)
	text := "# Title\nThe heron stands in the water."
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w.write("a.md", text)
	w.write("deep/er/b.md", text)
	w.write("README", text)
	w.write("a space & 100%.md", text)
	w.write("image.png", text)
	w.write(".hidden.md", text)
	w.write(".git/c.md", text)
	w.write("node_modules/d.md", text)
	w.write("big.md", text+strings.Repeat(" heron", maxFileBytes/6))
	w.write("panic.md", "PANIC heron")
	w.write("broken.md", "BROKEN heron")
	for link, target := range map[string]string{
		"out.md": filepath.Join(outside, "secret.md"), "outdir": outside, "loop": w.dir, "in.md": filepath.Join(w.dir, "a.md"),
	} {
		if err := os.Symlink(target, filepath.Join(w.dir, link)); err != nil && runtime.GOOS != "windows" {
			t.Fatal(err)
		}
	}
	w.check("heron", "README", "a space & 100%.md", "a.md", "deep/er/b.md")
	_, got := w.search("heron")
	want := Report{Files: 7, Looked: true, Unread: []string{"big.md (larger than 20 MB)", "broken.md (cannot be read)",
		"panic.md (cannot be read)"}, searched: 4, left: map[string]int{"links, pipes or devices": 4,
		"hidden or node_modules folders": 2, "images": 1, "hidden files": 1}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Report{})); diff != "" {
		t.Errorf("report (-want +got)\n%s", diff)
	}
	reads := w.reads.Load()
	w.restart()
	w.check("heron", "README", "a space & 100%.md", "a.md", "deep/er/b.md")
	if _, got = w.search("heron"); len(got.Unread) != 3 || w.reads.Load() != reads {
		t.Errorf("after a restart %d files were read, problems %v", w.reads.Load()-reads, got.Unread)
	}
}

// A file that is replaced by a link after the walk is not followed out of the folder.
func TestFileReplacedByALink(t *testing.T) {
	dir, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(secret, []byte("# S\nheron"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "a.md")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	for _, rel := range []string{"a.md", "../" + filepath.Base(filepath.Dir(secret)) + "/secret.md", secret} {
		if f, err := fetch.OpenInside(dir, rel); err == nil {
			_ = f.Close()
			t.Errorf("%s was opened", rel)
		}
	}
}

func TestIndexFollowsTheFiles(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\nThe heron stands in the water.")
	w.write("b.md", "# B\nThe kestrel hovers.")
	w.check("heron", "a.md")

	w.write("c.md", "# C\nA second heron, and a heron again.")
	w.check("heron", "c.md", "a.md")

	w.write("a.md", "# A\nThe owl sleeps in the barn, and sleeps.")
	w.check("heron", "c.md")
	w.check("owl", "a.md")

	if err := os.Remove(filepath.Join(w.dir, "c.md")); err != nil {
		t.Fatal(err)
	}
	w.check("heron")

	reads := w.reads.Load()
	touched := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(w.dir, "b.md"), touched, touched); err != nil {
		t.Fatal(err)
	}
	w.check("kestrel", "b.md")
	w.restart()
	w.check("kestrel", "b.md")
	w.check("owl", "a.md")
	if n := w.reads.Load() - reads; n != 0 {
		t.Errorf("a file that was only touched was read again %d times", n)
	}
}

// A part of a longer word finds it, where no text has it as a word: a character, or the beginning of a word.
func TestPartsOfWords(t *testing.T) {
	w := newWorld(t)
	w.write("bureau.md", "# 東京\n東京都水道局的系统。")
	w.write("weir.md", "# 川\nこれは古い堰。")
	w.write("one.md", "# 川\n水 堰 水")
	w.write("mill.md", "# M\nThe millwright mends it.")
	w.check("局", "bureau.md")
	w.check("堰", "one.md", "weir.md")
	w.check("millw", "mill.md")
}

// A document with a word related to that of a question stands before one without, and one with a date as it is written before those
// with its parts.
func TestRelatedWordsAndDates(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\nThe lamp burns whale oil.")
	w.write("b.md", "# B\nThe maximum of a lamp.")
	w.write("c.md", "# C\nIt was opened on 2021-03-12. "+strings.Repeat("The keeper wrote of the weather and of boats. ", 9))
	w.write("d.md", "# D\n12 errors of 2021, 03.")
	w.write("e.md", "# E\nOpened since 12 March 2021 for all who came. "+strings.Repeat("The keeper wrote of boats. ", 9))
	w.write("f.md", "# F\nMarch is cold. 12 of us.")
	w.write("g.md", "# G\nRuns on .NET. "+strings.Repeat("The keeper wrote of boats. ", 9))
	w.write("h.md", "# H\nA net, a net.")
	w.check("how big is a lamp", "b.md", "a.md")
	for query, want := range map[string]string{"2021-03-12": "c.md", "12 March 2021": "e.md", "opened 2021-03-12?": "c.md",
		".NET": "g.md"} {
		if got := w.found(query); len(got) < 2 || got[0] != want {
			t.Errorf("%q finds %v, want %s first", query, got, want)
		}
	}
}

func TestScansAreAtLeastASecondApart(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\nThe heron.")
	w.check("heron", "a.md")
	w.write("b.md", "# B\nAnother heron.")
	if hits, _ := w.search("heron"); len(hits) != 1 {
		t.Errorf("%d hits within the second, want 1", len(hits))
	}
	if n := len(w.found("heron")); n != 2 {
		t.Errorf("%d hits after it, want 2", n)
	}
}

func TestHitHasTheBestPassage(t *testing.T) {
	w := newWorld(t)
	var long strings.Builder
	long.WriteString("# Long\n")
	for i := range 200 {
		fmt.Fprintf(&long, "Paragraph %d speaks of the heron at some length, and of water.\n\n", i)
	}
	long.WriteString("The heron's nest is a heron's own: heron heron.\n")
	w.write("long.md", long.String())
	w.write("short.md", "\nOne more heron.")
	hits, _ := w.search("heron nest")
	if len(hits) != 2 || hits[0].Title != "Long" || !strings.Contains(hits[0].Passage, "nest") || hits[1].Title != "short.md" {
		t.Errorf("hits %+v", hits)
	}
}

// If the title matches best, the passage has the heading and the text below it.
func TestPassageIncludesTextBelowTheTitle(t *testing.T) {
	w := newWorld(t)
	w.write("mill.md", "# Tidal mills\n# Tidal mills\n\nThe wheel of a mill turns with the tide. Most tidal mills stood still by 1900.\n")
	w.write("bare.md", "# Tidal gates\n# Tidal gates\n")
	got := map[string]string{}
	hits, _ := w.search("tidal")
	for _, h := range hits {
		got[h.Title] = h.Passage
	}
	want := map[string]string{"Tidal mills": "# Tidal mills\n\nThe wheel of a mill turns with the tide. Most tidal mills stood still " +
		"by 1900.", "Tidal gates": "# Tidal gates"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMissingAndNestedFolders(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	w := newWorld(t, gone)
	w.write("sub/a.md", "# A\nThe heron.")
	w.write(".own/b.md", "# B\nThe heron.")
	cfg := w.cfg
	cfg.Folders = []string{w.dir, filepath.Join(w.dir, "sub"), w.dir, filepath.Join(w.dir, ".own")}
	nested, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer nested.Close()
	hits, _, err := nested.Search(t.Context(), "heron", 10)
	if err != nil || len(hits) != 2 {
		t.Errorf("%d hits in nested folders (%v), want 2: the hidden one was named", len(hits), err)
	}
	w.check("heron", "sub/a.md")
	if diff := cmp.Diff([]string{gone}, w.corpus.Report().Missing); diff != "" {
		t.Errorf("missing (-want +got)\n%s", diff)
	}
	if err := os.RemoveAll(w.dir); err != nil {
		t.Fatal(err)
	}
	w.check("heron")
	if w.corpus.Words() != "" {
		t.Errorf("with no folder left: %q", w.corpus.Words())
	}
}

// A search waits no longer than its context allows. The files read until then are found, and stay indexed.
func TestIndexingResumes(t *testing.T) {
	w := newWorld(t)
	for i := range 40 {
		w.write(fmt.Sprintf("%02d.md", i), "# T\nThe heron.")
	}
	ctx, cancel := context.WithCancel(t.Context())
	held := make(chan struct{})
	w.before = func(string) {
		if w.reads.Load() > 10 {
			cancel()
			<-held
		}
	}
	hits, report, err := w.corpus.Search(ctx, "heron", 50)
	if err != nil || len(hits) == 0 || len(hits)+report.Pending < 40 || report.Files != 40 {
		t.Errorf("%d hits (%v), report %+v", len(hits), err, report)
	}
	close(held)
	if hits, report = w.search("heron"); len(hits) != 40 || report.Pending != 0 {
		t.Errorf("afterwards %d hits, report %+v", len(hits), report)
	}
	if n := w.reads.Load(); n != 40 {
		t.Errorf("%d files read, want 40", n)
	}
}

// A partial index answers from the files that it has and reports their number.
func TestPartialIndex(t *testing.T) {
	w := newWorld(t)
	for i := range 30 {
		w.write(fmt.Sprintf("%02d.md", i), "# T\nThe heron.")
	}
	held, reached := make(chan struct{}), make(chan struct{}, 100)
	w.before = func(string) {
		if w.reads.Load() > 20 {
			reached <- struct{}{}
			<-held
		}
	}
	w.corpus.start(0)
	<-reached
	hurried, cancel := context.WithCancel(t.Context())
	cancel()
	hits, report, err := w.corpus.Search(hurried, "heron", 100)
	if err != nil {
		t.Fatal(err)
	}
	if report.Files != 30 || report.Pending == 0 || report.Pending == 30 || len(hits) < report.Files-report.Pending || len(hits) == 30 {
		t.Errorf("%d hits, report %+v", len(hits), report)
	}
	close(held)
	if r := w.index(w.corpus); r.Pending != 0 || r.Files != 30 {
		t.Errorf("%+v", r)
	}
}

func TestParallelSearchesWhileFilesChange(t *testing.T) {
	w := newWorld(t)
	for i := range 20 {
		w.write(fmt.Sprintf("%d.md", i), "# T\nThe heron.")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 5 {
				w.rest()
				if _, _, err := w.corpus.Search(t.Context(), "heron", 30); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 20 {
		w.write(fmt.Sprintf("%d.md", i), "# T\nThe heron and its many other herons.")
	}
	all.Wait()
	if n := len(w.found(`heron "other herons"`)); n != 20 {
		t.Errorf("%d hits, want 20", n)
	}
}
