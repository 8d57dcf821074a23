package e2e

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// The demo's report is opened as a file: a key opens the evidence of a sentence, whose lines are those of the exported texts. Its loop fits
// on the page: at most 2,500 pixels, with its doubts before its text. With CITELOOP_SHOTS, which names a folder, the pictures for docs are
// taken:
//
//	CITELOOP_SHOTS=docs go test -run '^TestDemoInABrowser$' ./internal/e2e
func TestDemoInABrowser(t *testing.T) {
	b := browsertest.Open(t)
	data, out := t.TempDir(), t.TempDir()
	said := run(t, "demo", "--data", data, "--out", out)
	loop := regexp.MustCompile(`delete .*([0-9a-f-]{36})`).FindStringSubmatch(said)
	if loop == nil {
		t.Fatalf("the demo names no loop:\n%s", said)
	}
	report := "file://" + filepath.ToSlash(filepath.Join(out, "report.html"))
	opensEvidence(t, b.Tab(t), report, exportedTexts(t, data, loop[1]))

	tab := b.Tab(t)
	page := enter(tab, openUI(t, data)) + "loops/" + loop[1]
	for _, width := range []int64{390, 1280, 1920} {
		screen := browsertest.Screen{Width: width, Height: 844, Theme: "light"}
		tab.Show(screen, page)
		tab.Fits(screen)
	}
	tab.Show(desk(), page)
	if high := browsertest.Ask[int](tab, `document.documentElement.scrollHeight`); high > 2_500 {
		t.Errorf("the demo's loop is %d pixels high", high)
	}
	if !browsertest.Ask[bool](tab, `document.getElementById("h-doubts").getBoundingClientRect().top < `+
		`document.querySelector(".delivered").getBoundingClientRect().top`) {
		t.Error("the text stands before its doubts")
	}
	if folder := os.Getenv("CITELOOP_SHOTS"); folder != "" {
		takePictures(tab, report, folder)
	}
}

func takePictures(tab *browsertest.Tab, report, folder string) {
	for name, theme := range map[string]string{"report": "light", "report-dark": "dark"} {
		tab.Show(browsertest.Screen{Width: 1240, Height: 800, Theme: theme}, report+"#p2")
		tab.Do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			png, err := chromedp.CaptureScreenshot()(ctx, target)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(folder, name+".png"), png, 0o600)
		}))
	}
}

func opensEvidence(t *testing.T, tab *browsertest.Tab, page, texts string) {
	t.Helper()
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

// exportedTexts returns all texts of an exported loop.
func exportedTexts(t *testing.T, data, loop string) (texts string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "loop.jsonl")
	run(t, "loops", "export", loop, file, "--data", data)
	archive, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range gjson.GetBytes(archive, "..#.text").Array() {
		texts += text.Str + "\n"
	}
	return texts
}
