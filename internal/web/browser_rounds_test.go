package web

import (
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// point is a place in the window, in CSS pixels.
type point struct{ X, Y float64 }

// thumb says where the slider's thumb stands when it has a value: a thumb is about as wide as the slider is high, and
// its middle goes from half of that to the other end.
func thumb(tab *browsertest.Tab, value int) point {
	return browsertest.Ask[point](tab, `(v => { const s = document.getElementById("round"); s.scrollIntoView({block: "center", behavior: "instant"}); const b = s.getBoundingClientRect(), half = 8;
		return {x: b.left + half + (b.width - 2 * half) * (v - s.min) / (s.max - s.min), y: b.top + b.height / 2} })(`+strconv.Itoa(value)+`)`)
}

// drag moves the slider by pointer: pressed at one value, let go at another.
func drag(tab *browsertest.Tab, from, to int) {
	a, z := thumb(tab, from), thumb(tab, to)
	held := func(p *input.DispatchMouseEventParams) {
		p.Button, p.Buttons, p.ClickCount = input.MouseButtonLeft, 1, 1
	}
	tab.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, a.X, a.Y, held),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, (a.X+z.X)/2, z.Y, held),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, z.X, z.Y, held),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, z.X, z.Y, held))
}

// The slider shows the loop as of any closed round, by pointer and by keyboard.
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

	drag(tab, 3, 1)
	tab.Until("round 1, by pointer", past(1))
	if got := claims(); got != 2 {
		t.Errorf("%d claims when round 1 ended, want 2", got)
	}
	if open := browsertest.Ask[int](tab, `document.querySelectorAll('form[method="post"][action*="/loops/"]').length`); open > 0 {
		t.Errorf("%d forms change the past", open)
	}
	drag(tab, 1, 3)
	tab.Until("back to now, by pointer", now)

	tab.Do(chromedp.Focus(chromedp.CSS(`#round`)), chromedp.KeyEvent(kb.ArrowLeft))
	tab.Until("the slider says where it stands", `document.querySelector('output[for="round"]').textContent.startsWith("round 2")`)
	tab.Do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	tab.Until("round 2, by keyboard", past(2))
	tab.Do(chromedp.Focus(chromedp.CSS(`#round`)), chromedp.KeyEvent(kb.Home), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	tab.Until("round 1, by keyboard", past(1))
	tab.Do(chromedp.Focus(chromedp.CSS(`#round`)), chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	tab.Until("back to now, by keyboard", now)
	tab.Quiet(h.ours)
}
