package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// world is a folder, a clock and an index over it whose extraction counts.
type world struct {
	t     *testing.T
	dir   string
	index *Index

	mu    sync.Mutex
	now   time.Time
	reads atomic.Int64
}

func newWorld(t *testing.T, folders ...string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	index, err := New(Config{
		Folders: append([]string{w.dir}, folders...),
		Reads:   func(name string) bool { return strings.HasSuffix(name, ".md") || name == "README" },
		Extract: func(path string, body []byte) (Document, error) {
			w.reads.Add(1)
			if strings.Contains(string(body), "PANIC") {
				panic("a strange file")
			}
			if strings.Contains(string(body), "BROKEN") {
				return Document{}, errors.New("no text in it")
			}
			title, text, _ := strings.Cut(string(body), "\n")
			return Document{Title: strings.TrimPrefix(title, "# "), Text: text, Language: "en"}, nil
		},
		Now: func() time.Time {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.now
		},
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.index = index
	return w
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

// found searches a second later and returns the names of the hits, relative to the folder.
func (w *world) found(query string) []string {
	w.t.Helper()
	w.mu.Lock()
	w.now = w.now.Add(lookEvery)
	w.mu.Unlock()
	hits, _, err := w.index.Search(w.t.Context(), query, 10)
	if err != nil {
		w.t.Fatal(err)
	}
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

func TestWhatIsRead(t *testing.T) {
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
	_, report, err := w.index.Search(t.Context(), "heron", 10)
	if err != nil {
		t.Fatal(err)
	}
	want := Report{Folders: 1, Files: 4, Unread: 3, Problems: []Problem{
		{filepath.Join(w.dir, "big.md"), "larger than 10 MB"},
		{filepath.Join(w.dir, "broken.md"), "cannot be read"},
		{filepath.Join(w.dir, "panic.md"), "cannot be read"},
	}}
	if diff := cmp.Diff(want, report); diff != "" {
		t.Errorf("report (-want +got)\n%s", diff)
	}
}

// A link that takes a file's place after the walk does not lead out of the folder either.
func TestLinkPutInPlaceOfAFile(t *testing.T) {
	w := newWorld(t)
	secret := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(secret, []byte("# S\nheron"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(w.dir, "a.md")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if body, err := readFile(seen{folder: w.dir, rel: "a.md"}); err == nil {
		t.Errorf("read %q", body)
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
	if n := w.reads.Load() - reads; n != 0 {
		t.Errorf("a file that was only touched was read again %d times", n)
	}
}

func TestFoldersAreLookedAtOnceASecond(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\nThe heron.")
	w.check("heron", "a.md")
	w.write("b.md", "# B\nAnother heron.")
	hits, _, err := w.index.Search(t.Context(), "heron", 10)
	if err != nil || len(hits) != 1 {
		t.Errorf("%d hits within the second (%v), want 1", len(hits), err)
	}
	if n := len(w.found("heron")); n != 2 {
		t.Errorf("%d hits after it, want 2", n)
	}
}

func TestOneHitAFileWithItsBestPassage(t *testing.T) {
	w := newWorld(t)
	var long strings.Builder
	long.WriteString("# Long\n")
	for i := range 200 {
		fmt.Fprintf(&long, "Paragraph %d speaks of the heron at some length, and of water.\n\n", i)
	}
	long.WriteString("The heron's nest is a heron's own: heron heron.\n")
	w.write("long.md", long.String())
	w.write("short.md", "\nOne more heron.")
	hits, _, err := w.index.Search(t.Context(), "heron nest", 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(hits) != 2 || hits[0].Title != "Long" || !strings.Contains(hits[0].Passage, "nest") || hits[1].Title != "short.md" {
		t.Errorf("hits %+v", hits)
	}
}

func TestMissingFolderAndFolderInAFolder(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	w := newWorld(t, gone)
	w.write("sub/a.md", "# A\nThe heron.")
	nested, err := New(Config{Folders: []string{w.dir, filepath.Join(w.dir, "sub"), w.dir}, Reads: w.index.cfg.Reads, Extract: w.index.cfg.Extract, Now: w.index.cfg.Now, Logger: w.index.cfg.Logger})
	if err != nil {
		t.Fatal(err)
	}
	hits, _, err := nested.Search(t.Context(), "heron", 10)
	if err != nil || len(hits) != 1 {
		t.Errorf("%d hits in nested folders (%v), want 1", len(hits), err)
	}
	w.check("heron", "sub/a.md")
	if diff := cmp.Diff([]string{gone}, w.index.report().Missing); diff != "" {
		t.Errorf("missing (-want +got)\n%s", diff)
	}
}

// A first build that does not fit in the time goes on with the next search, and nothing is read twice.
func TestBuildGoesOnWhereItStopped(t *testing.T) {
	w := newWorld(t)
	for i := range 40 {
		w.write(fmt.Sprintf("%02d.md", i), "# T\nThe heron.")
	}
	ctx, cancel := context.WithCancel(t.Context())
	read := w.index.cfg.Extract
	w.index.cfg.Extract = func(path string, body []byte) (Document, error) {
		if w.reads.Load() == 10 {
			cancel()
		}
		return read(path, body)
	}
	hits, report, err := w.index.Search(ctx, "heron", 50)
	if err != nil {
		t.Fatal(err)
	}
	if report.Pending == 0 || report.Pending >= 40 || len(hits) != report.Files {
		t.Errorf("%d hits, report %+v", len(hits), report)
	}
	if hits, report, err = w.index.Search(t.Context(), "heron", 50); err != nil || len(hits) != 40 || report.Pending != 0 {
		t.Errorf("afterwards %d hits (%v), report %+v", len(hits), err, report)
	}
	if n := w.reads.Load(); n != 40 {
		t.Errorf("%d files read, want 40", n)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	empty := newWorld(t)
	empty.write("a.md", "# A\nheron")
	if _, _, err := empty.index.Search(ended, "heron", 10); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing searched, error %v", err)
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
				w.mu.Lock()
				w.now = w.now.Add(lookEvery)
				w.mu.Unlock()
				if _, _, err := w.index.Search(t.Context(), "heron", 30); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 20 {
		w.write(fmt.Sprintf("%d.md", i), "# T\nThe heron and its many other herons.")
	}
	all.Wait()
	if n := len(w.found("heron")); n != 10 {
		t.Errorf("%d hits, want 10", n)
	}
}

func TestFileURL(t *testing.T) {
	tests := []struct{ name, path, want string }{
		{"plain", "/home/x/a.md", "file:///home/x/a.md"},
		{"to escape", "/home/x y/100%/#1?.md", "file:///home/x%20y/100%25/%231%3F.md"},
		{"not ASCII", "/home/é/潮.md", "file:///home/%C3%A9/%E6%BD%AE.md"},
		{"backslash in a name", `/a\b.md`, "file:///a%5Cb.md"},
		{"Windows", "C:/Users/x y/a.md", "file:///C:/Users/x%20y/a.md"},
		{"Windows share", "//server/share/a b.md", "file://server/share/a%20b.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fileURL(tt.path); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// A title that answers a query best is shown as the title; the passage says something more.
func TestPassageIsMoreThanTheTitle(t *testing.T) {
	w := newWorld(t)
	w.write("mill.md", "# Tidal mills\n# Tidal mills\n\nThe wheel of a mill turns with the tide. Most tidal mills stood still by 1900.\n")
	w.write("bare.md", "# Tidal gates\n# Tidal gates\n")
	got := map[string]string{}
	hits, _, err := w.index.Search(t.Context(), "tidal", 5)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		got[h.Title] = h.Passage
	}
	want := map[string]string{"Tidal mills": "The wheel of a mill turns with the tide. Most tidal mills stood still by 1900.", "Tidal gates": "# Tidal gates"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
