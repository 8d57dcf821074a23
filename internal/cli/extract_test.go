package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/console"
)

// Texts of many files are written in the order of their names.
func TestExtractKeepsTheOrder(t *testing.T) {
	dir := t.TempDir()
	for i := range 60 {
		text := fmt.Sprintf("<title>Page %d</title><article><p>%s</p></article>", i,
			strings.Repeat("The keeper wrote down the height of the tide at every hour. ", 4+(i*37)%50))
		put(t, filepath.Join(dir, fmt.Sprintf("%03d.html", i)), text)
	}
	code, out, stderr := ran(t.Context(), nil, "extract", "--format", "jsonl", dir)
	n := 0
	for line := range strings.Lines(out) {
		if want := fmt.Sprintf(`{"id":"%03d"`, n); !strings.HasPrefix(line, want) || !strings.Contains(line, `"status":"read"`) {
			t.Errorf("want %s, got %.120s", want, line)
		}
		n++
	}
	if code != console.ExitOK || n != 60 {
		t.Errorf("exit code %d, %d texts: %s", code, n, stderr)
	}
}
