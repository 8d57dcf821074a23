package sanitize

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestOrdinaryPages measures how many ordinary pages are flagged. They are third-party texts in a folder outside the
// repository.
func TestOrdinaryPages(t *testing.T) {
	t.Parallel()
	const root = "../../../shared/data"
	files, _ := filepath.Glob(root + "/extraction/*/gold.jsonl")
	more, _ := filepath.Glob(root + "/grounding/*/sources.jsonl")
	if files = append(files, more...); len(files) == 0 {
		t.Skip("the pages are not here")
	}
	all, flagged := 0, 0
	for _, name := range files {
		texts := readTexts(t, name)
		n, bytes, began := 0, 0, time.Now()
		for id, text := range texts {
			bytes += len(text)
			places := FindInjections(text)
			if len(places) == 0 {
				continue
			}
			n++
			if testing.Verbose() {
				r := []rune(text)
				for _, p := range places {
					t.Logf("%s %.12s %s %q", name[len(root):], id, p.Kind, string(r[p.Start:p.End]))
				}
			}
		}
		all, flagged = all+len(texts), flagged+n
		took := time.Since(began)
		t.Logf("%-40s %6d texts, %4d flagged, %.1f MB, %.1f ms a MB", name[len(root):], len(texts), n, float64(bytes)/1e6,
			took.Seconds()*1e9/float64(bytes))
	}
	t.Logf("%d of %d texts are flagged: %.2f %%", flagged, all, 100*float64(flagged)/float64(all))
	if 2000*flagged > all {
		t.Errorf("more than one ordinary text in 2,000 is flagged")
	}
}

func readTexts(t *testing.T, name string) map[string]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	texts := map[string]string{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var row struct{ ID, Text string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Text != "" {
			texts[row.ID] = row.Text
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return texts
}
