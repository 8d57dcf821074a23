package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
	"github.com/citeloop/citeloop/loopstate"
)

// meetARefusal sends a form that is rejected. The error is visible although the form is far down the page, and the page
// still follows the loop.
func meetARefusal(t *testing.T, b *browsertest.Browser) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	tab := h.comeIn(t, b)
	tab.Do(chromedp.Navigate(h.at(loop)))
	open(tab, "gap")
	tab.Do(chromedp.SetValue(chromedp.CSS(field("gap", "gap")), "Who paid for the tower?"), chromedp.Click(chromedp.CSS(`form[action$="/gap"] button`)))
	tab.Until("what is wrong", `document.getElementById("refused") && document.getElementById("refused").textContent.includes("has this gap already")`)
	const inSight = `(box => box.height > 0 && box.top >= 0 && box.bottom <= innerHeight)(document.getElementById("%s").getBoundingClientRect())`
	if !browsertest.Ask[bool](tab, fmt.Sprintf(inSight, "refused")) {
		t.Error("the error is not visible")
	}
	tab.Until("the stream is open", `document.getElementById("live-state").textContent.startsWith("Live.")`)
	tab.Do(chromedp.Click(chromedp.CSS("#refused a")))
	tab.Until("its form", fmt.Sprintf(inSight, "trouble"))
	if _, err := h.svc.AddGap(t.Context(), loop, "", loopstate.GapInput{Gap: "Was there a fire?"}); err != nil {
		t.Fatal(err)
	}
	tab.Until("a gap that another client added", `document.getElementById("loop").textContent.includes("Was there a fire?")`)
}
