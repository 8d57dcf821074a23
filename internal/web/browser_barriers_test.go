package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
	"github.com/citeloop/citeloop/internal/loops"
)

// view is a view of the page with the function that opens it.
type view struct {
	name string
	open func()
}

// views returns all views of the page, in a logged-in tab.
func (h fixture) views(t *testing.T, tab *browsertest.Tab) []view {
	t.Helper()
	loop := h.research(t, t.Context())
	locked := newFixture(t, func(c *Config) { c.Auth = tokens{} })
	to := func(address string) func() { return func() { tab.Do(chromedp.Navigate(address)) } }
	unfolded := func(address string) func() {
		return func() {
			tab.Do(chromedp.Navigate(address))
			tab.Until("the loop", `!document.getElementById("live-state") || document.getElementById("live-state").textContent.startsWith("Live. ")`) // it is fetched once more when the live view begins
			_ = browsertest.Ask[bool](tab, `document.querySelectorAll("details").forEach(d => d.open = true), true`)
		}
	}
	at, review := h.at(loop), h.at(h.toReview(t))+"/review"
	found, err := h.page.rechecks.add(loops.LocalOwner, loop)
	if err != nil {
		t.Fatal(err)
	}
	found.Running, found.Result = false, differences()
	return []view{
		{"the login form", to(locked.srv.URL + Root)},
		{"the list", to(h.srv.URL + Root)},
		{"a loop", unfolded(at)},
		{"a loop after something was done", unfolded(at + "?done=gap#done")},
		{"a loop in the past", unfolded(at + "?round=1")},
		{"a source", to(at + "/sources/S1?from=4&to=40#here")},
		{"the evidence of a claim", to(at + "/sources/S1?claim=C1#here")},
		{"a search of loops", to(h.srv.URL + Root + "?q=zzzz")},
		{"before a loop is deleted", to(at + "/delete")},
		{"what a recheck found", to(at + "/recheck")},
		{"a search", to(at + "/find?q=lamp")},
		{"a search without an answer", to(at + "/find?q=zzzz")},
		{"a draft's verdict", func() {
			tab.Do(chromedp.Navigate(at+"/verify"), chromedp.SetValue(chromedp.CSS(`#draft`), "It was built in 1874 by Maria Holt [S1].\n\nIt was built in 1911 [S1].\n\nIt has 900 steps [S9]."), chromedp.Click(chromedp.CSS(`form:has(#draft) button`)))
			tab.Until("the verdict", `document.querySelector(".sentences > li")`)
		}},
		{"a review that has not begun", to(review)},
		{"a claim to review", func() {
			if tab.Do(chromedp.Navigate(review)); browsertest.Ask[bool](tab, `!document.getElementById("claim")`) {
				tab.Do(chromedp.Click(chromedp.CSS(`[value="begin"]`)))
			}
			tab.Until("the claim", `document.getElementById("claim")`)
		}},
		{"a review with an answer to undo", func() {
			tab.Do(chromedp.Navigate(review))
			if browsertest.Ask[bool](tab, `!document.querySelector(".undo")`) {
				tab.Do(chromedp.KeyEvent("4"))
			}
			tab.Until("the answer", `document.querySelector(".undo")`)
		}},
		{"a form with a mistake", func() {
			tab.Do(chromedp.Navigate(at))
			open(tab, "gap")
			tab.Do(chromedp.SetValue(chromedp.CSS(field("gap", "gap")), "Who paid for the tower?"), chromedp.Click(chromedp.CSS(`form[action$="/gap"] button`)))
			tab.Until("what is wrong with it", `document.getElementById("trouble") && document.getElementById("live-state").textContent.startsWith("Live. ")`)
		}},
		{"a refusal", to(h.srv.URL + Root + "nowhere")},
	}
}

// Every action works by keyboard, with a visible focus.
func walkByKeyboard(t *testing.T, b *browsertest.Browser) {
	h := newFixture(t, nil)
	tab := h.comeIn(t, b)
	for _, v := range h.views(t, tab) {
		v.open()
		tab.Walk(v.name)
	}
	tab.Do(chromedp.Navigate(h.srv.URL+Root), chromedp.KeyEvent("\t"), chromedp.KeyEvent("\r"))
	if in := browsertest.Ask[string](tab, `document.activeElement.id`); in != "main" {
		t.Errorf("the skip link leads to %q", in)
	}
}

// axe-core finds no violation of WCAG 2.2 AA or of its best practices in any view (.ci/npm).
func TestAccessibility(t *testing.T) {
	axe := browsertest.LoadAxe(t)
	b := browsertest.Open(t)
	h := newFixture(t, nil)
	tab := h.comeIn(t, b)
	for _, v := range h.views(t, tab) {
		v.open()
		for _, s := range browsertest.Screens() { // on the loaded page: reloading it for each screen takes most of the time
			tab.On(s)
			tab.Fits(s)
			for _, found := range tab.Barriers(axe) {
				t.Errorf("%s at %v: %s", v.name, s, found)
			}
		}
	}
}

// open unfolds the form of an act, as a click does.
func open(tab *browsertest.Tab, act string) {
	tab.Do(chromedp.Click(chromedp.CSS(fmt.Sprintf(`details.act:has(form[action$="/%s"]) > summary`, act))), chromedp.WaitVisible(chromedp.CSS(fmt.Sprintf(`form[action$="/%s"] button`, act))))
}

// field is a field of one of the forms at a loop, by the form's and its own name.
func field(act, name string) string { return fmt.Sprintf(`form[action$="/%s"] [name="%s"]`, act, name) }
