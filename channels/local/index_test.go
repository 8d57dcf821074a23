package local

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// sharing returns another corpus over the same folders and the same index, as another process has it.
func (w *world) sharing(edition string) *Corpus {
	w.t.Helper()
	cfg := w.cfg
	cfg.Edition = edition
	c, err := New(cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = c.Close() })
	return c
}

// Two processes share an index: what one has read the other does not read again, and each sees what the other wrote.
func TestTwoShareAnIndex(t *testing.T) {
	w := newWorld(t)
	for i := range 20 {
		w.write(fmt.Sprintf("%02d.md", i), "# T\nThe heron.")
	}
	other := w.sharing("test")
	other.Index()
	w.index(w.corpus)
	w.index(other)
	reads := w.reads.Load()
	w.write("new.md", "# T\nThe otter.")
	w.index(other)
	w.check("otter", "new.md")
	if n := len(w.found("heron")); n != 20 || w.reads.Load() != reads+1 {
		t.Errorf("%d hits, %d more reads", n, w.reads.Load()-reads)
	}
	if err := os.Remove(filepath.Join(w.dir, "new.md")); err != nil {
		t.Fatal(err)
	}
	w.check("otter")
	if hits, _, err := other.Search(t.Context(), "otter", 5); err != nil || len(hits) > 0 {
		t.Errorf("the other finds a removed file: %v, %v", hits, err)
	}
}

// Damage that a search meets is mended by the next search.
func TestDamageIsMended(t *testing.T) {
	for name, sql := range map[string]string{
		"a text":   `UPDATE documents SET text = x'00'`,
		"a digest": `UPDATE documents SET digest = x'00'`,
		"a head":   `UPDATE documents SET about = '{'`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.write("a.md", "# A\nThe heron.")
			w.check("heron", "a.md")
			if _, err := w.corpus.ix.Exec(sql); err != nil {
				t.Fatal(err)
			}
			if _, _, err := w.corpus.Search(t.Context(), "heron", 5); err == nil {
				t.Fatal("a damaged index answers")
			}
			w.check("heron", "a.md")
		})
	}
}

// A process of another version has an index of its own, and removes that of this one when nobody uses it.
func TestAnotherEdition(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\nThe heron.")
	w.check("heron", "a.md")
	reads := w.reads.Load()
	w.index(w.sharing("newer"))
	w.write("b.md", "# B\nThe otter.")
	if w.check("otter", "b.md"); w.reads.Load() != reads+2 {
		t.Errorf("%d reads", w.reads.Load()-reads)
	}
	if err := w.corpus.Close(); err != nil {
		t.Error(err)
	}
	w.index(w.sharing("newest"))
	if left, err := filepath.Glob(filepath.Join(w.cfg.Dir, "*.db")); err != nil || len(left) != 2 {
		t.Errorf("%v are left (%v), want those of the running editions", left, err)
	}
}

// Look counts what is new and reads nothing.
func TestLook(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "# A\nThe heron.")
	w.check("heron", "a.md")
	w.write("b.md", "# B\nThe heron.")
	reads := w.reads.Load()
	if err := w.corpus.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.corpus.Words(); got != "1 file, 1 more not indexed yet" || w.reads.Load() != reads {
		t.Errorf("%q, %d reads", got, w.reads.Load()-reads)
	}
}
