package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/console"
)

// Texts of many files, packed and not, are written in the order of their names.
func TestExtractKeepsTheOrder(t *testing.T) {
	dir := t.TempDir()
	const sentence = "The keeper wrote down the height of the tide at every hour, as he had been told to by the port. "
	var want []string
	for i := range 60 {
		page := fmt.Sprintf("<title>Page %d</title><article><p>%s</p></article>", i, strings.Repeat(sentence, 3+(i*37)%50))
		name, body := fmt.Sprintf("%03d.html", i), []byte(page)
		if i%2 == 0 {
			var b bytes.Buffer
			zw := gzip.NewWriter(&b)
			if _, err := zw.Write(body); err != nil {
				t.Fatal(err)
			}
			if err := zw.Close(); err != nil {
				t.Fatal(err)
			}
			name, body = name+".gz", b.Bytes()
		}
		put(t, filepath.Join(dir, name), string(body))
		want = append(want, fmt.Sprintf("%03d", i))
	}
	code, out, stderr := ran(t.Context(), nil, "extract", "--format", "jsonl", dir)
	if code != console.ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	var got []string
	for line := range strings.Lines(out) {
		var row struct {
			ID, Title, Text, Status string
			MS                      float64
		}
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if row.Status != "read" || !strings.HasPrefix(row.Text, "The keeper") || row.MS <= 0 {
			t.Errorf("row %+.80v", row)
		}
		got = append(got, row.ID)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("order %v", got)
	}
}
