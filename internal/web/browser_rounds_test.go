package web

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// point is a place in the window, in CSS pixels.
type point struct{ X, Y float64 }

// The slider shows the loop as of any closed round, by keyboard.
func moveTheSlider(t *testing.T, b *browsertest.Browser) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context()) // two closed rounds; 3 is now
	h.check(t, loop, "It stands 42 metres high.", "The lighthouse was built in 1874.", "The last keeper left the tower in 1987.")
	tab := h.comeIn(t, b)
	now := `!location.search && document.getElementById("live-state")`
	past := func(round int) string {
		return `location.search === "?round=` + strconv.Itoa(round) + `" && document.getElementById("to-now") && !document.getElementById("live-state") && document.querySelector('[data-part="state"]').textContent.includes("round ` + strconv.Itoa(round) + ` ended")`
	}
	claims := func() int {
		return browsertest.Ask[int](tab, `document.querySelectorAll('[data-part="claims"] li').length`)
	}
	tab.Do(chromedp.Navigate(h.at(loop)))
	tab.Until("now", now)
	if got := claims(); got != 5 { // a verification leaves the claims before in the loop
		t.Errorf("%d claims now, want 5", got)
	}

	tab.Do(chromedp.Focus(chromedp.CSS(`#round`)), chromedp.KeyEvent(kb.ArrowLeft))
	tab.Until("the slider says where it stands", `document.querySelector('output[for="round"]').textContent.startsWith("round 2")`)
	tab.Do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	tab.Until("round 2, by keyboard", past(2))
	tab.Do(chromedp.Focus(chromedp.CSS(`#round`)), chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	tab.Until("round 1, by keyboard", past(1))
	if got := claims(); got != 2 {
		t.Errorf("%d claims when round 1 ended, want 2", got)
	}
	if open := browsertest.Ask[int](tab, `document.querySelectorAll('form[method="post"][action*="/loops/"]').length`); open > 0 {
		t.Errorf("%d forms change the past", open)
	}
	tab.Do(chromedp.Focus(chromedp.CSS(`#round`)), chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	tab.Until("back to now, by keyboard", now)
	tab.Quiet(h.ours)
}
