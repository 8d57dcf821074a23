package html

import (
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// otherSecret has other letters than formSecret and the same length, so that a page on which the letters are seen
// is painted differently.
const otherSecret = "MMMMMM WWWWWWW HHHHHH MMMMMM WWWWWW"

// TestFormsInChromium checks the record of what a reader sees: a text is shown if the page is painted differently with
// another text in its place.
func TestFormsInChromium(t *testing.T) {
	tab := browsertest.Open(t).Tab(t)
	var page string
	folder := t.TempDir()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	defer srv.Close()
	paint := func(src string) image.Image {
		page = src
		tab.Do(chromedp.Navigate(srv.URL))
		tab.Picture(folder, "page")
		f, err := os.Open(filepath.Join(folder, "page.png"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		img, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	for _, f := range readForms(t) {
		if shown := differs(paint(f.page(formSecret)), paint(f.page(otherSecret))); shown != f.shown {
			t.Errorf("%s: %q: Chromium shows it: %t", f.family, f.code, shown)
		}
	}
}

// readable is the sum of the differences of a pixel's colours from which letters are seen, and readableDots how many of
// them a text has at least.
const (
	readable     = 36
	readableDots = 150
)

func differs(a, b image.Image) bool {
	if a.Bounds().Dx() != b.Bounds().Dx() {
		return true
	}
	height := min(a.Bounds().Dy(), b.Bounds().Dy())
	dots := 0
	for y := range height {
		for x := range a.Bounds().Dx() {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if apart(r1, r2)+apart(g1, g2)+apart(b1, b2) > readable {
				dots++
			}
		}
	}
	return dots >= readableDots
}

func apart(a, b uint32) int { return max(int(a>>8)-int(b>>8), int(b>>8)-int(a>>8)) }
