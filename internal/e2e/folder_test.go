package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// longText is a file of 300 lines; every tenth is a heading.
func longText() string {
	var b strings.Builder
	b.WriteString("---\nstatus: final\n---\n")
	for n := 4; n <= 300; n++ {
		switch {
		case n%10 == 0:
			fmt.Fprintf(&b, "## Part %d\n", n)
		case n%10 == 1, n%10 == 9:
			b.WriteString("\n")
		default:
			fmt.Fprintf(&b, "Line %d of the file says that the pump of hall %d was renewed.\n", n, n)
		}
	}
	return b.String()
}

// A loop over stdio is a folder: line 120 of the file of a source is what fetch shows as line 120 and a citation names, also
// after the server is killed and the folder is gone.
func TestLoopIsAFolder(t *testing.T) {
	t.Parallel()
	data, corpus := t.TempDir(), writeCorpus(t)
	page := "<html><head><title>Pumps</title></head><body><main>"
	for n := range 200 {
		page += fmt.Sprintf("<p>Paragraph %d says that the pump of hall %d was renewed in the spring of the year.</p>\n", n, n)
	}
	for name, text := range map[string]string{"long.md": longText(), "page.html": page + "</main></body></html>"} {
		if err := os.WriteFile(filepath.Join(corpus, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := startPeer(t, data, corpus)
	p.initialize()
	started := p.mustTool("loop_init", map[string]any{"query": "Which pumps were renewed?"})
	state, folder := started["state_id"].(string), started["folder"].(string)
	if !strings.HasPrefix(filepath.Base(folder), "which-pumps-were-renewed-") {
		t.Errorf("folder %q", folder)
	}
	if runtime.GOOS != "windows" {
		if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("folder: %v, %v", info.Mode(), err)
		}
	}
	for i, name := range []string{"long.md", "page.html"} {
		id, n := fmt.Sprintf("S%d", i+1), 120+i // every other line of the page is blank
		shown := p.mustTool("fetch", map[string]any{"url": filepath.Join(corpus, name), "state_id": state,
			"lines": fmt.Sprint(n)})["sources"].([]any)[0].(map[string]any)
		if want := filepath.Join(folder, id+".md"); shown["file"] != want {
			t.Errorf("%s: the file is %v, want %s", name, shown["file"], want)
		}
		want := shown["passages"].([]any)[0].(map[string]any)["text"].(string)
		if got := line(t, filepath.Join(folder, id+".md"), n); got != want || strings.TrimSpace(got) == "" {
			t.Errorf("line %d of %s is %q, fetch shows %q", n, id, got, want)
		}
	}
	index := func() string {
		text, err := os.ReadFile(filepath.Join(folder, "index.md"))
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	if got := index(); !regexp.MustCompile(`(?m)^- S1 \(S1\.md, \d+ characters, .*<file://.*/long\.md>$`).MatchString(got) {
		t.Errorf("index:\n%s", got)
	}
	p.mustTool("loop_report", map[string]any{"state_id": state, "draft": "# Pumps\n\nThe pump of hall 118 was renewed [S1:118].\n"})
	if report, err := os.ReadFile(filepath.Join(folder, "report.md")); err != nil || !strings.Contains(string(report), "hall 118") {
		t.Errorf("report: %v", err)
	}
	p.kill()

	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	p = startPeer(t, data, corpus)
	p.initialize()
	if got := p.mustTool("loop_get_state", map[string]any{"state_id": state})["folder"]; got != folder {
		t.Errorf("folder of another process: %v", got)
	}
	if got := line(t, filepath.Join(folder, "S1.md"), 120); got != line(t, filepath.Join(corpus, "long.md"), 120) {
		t.Errorf("line 120 of the new folder is %q", got)
	}
	p.kill()

	// Nothing tells of a folder over HTTP.
	url := startWatcher(t, `(http://\S+/mcp)`, false, "serve", "--http", "127.0.0.1:0", "--data", data, "--corpus", corpus)
	for tool, arguments := range map[string]map[string]any{"loop_init": {"query": "Which pumps?"}, "loop_get_state": {"state_id": state},
		"fetch": {"url": filepath.Join(corpus, "long.md"), "state_id": state}} {
		_, answer, err := send(url, "tools/call", map[string]any{"name": tool, "arguments": arguments})
		if err != nil || strings.Contains(answer, `"isError":true`) || strings.Contains(answer, `"folder"`) ||
			strings.Contains(answer, `"file":`) || strings.Contains(answer, filepath.Join(data, "loops")) {
			t.Errorf("%s: %v: %.400s", tool, err, answer)
		}
	}
	entries, err := os.ReadDir(filepath.Join(data, "loops"))
	if err != nil || len(entries) != 2 { // that of the first loop, and the one for files that are being written
		t.Errorf("folders: %v, %v", entries, err)
	}
}

// line returns a line of a file.
func line(t *testing.T, file string, n int) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	}
	return strings.Split(string(text), "\n")[n-1]
}
