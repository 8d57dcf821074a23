package loops_test

import (
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
)

// A source records that a copy was read, and that robots.txt was ignored.
func TestSourceRecordsHowItWasRead(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("q")
	const url = "https://example.org/a"
	h.web.put(url, "A", "The tower is 12 metres high.")
	page := h.web.pages[url]
	page.Via, page.RobotsIgnored = "wayback", true
	h.web.pages[url] = page
	h.read(loop, url)
	view := h.view(loops.ViewInput{Loop: loop, View: "sources"})
	if src := view.Sources[0]; src.Via != "wayback" || !src.RobotsIgnored {
		t.Errorf("via %q, robots ignored %v", src.Via, src.RobotsIgnored)
	}
}
