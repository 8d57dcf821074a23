package e2e

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// The demo's loop fits on the page: at most 2,500 pixels, with its doubts before its text. With CITELOOP_SHOTS, which names a
// folder, the pictures for docs are taken:
//
//	CITELOOP_SHOTS=docs go test -run '^TestDemoOnThePage$' ./internal/e2e
func TestDemoOnThePage(t *testing.T) {
	b := browsertest.Open(t)
	data, out := t.TempDir(), t.TempDir()
	said := run(t, "demo", "--data", data, "--out", out)
	id := regexp.MustCompile(`delete .*([0-9a-f-]{36})`).FindStringSubmatch(said)[1]
	w, tab := watchLocally(t, "--data", data), b.Tab(t)
	loop := w.enter(tab) + "loops/" + id
	for _, width := range []int64{390, 1280, 1920} {
		screen := browsertest.Screen{Width: width, Height: 844, Theme: "light"}
		tab.Show(screen, loop)
		tab.Fits(screen)
	}
	tab.Show(desk(), loop)
	if high := browsertest.Ask[int](tab, `document.documentElement.scrollHeight`); high > 2_500 {
		t.Errorf("the demo's loop is %d pixels high", high)
	}
	if !browsertest.Ask[bool](tab, `document.getElementById("h-doubts").getBoundingClientRect().top < `+
		`document.querySelector(".delivered").getBoundingClientRect().top`) {
		t.Error("the text stands before its doubts")
	}
	folder := os.Getenv("CITELOOP_SHOTS")
	for name, theme := range map[string]string{"report": "light", "report-dark": "dark"} {
		tab.Show(browsertest.Screen{Width: 1240, Height: 800, Theme: theme},
			"file://"+filepath.ToSlash(filepath.Join(out, "report.html"))+"#p2")
		if folder == "" {
			continue
		}
		tab.Do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			png, err := chromedp.CaptureScreenshot()(ctx, target)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(folder, name+".png"), png, 0o600)
		}))
	}
}
