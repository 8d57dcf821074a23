package e2e

import (
	"os"
	"path/filepath"
	"regexp"
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
	tab, at, file := shown(t)
	report := file + "#p2" // an open citation
	for _, shot := range []struct {
		name, path string
		screen     browsertest.Screen
	}{
		{"page", at, desk()},
		{"page-dark", at, browsertest.Screen{Width: 1280, Height: 900, Theme: "dark"}},
		{"page-phone", at, browsertest.Screen{Width: 360, Height: 740, Theme: "light"}},
		{"page-source", at + "/sources/S1?s=1#here", desk()},
		{"report", report, browsertest.Screen{Width: 1240, Height: 800, Theme: "light"}},
		{"report-dark", report, browsertest.Screen{Width: 1240, Height: 800, Theme: "dark"}},
	} {
		tab.Show(shot.screen, shot.path)
		tab.Until("the page", `document.querySelector("h1")`)
		tab.Picture(folder, shot.name)
	}
}

// shown returns a tab that is logged in to the page of the demo's loop, the address of the loop, and the file
// of its report.
func shown(t *testing.T) (tab *browsertest.Tab, loop, report string) {
	t.Helper()
	b := browsertest.Open(t)
	data, out := t.TempDir(), t.TempDir()
	said := run(t, "demo", "--data", data, "--out", out)
	id := regexp.MustCompile(`delete .*([0-9a-f-]{36})`).FindStringSubmatch(said)[1]
	w := watchLocally(t, "--data", data)
	tab = b.Tab(t)
	return tab, w.enter(tab) + "loops/" + id, "file://" + filepath.ToSlash(filepath.Join(out, "report.html"))
}
