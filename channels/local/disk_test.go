package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (w *world) indexFiles(suffix string) []string {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.cfg.Dir, "*", "*"+suffix))
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}

// If files of an index are damaged or missing, searches still match the files in the folder.
func TestDamagedIndex(t *testing.T) {
	damage := func(at func(size int) int) func(raw []byte) []byte {
		return func(raw []byte) []byte { raw[at(len(raw))] ^= 1; return raw }
	}
	tests := []struct {
		name, suffix string
		change       func(raw []byte) []byte
		reads        int64 // files that are read again
	}{
		{"nothing", ".segment", func(raw []byte) []byte { return raw }, 0},
		{"end of a segment", ".segment", damage(func(n int) int { return n - 3 }), 3},
		{"tables of a segment", ".segment", damage(func(n int) int { return n - 60 }), 3},
		{"first byte of a segment", ".segment", damage(func(int) int { return 0 }), 3},
		{"half a segment", ".segment", func(raw []byte) []byte { return raw[:len(raw)/2] }, 3},
		{"no segment", ".segment", func([]byte) []byte { return nil }, 3},
		{"head of the manifest", "manifest", damage(func(int) int { return 3 }), 3},
		{"body of the manifest", "manifest", damage(func(n int) int { return n - 5 }), 3},
		{"half a manifest", "manifest", func(raw []byte) []byte { return raw[:len(raw)/2] }, 3},
		{"no manifest", "manifest", func([]byte) []byte { return nil }, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			for i := range 3 {
				w.write(fmt.Sprintf("%d.md", i), "# T\nThe heron stands.")
			}
			w.check("heron", "0.md", "1.md", "2.md")
			if err := w.corpus.Close(); err != nil {
				t.Fatal(err)
			}
			reads := w.reads.Load()
			for _, name := range w.indexFiles(tt.suffix) {
				raw, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if raw = tt.change(raw); raw == nil {
					err = os.Remove(name)
				} else {
					err = os.WriteFile(name, raw, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			w.corpus = nil
			w.restart()
			w.found("heron") // may be the search that detects the damage
			w.check("heron", "0.md", "1.md", "2.md")
			if n := w.reads.Load() - reads; n > tt.reads {
				t.Errorf("%d files were read again, want at most %d", n, tt.reads)
			}
		})
	}
}

func TestNewEditionRebuildsTheIndex(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\nThe heron.")
	w.check("heron", "a.md")
	w.cfg.Edition = "next"
	w.restart()
	w.check("heron", "a.md")
	if n := w.reads.Load(); n != 2 {
		t.Errorf("%d files read, want 2: one for each edition", n)
	}
	if n := len(w.indexFiles(".segment")); n != 1 {
		t.Errorf("%d segments, want that of the new edition alone", n)
	}
}

// Two processes share an index: one writes at a time, and each reads the other's changes.
func TestTwoProcesses(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\nThe heron.")
	w.check("heron", "a.md")
	second, err := New(w.cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	reads := w.reads.Load()
	hits, _, err := second.Search(t.Context(), "heron", 10, nil)
	if err != nil || len(hits) != 1 || w.reads.Load() != reads {
		t.Errorf("%d hits (%v), %d files read", len(hits), err, w.reads.Load()-reads)
	}
	unlock, err := w.corpus.folders[0].disk.lock()
	if err != nil {
		t.Fatal(err)
	}
	w.write("b.md", "# B\nAnother heron.")
	w.pass(lookEvery)
	hits, report, err := second.Search(t.Context(), "heron", 10, nil)
	if err != nil || len(hits) != 1 || !report.Busy {
		t.Errorf("while the other writes: %d hits (%v), report %+v", len(hits), err, report)
	}
	unlock()
	w.check("heron", "a.md", "b.md")
	w.pass(lookEvery)
	if hits, report, err = second.Search(t.Context(), "heron", 10, nil); err != nil || len(hits) != 2 || report.Busy {
		t.Errorf("afterwards: %d hits (%v), report %+v", len(hits), err, report)
	}
}

// The number of segments stays small after many changes, and only the user can read the index files.
func TestSegmentsAreMerged(t *testing.T) {
	w := newWorld(t)
	for i := range 40 {
		w.write(fmt.Sprintf("%02d.md", i), "# T\nThe heron of "+strings.Repeat("x", i))
		if i%10 == 3 {
			w.write("00.md", fmt.Sprintf("# T\nThe heron, for the %d. time", i))
		}
		w.found("heron")
		if n := len(w.indexFiles(".segment")); n > maxSmall+1 {
			t.Fatalf("%d segments after %d changes", n, i+1)
		}
	}
	w.restart()
	if n := len(w.found("heron")); n != 40 {
		t.Errorf("%d hits, want 40", n)
	}
	for i := range 40 {
		if err := os.Remove(filepath.Join(w.dir, fmt.Sprintf("%02d.md", i))); err != nil {
			t.Fatal(err)
		}
	}
	w.check("heron")
	if n := len(w.indexFiles(".segment")); n != 0 {
		t.Errorf("%d segments of nothing", n)
	}
	if left := w.indexFiles("new-*"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// FuzzManifest checks that a manifest is read as written or is an error.
func FuzzManifest(f *testing.F) {
	good, err := manifest{Edition: "e", Folder: "/f", number: 7, Segments: []segmentRecord{{Name: "a.segment", Deleted: []byte{1}, Touched: map[string]int64{"x": 1}}}}.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte("citeloop corpus 1 1 00000000\n{}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := decodeManifest(raw)
		if err != nil {
			return
		}
		for _, s := range m.Segments {
			if strings.ContainsAny(s.Name, `/`) || !strings.HasSuffix(s.Name, segmentSuffix) {
				t.Errorf("segment %q", s.Name)
			}
		}
		again, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeManifest(again); err != nil {
			t.Errorf("written again it is %v", err)
		}
	})
}
