package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var updatePictures = flag.Bool("update-pictures", false, "record that the pictures of docs/ show the current templates and styles")

// The pictures of docs/ are not older than the templates and styles that they show.
func TestPicturesAreCurrent(t *testing.T) {
	const record = "docs/pictures.sha256"
	var files []string
	for _, pattern := range []string{"internal/web/templates/*.gohtml", "internal/web/static/*.css", "internal/report/page.*", "internal/report/drawing/*.css"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	var lines strings.Builder
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(strings.ReplaceAll(string(content), "\r\n", "\n")))
		fmt.Fprintf(&lines, "%s  %s\n", hex.EncodeToString(sum[:]), filepath.ToSlash(file))
	}
	if *updatePictures {
		if err := os.WriteFile(record, []byte(lines.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	recorded, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(lines.String()) {
		if !strings.Contains(string(recorded), line) {
			_, file, _ := strings.Cut(strings.TrimSpace(line), "  ")
			t.Errorf("%s changed after the pictures in docs/ were taken: run .ci/pictures, look at them, and commit them", file)
		}
	}
}
