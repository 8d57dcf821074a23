package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The messages and states in docs/troubleshooting.md exist in the program.
func TestTroubleshootingQuotesTheProgram(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "troubleshooting.md"))
	if err != nil {
		t.Fatal(err)
	}
	var quoted []string
	for _, m := range regexp.MustCompile("(?m)^(?:## |\\| )`([^`]+)`").FindAllStringSubmatch(string(doc), -1) {
		quoted = append(quoted, m[1])
	}
	if len(quoted) < 12 {
		t.Fatalf("only %d messages found: %q", len(quoted), quoted)
	}
	var sources strings.Builder
	err = filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		sources.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range quoted {
		if !strings.Contains(sources.String(), q) {
			t.Errorf("the program has no message %q", q)
		}
	}
}
