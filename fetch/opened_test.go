package fetch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that the user's own client read is read outside of the corpus, too, with the lines of the file, at any length.
func TestReadOpened(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	reader := reader(t)
	put := func(name, text string) string { return write(t, filepath.Join(dir, name), text) }
	const front = "---\nstatus: Final\n---\n\n# Log in\n\nPlease log in to continue.\n"
	for name, want := range map[string]string{"short.md": front, "kep.yaml": "stage: beta\nmilestone: v1.31\n", "main.go": "package main\n\nfunc main() {}\n", "Makefile": "all:\n\tgo build\n"} {
		p := reader.ReadOpened(t.Context(), put(name, want))
		if p.Status != StatusRead || strings.TrimRight(p.Text, "\n") != strings.TrimRight(want, "\n") || p.Title == "" || p.Capture != nil || p.FetchedAt.IsZero() {
			t.Errorf("%s: %s (%s), title %q:\n%s", name, p.Status, p.Reason, p.Title, p.Text)
		}
	}
	link := filepath.Join(dir, "link.md")
	if err := os.Symlink(filepath.Join(dir, "short.md"), link); err != nil {
		t.Skip(err)
	}
	for name, path := range map[string]string{"a link": link, "a folder": dir, "nothing": filepath.Join(dir, "none.md"), "bytes": put("x.bin", "a\x00b"), "a picture": put("x.png", "\x89PNG\r\n\x1a\n"), "empty": put("e.md", " \n")} {
		if p := reader.ReadOpened(t.Context(), path); p.Status == StatusRead || p.Reason == "" {
			t.Errorf("%s: %s (%s)", name, p.Status, p.Reason)
		}
	}
}
