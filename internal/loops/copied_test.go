package loops_test

import (
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
)

// How a text was come by stays with its source: the copy that was read, and that robots.txt was passed over.
func TestSourceSaysHowItWasComeBy(t *testing.T) {
	h := newHouse(t)
	loop := h.start("q")
	const url = "https://example.org/a"
	h.shelf.put(url, "A", "The tower is 12 metres high.")
	page := h.shelf.pages[url]
	page.Via, page.RobotsIgnored = "wayback", true
	h.shelf.pages[url] = page
	h.read(loop, url)
	view, err := h.State(t.Context(), loops.ViewInput{Loop: loop, View: "sources"})
	if err != nil {
		t.Fatal(err)
	}
	if src := view.Sources[0]; src.Via != "wayback" || !src.RobotsIgnored {
		t.Errorf("via %q, robots ignored %v", src.Via, src.RobotsIgnored)
	}
}
