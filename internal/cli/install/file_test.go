package install_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/cli/install"
)

var now = time.Date(2026, 11, 21, 10, 11, 12, 0, time.UTC)

func read(t *testing.T, path string) install.File {
	t.Helper()
	f, err := install.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func check(t *testing.T, path, want string, mode os.FileMode) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != want || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
		t.Errorf("%s holds %q with mode %o, want %q with %o", filepath.Base(path), text, info.Mode().Perm(), want, mode)
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func TestWriteNewFile(t *testing.T) {
	for private, mode := range map[bool]os.FileMode{true: 0o600, false: 0o644} {
		path := filepath.Join(t.TempDir(), "a", "b", "mcp.json")
		f := read(t, path)
		if backup, err := f.Write([]byte("new"), private, now); err != nil || backup != "" || f.Exists {
			t.Fatalf("Write: backup %q, %v", backup, err)
		}
		check(t, path, "new", mode)
		if got := names(t, filepath.Dir(path)); got != "mcp.json" {
			t.Errorf("the folder holds %s", got)
		}
	}
}

func TestWriteKeepsModeAndBackups(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mcp.json")
	put(t, path, "one", 0o640)
	for i, text := range []string{"two", "three", "four"} {
		f := read(t, path)
		backup, err := f.Write([]byte(text), true, now.AddDate(0, 0, i/2))
		want := f.Path + []string{".2026-11-21.bak", ".2026-11-21.bak", ".2026-11-22.bak"}[i]
		if err != nil || backup != want {
			t.Fatalf("Write: backup %q, %v, want %q", backup, err, want)
		}
		check(t, backup, []string{"one", "one", "three"}[i], 0o640)
	}
	check(t, path, "four", 0o640)
}

func TestWriteFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	path, target := filepath.Join(dir, "mcp.json"), filepath.Join(dir, "real.json")
	put(t, target, "one", 0o600)
	if err := os.Symlink("real.json", path); err != nil {
		t.Skip("no links here:", err)
	}
	f := read(t, path)
	if _, err := f.Write([]byte("two"), true, now); err != nil {
		t.Fatal(err)
	}
	check(t, target, "two", 0o600)
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if err := os.Remove(target); err != nil {
		t.Fatal(err)
	}
	if _, err := install.Read(path); err == nil || !strings.Contains(err.Error(), "symbolic link to a missing file") {
		t.Errorf("Read of a link to nothing: %v", err)
	}
}

// The running client writes its file between our Read and Write.
func TestWriteDetectsConcurrentChanges(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "mcp.json")
	put(t, path, "one", 0o600)
	f := read(t, path)
	put(t, path, "theirs", 0o600)
	if _, err := f.Write([]byte("ours"), true, now); err == nil || !strings.Contains(err.Error(), "was changed by another program meanwhile; nothing was written") {
		t.Errorf("Write: %v, want a word about the other program", err)
	}
	check(t, path, "theirs", 0o600)

	fresh := filepath.Join(dir, "fresh.json")
	f = read(t, fresh)
	put(t, fresh, "theirs", 0o600)
	if _, err := f.Write([]byte("ours"), true, now); err == nil {
		t.Error("Write over a file that was not there before: no error")
	}
	check(t, fresh, "theirs", 0o600)
	if got := names(t, dir); got != "fresh.json mcp.json" {
		t.Errorf("the folder holds %s", got)
	}
}

func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := install.Read(dir); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("Read of a folder: %v", err)
	}
	big := filepath.Join(dir, "big")
	put(t, big, "", 0o600)
	if err := os.Truncate(big, 65<<20); err != nil {
		t.Fatal(err)
	}
	if _, err := install.Read(big); err == nil || !strings.Contains(err.Error(), "more than 64 MB") {
		t.Errorf("Read of 65 MB: %v", err)
	}
}
