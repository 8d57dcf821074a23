package local

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The index of a missing folder is kept for 30 days after its folder was last seen, then removed; others stay.
func TestSweepOfMissingFolders(t *testing.T) {
	base := t.TempDir()
	store, folder, other := filepath.Join(base, "store"), filepath.Join(base, "papers"), filepath.Join(base, "mail")
	for dir, of := range map[string]string{"a": folder, "b": other, "c": ""} {
		disk := indexDir{filepath.Join(store, dir)}
		if err := os.MkdirAll(disk.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if of != "" {
			if err := disk.save(manifest{Folder: of, number: 1}); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(of, 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	sweep := func(look bool) []Gone {
		t.Helper()
		kept, err := Sweep(store, now, look)
		if err != nil {
			t.Fatal(err)
		}
		return kept
	}
	there := func(dir string) bool { _, err := os.Stat(filepath.Join(store, dir)); return err == nil }
	if kept := sweep(false); len(kept) != 0 {
		t.Errorf("all folders are there: %+v", kept)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	now = now.AddDate(0, 0, 29)
	if kept := sweep(false); len(kept) != 1 || kept[0].Folder != folder || kept[0].Bytes == 0 || kept[0].Until.Format(time.DateOnly) != "2026-03-31" || !there("a") {
		t.Errorf("after 29 days: %+v", kept)
	}
	now = now.AddDate(0, 0, 2)
	if kept := sweep(true); len(kept) != 1 || !there("a") {
		t.Errorf("a look after 31 days removes nothing: %+v", kept)
	}
	if kept := sweep(false); len(kept) != 0 || there("a") || !there("b") || !there("c") {
		t.Errorf("after 31 days: %+v, a %v, b %v, c %v", kept, there("a"), there("b"), there("c"))
	}
}
