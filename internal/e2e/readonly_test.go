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
	p := startServer(t, nil, "--data", data)
	p.initialize()
	loop := p.mustTool("loop_init", map[string]any{"query": "How much did the mill grind?"})["state_id"].(string)
	text := strings.Repeat("The mill of Arden ground 40 sacks of corn in a week of 1785. ", 8)
	p.mustTool("fetch", map[string]any{"state_id": loop, "url": "https://example.org/mill", "title": "The mill", "text": text})
	p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	before := filesIn(t, data)

	p = startServer(t, nil, "--tools", "read", "--data", data)
	p.initialize()
	for _, name := range []string{"loop_init", "fetch", "verify_citations"} {
		if answer := p.request("tools/call", map[string]any{"name": name,
			"arguments": map[string]any{"state_id": loop, "query": "x"}}); answer["error"] == nil {
			t.Errorf("%s is served: %v", name, answer)
		}
	}
	if found := p.mustTool("find_passages", map[string]any{"state_id": loop, "query": "sacks of corn"})["passages"].([]any); len(
		found) == 0 {
		t.Error("find_passages found nothing")
	}
	p.mustTool("loop_get_state", map[string]any{"state_id": loop})
	p.mustTool("loop_get_gaps", map[string]any{"state_id": loop})
	p.mustTool("loop_list", nil)
	p.mustTool("list_channels", nil)
	for _, format := range []string{"markdown", "html"} {
		p.mustTool("loop_report", map[string]any{"state_id": loop, "draft": "The mill ground 40 sacks [S1:1].", "format": format})
	}
	p.request("resources/read", map[string]any{"uri": "citeloop://loops/" + loop + "/brief"})
	p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
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
