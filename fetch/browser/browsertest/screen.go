package browsertest

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Screen has a size in CSS pixels and the visitor's preferred theme.
type Screen struct {
	Width, Height int64
	Theme         string // light or dark
}

func (s Screen) String() string { return fmt.Sprintf("%d %s", s.Width, s.Theme) }

// Screens returns three sizes, from a phone to a wide desktop, in both themes.
func Screens() (out []Screen) {
	for _, theme := range []string{"light", "dark"} {
		for _, size := range [][2]int64{{360, 740}, {1280, 900}, {2560, 1440}} {
			out = append(out, Screen{Width: size[0], Height: size[1], Theme: theme})
		}
	}
	return out
}

// On changes the screen of the current page. Motion is reduced, so that scrolling is immediate.
func (b *Tab) On(s Screen) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(s.Width, s.Height))
	b.Call(emulation.SetEmulatedMedia.Method, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s.Theme},
			{Name: "prefers-reduced-motion", Value: "reduce"}}})
}

// Show clears the records and opens an address.
func (b *Tab) Show(s Screen, url string) {
	b.t.Helper()
	b.Do(chromedp.Navigate("about:blank"))
	b.On(s)
	b.Forget()
	b.Do(chromedp.Navigate(url))
}

// Fits fails if the page is wider than its screen.
func (b *Tab) Fits(s Screen) {
	b.t.Helper()
	if wide := Ask[int](b, `document.documentElement.scrollWidth`); wide > int(s.Width) {
		b.t.Errorf("%v: %.100s is %d wide: %s", s, Ask[string](b, `location.href`), wide, Ask[string](b, tooWide))
	}
}

// tooWide finds the outermost element that is wider than the window and not in a scrolling one.
const tooWide = `[...document.body.querySelectorAll('*')].find(e => { if (e.getBoundingClientRect().right <= innerWidth + 1) return false;
	for (let p = e.parentElement; p; p = p.parentElement) if (p !== document.body && getComputedStyle(p).overflowX !== 'visible') ` +
	`return false;
	return ![...e.children].some(c => c.getBoundingClientRect().right > innerWidth + 1) })?.outerHTML.slice(0, 300) ?? ''`

// Picture writes a screenshot as PNG to a folder, unless the folder is empty.
func (b *Tab) Picture(folder, name string) {
	b.t.Helper()
	if folder == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), png, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}
