package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// run runs the program to its end and returns what it wrote to standard output.
func run(t *testing.T, args ...string) string {
	t.Helper()
	binary, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, args...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("citeloop %s: %v\n%s%s", strings.Join(args, " "), err, out, said.String())
	}
	return string(out)
}

// The demo's report is opened as a file. A key opens the evidence of a sentence: its lines are those of the exported texts.
func TestDemoReportInABrowser(t *testing.T) {
	b := browsertest.Open(t)
	data, out := t.TempDir(), t.TempDir()
	said := run(t, "demo", "--data", data, "--out", out)
	loop := regexp.MustCompile(`delete .*([0-9a-f-]{36})`).FindStringSubmatch(said)
	if loop == nil {
		t.Fatalf("the demo names no loop:\n%s", said)
	}
	texts := strings.Join(slices.Collect(maps.Values(exportedTexts(t, data, loop[1]))), "\n")

	tab := b.Tab(t)
	page := "file://" + filepath.Join(out, "report.html")
	tab.Show(desk(), page)
	cites := browsertest.Ask[[]string](tab, `[...document.querySelectorAll('a.cite[href^="#e"]')].map(a => a.hash)`)
	if len(cites) < 2 {
		t.Fatalf("the report has the citations %v", cites)
	}
	for _, hash := range cites {
		tab.Show(desk(), page)
		tab.Do(chromedp.Focus(chromedp.CSS(`a.cite[href="`+hash+`"]`)), chromedp.KeyEvent(kb.Enter))
		tab.Until("the passage "+hash, `document.querySelector(".proof:target")?.id === "`+hash[1:]+`"`)
		shown := browsertest.Ask[[]string](tab, openLines)
		if len(shown) == 0 {
			t.Errorf("%s: no line is shown", hash)
		}
		for _, line := range shown {
			if !strings.Contains(texts, line) {
				t.Errorf("%s: %q is in no exported text", hash, line)
			}
		}
		tab.Quiet(func(url string) bool { return url == page || strings.HasPrefix(url, page+"#") })
	}
}

// openLines returns the lines in the open panel, without their numbers.
const openLines = `[...document.querySelectorAll(".proof:target blockquote p")].map(p => [...p.childNodes].filter(n => n.nodeName !== ` +
	`"B").map(n => n.textContent).join("").trim())`

func desk() browsertest.Screen { return browsertest.Screen{Width: 1280, Height: 900, Theme: "light"} }

// exportedTexts returns the texts of an exported loop by SHA-256.
func exportedTexts(t *testing.T, data, loop string) map[string]string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "loop.jsonl")
	run(t, "loops", "export", loop, file, "--data", data)
	archive, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for line := range strings.Lines(string(archive)) {
		var text struct{ SHA256, Text string }
		if err := json.Unmarshal([]byte(line), &text); err != nil {
			t.Fatal(err)
		}
		texts[text.SHA256] = text.Text
	}
	return texts
}
