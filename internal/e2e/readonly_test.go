package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server with --tools read answers from a loop and leaves every file of the data folder as it was.
func TestReadOnlyServerWritesNothing(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := startPeer(t, "--data", data)
	loop := p.mustTool("loop_init", object{"query": "How much did the mill grind?"}).Get("state_id").Str
	text := strings.Repeat("The mill of Arden ground 40 sacks of corn in a week of 1785. ", 8)
	p.mustTool("fetch", object{"state_id": loop, "url": "https://example.org/mill", "title": "The mill", "text": text})
	p.end()
	before := filesIn(t, data)

	p = startPeer(t, "--tools", "read", "--data", data)
	for _, name := range []string{"loop_init", "fetch", "verify_citations"} {
		arguments := object{"state_id": loop, "query": "x"}
		if answer := p.request("tools/call", object{"name": name, "arguments": arguments}); !answer.Get("error").Exists() {
			t.Errorf("%s is served: %s", name, answer)
		}
	}
	if found := p.mustTool("find_passages", object{"state_id": loop, "query": "sacks of corn"}); found.Get("passages.#").Int() == 0 {
		t.Errorf("find_passages: %s", found)
	}
	p.mustTool("loop_get_state", object{"state_id": loop})
	p.mustTool("loop_get_gaps", object{"state_id": loop})
	p.mustTool("loop_list", nil)
	p.mustTool("list_channels", nil)
	for _, format := range []string{"markdown", "html"} {
		p.mustTool("loop_report", object{"state_id": loop, "draft": "The mill ground 40 sacks [S1:1].", "format": format})
	}
	p.request("resources/read", object{"uri": "citeloop://loops/" + loop + "/brief"})
	p.end()
	after := filesIn(t, data)
	for path, content := range before {
		if !bytes.Equal(content, after[path]) {
			t.Errorf("%s was changed", path)
		}
		delete(after, path)
	}
	for path := range after {
		t.Errorf("%s was written", path)
	}
}

// filesIn returns the content of all files below a folder.
func filesIn(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		files[path] = content
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
