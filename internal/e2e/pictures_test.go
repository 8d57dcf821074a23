package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// TestPictures takes the screenshots for docs/ from the demo's recorded loop, if CITELOOP_SHOTS names a folder:
//
//	CITELOOP_SHOTS=docs go test -run '^TestPictures$' ./internal/e2e
func TestPictures(t *testing.T) {
	folder := os.Getenv("CITELOOP_SHOTS")
	if folder == "" {
		t.Skip("skipped: CITELOOP_SHOTS names no folder for pictures")
	}
	tab, _, at, file := shown(t)
	report := file + "#p2" // an open citation
	for _, shot := range []struct {
		name, path string
		screen     browsertest.Screen
	}{
		{"page", at, desk()},
		{"page-dark", at, browsertest.Screen{Width: 1280, Height: 900, Theme: "dark"}},
		{"page-phone", at, browsertest.Screen{Width: 360, Height: 740, Theme: "light"}},
		{"page-source", "", desk()},
		{"report", report, browsertest.Screen{Width: 1240, Height: 800, Theme: "light"}},
		{"report-dark", report, browsertest.Screen{Width: 1240, Height: 800, Theme: "dark"}},
	} {
		if shot.path == "" {
			shot.path = browsertest.Ask[string](tab, `document.querySelector('[data-part="claims"] a[href*="#here"]').href`)
		}
		tab.Show(shot.screen, shot.path)
		if strings.HasPrefix(shot.path, file) {
			tab.Until("the open passage", `document.querySelector(":target") !== null`)
		} else if strings.HasPrefix(shot.name, "page-s") {
			tab.Until("the passage is in sight", `(() => { const r = document.querySelector("mark.here").getClientRects()[0]; return r.top >= 0 && r.bottom <= innerHeight })()`)
		} else {
			tab.Until("the live view", `document.getElementById("live-state").textContent.startsWith("Live. ")`)
		}
		tab.Picture(folder, shot.name)
	}
}

// TestEveryView takes pictures of all views and of the report, whole, at four widths, in both themes and as printed, if
// CITELOOP_SHOTS_ALL names a folder. They are to be looked at, not to be kept.
func TestEveryView(t *testing.T) {
	folder := os.Getenv("CITELOOP_SHOTS_ALL")
	if folder == "" {
		t.Skip("skipped: CITELOOP_SHOTS_ALL names no folder for pictures")
	}
	tab, root, at, file := shown(t)
	tab.Show(desk(), at)
	for name, path := range map[string]string{
		"list": root, "loop": at, "round": at + "?round=1", "source": at + "/sources/S1", "find": at + "/find?q=injuries", "verify": at + "/verify", "review": at + "/review", "report": file,
		"passage": browsertest.Ask[string](tab, `document.querySelector('[data-part="claims"] a[href*="#here"]').href`),
		"missing": root + "zzz",
	} {
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{390, 768, 1280, 1920} {
				screen := browsertest.Screen{Width: width, Height: 900, Theme: theme}
				tab.Show(screen, path)
				tab.Fits(screen)
				tab.Whole(folder, fmt.Sprintf("%s-%d-%s", name, width, theme), screen)
			}
		}
		tab.Show(desk(), path)
		tab.Printed(folder, name+"-print")
	}
}

// shown returns a tab that is logged in to the page of the demo's loop, the addresses of the page and of the loop, and the
// file of its report.
func shown(t *testing.T) (tab *browsertest.Tab, root, loop, report string) {
	t.Helper()
	b := browsertest.Open(t)
	data, out := t.TempDir(), t.TempDir()
	said := run(t, "demo", "--data", data, "--out", out)
	id := regexp.MustCompile(`delete .*([0-9a-f-]{36})`).FindStringSubmatch(said)[1]
	w := watchLocally(t, "--data", data)
	tab = b.Tab(t)
	root = w.enter(tab)
	return tab, root, root + "loops/" + id, "file://" + filepath.ToSlash(filepath.Join(out, "report.html"))
}
