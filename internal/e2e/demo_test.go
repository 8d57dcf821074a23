package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// receipt is the position of a passage in the JSON report.
type receipt struct {
	SHA256, Lines string
	Passage       string
}

// The demo's report is opened as a file. A click or a key opens the stored text at the lines in the JSON report.
// The text has the receipt's hash in the exported loop.
func TestDemoReportInABrowser(t *testing.T) {
	b := browsertest.Open(t)
	data, out := t.TempDir(), t.TempDir()
	said := run(t, "demo", "--data", data, "--out", out)
	loop := regexp.MustCompile(`delete .*([0-9a-f-]{36})`).FindStringSubmatch(said)
	if loop == nil {
		t.Fatalf("the demo names no loop:\n%s", said)
	}
	var doc struct {
		Findings []struct{ Receipts []receipt }
	}
	if err := json.Unmarshal([]byte(run(t, "loops", "report", loop[1], "--data", data, "--format", "json")), &doc); err != nil {
		t.Fatal(err)
	}
	known := map[receipt]bool{}
	for _, f := range doc.Findings {
		for _, r := range f.Receipts {
			known[r] = true
		}
	}
	stored := exportedTexts(t, data, loop[1])

	tab := b.Tab(t)
	page := "file://" + filepath.Join(out, "report.html")
	tab.Show(desk(), page)
	cites := browsertest.Ask[[]string](tab, `[...document.querySelectorAll('a.cite[href^="#r"]')].map(a => a.hash)`)
	if len(cites) < 2 {
		t.Fatalf("the report has the citations %v", cites)
	}
	for i, hash := range cites {
		tab.Show(desk(), page)
		if i%2 == 0 {
			tab.Do(chromedp.Click(chromedp.CSS(`a.cite[href="` + hash + `"]`)))
		} else {
			tab.Do(chromedp.Focus(chromedp.CSS(`a.cite[href="`+hash+`"]`)), chromedp.KeyEvent(kb.Enter))
		}
		tab.Until("the passage "+hash, `document.querySelector(".receipt:target")?.id === "`+hash[1:]+`"`)
		got := browsertest.Ask[receipt](tab, openReceipt)
		if !known[got] {
			t.Errorf("%s: the report's JSON has no receipt %+v, but %v", hash, got, known)
		}
		if !strings.Contains(stored[got.SHA256], got.Passage) || got.Passage == "" {
			t.Errorf("%s: highlighted is %q, which the exported text with that hash has not", hash, got.Passage)
		}
		tab.Quiet(func(url string) bool { return url == page || strings.HasPrefix(url, page+"#") })
	}
}

// openReceipt returns the report's data of the open passage.
const openReceipt = `(r => ({passage: [...r.querySelectorAll(".cited")].map(e => e.textContent).join(""), sha256: r.textContent.match(/[0-9a-f]{64}/)?.[0] ?? "",
	lines: r.querySelector(".meta").textContent.match(/lines? ([0-9–,-]+)/)[1].replaceAll("–", "-")}))(document.querySelector(".receipt:target"))`

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
