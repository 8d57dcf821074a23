package web

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// A person answers with keys only, undoes an answer, and quotes by selecting text.
func reviewByKeyboard(t *testing.T, b *browsertest.Browser) {
	h := newFixture(t, nil)
	loop := h.toReview(t)
	tab := h.comeIn(t, b)
	item := `(document.querySelector('[name="item"]')?.value ?? "")`
	for _, screen := range []browsertest.Screen{phone(), {Width: 390, Height: 844, Theme: "light"}, desk()} {
		tab.Show(screen, h.at(loop)+"/review")
		tab.Until("the review", `document.querySelector('[value="begin"]') || document.getElementById("claim")`)
		if wide := browsertest.Ask[int](tab, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("%d px are cut off at %d", wide, screen.Width)
		}
		if browsertest.Ask[bool](tab, `!!document.querySelector('[value="begin"]')`) {
			tab.Do(chromedp.Click(chromedp.CSS(`[value="begin"]`)))
			tab.Until("the first item", `document.getElementById("claim")`)
		}
	}
	progress := `document.getElementById("progress").textContent.startsWith`
	first := browsertest.Ask[string](tab, item)
	tab.Until("the progress", progress+`("1 of ")`)
	tab.Do(chromedp.KeyEvent("4"))
	tab.Until("the second item", item+` !== "`+first+`" && `+progress+`("2 of ")`)
	tab.Do(chromedp.KeyEvent("u"))
	tab.Until("the first item again", item+` === "`+first+`"`)
	selected := browsertest.Ask[string](tab, `(m => { getSelection().selectAllChildren(m);
		return [...m.childNodes].filter(n => n.nodeType === Node.TEXT_NODE).map(n => n.data).join("") })(document.querySelector(".passage"))`)
	tab.Until("the selection is the quote", `document.getElementById("quote").value`)
	if got := browsertest.Ask[string](tab, `document.getElementById("quote").value`); got != selected {
		t.Errorf("selected %q, quoted %q", selected, got)
	}
	tab.Do(chromedp.KeyEvent("2"))
	tab.Until("the second item", item+` !== "`+first+`"`)
	// Answer the rest with one key each, and finish with Tab and Enter.
	for range h.reviewItems(t, loop) {
		now := browsertest.Ask[string](tab, item)
		if now == "" {
			break
		}
		tab.Do(chromedp.KeyEvent("4"))
		tab.Until("another item", item+` !== "`+now+`"`)
	}
	tab.Until("the end", `document.querySelector('[value="finish"]')`)
	for range 30 {
		if browsertest.Ask[bool](tab, `document.activeElement.value === "finish"`) {
			break
		}
		tab.Do(chromedp.KeyEvent("\t"))
	}
	tab.Do(chromedp.KeyEvent("\r"))
	tab.Until("the result", `document.querySelector("h1").textContent.endsWith(": void")`)
	tab.Quiet(h.ours)
}
