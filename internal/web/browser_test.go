package web

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
	"github.com/citeloop/citeloop/loopstate"
)

// TestInABrowser uses the page like a person. One Chromium runs all parts; long parts are in their own files.
// TestPageFollowsALoop checks with the real program how a page follows another process.
func TestInABrowser(t *testing.T) {
	b := browsertest.Open(t)
	for _, part := range []struct {
		name string
		look func(*testing.T, *browsertest.Browser)
	}{
		{"a claim opens its passage", openPassages},
		{"a draft in a form is kept", writeWhileTheLoopMoves},
		{"the slider", moveTheSlider},
		{"by keyboard alone", walkByKeyboard},
		{"a recheck", followRecheck},
	} {
		t.Run(part.name, func(t *testing.T) { part.look(t, b) })
	}
}

// desk is a usual screen.
func desk() browsertest.Screen { return browsertest.Screen{Width: 1280, Height: 900, Theme: "light"} }

// ours reports whether an address is on the page's server, or inside the page.
func (h fixture) ours(url string) bool {
	return strings.HasPrefix(url, h.srv.URL+"/") || strings.HasPrefix(url, "data:")
}

// comeIn opens a tab and comes in by a one-time link.
func (h fixture) comeIn(t *testing.T, b *browsertest.Browser) *browsertest.Tab {
	t.Helper()
	tab := b.Tab(t)
	tab.Show(desk(), h.srv.URL+h.page.Link())
	tab.Until("the list of loops", `location.pathname === "/ui/" && document.querySelector("h1")`)
	return tab
}

// at is the address of a loop's page.
func (h fixture) at(loop string) string { return h.srv.URL + Root + "loops/" + loop }

// shownPassage is the stretch that the page highlights as the one that was asked for, put together from its pieces.
const shownPassage = `[...document.querySelectorAll("mark.here")].map(m => m.textContent).join("")`

func openPassages(t *testing.T, b *browsertest.Browser) {
	h := newFixture(t, nil)
	started, err := h.svc.Start(t.Context(), loopstate.StartInput{Query: "When was the lighthouse built?"})
	if err != nil {
		t.Fatal(err)
	}
	loop := started.StateID
	stored := "灯塔 — 𝔗urm 🗼. " + strings.Repeat("The sea is loud here.\n", 200) + lighthouse // code points, not bytes nor UTF-16 units
	h.paste(t, t.Context(), loop, "Türme", stored)
	h.check(t, loop, "The lighthouse was built in 1874 by the engineer Maria Holt.", "In 1931 the lamp was changed from colza oil to electricity.")
	p, err := h.svc.Detail(t.Context(), loop, 0)
	if err != nil {
		t.Fatal(err)
	}
	tab := h.comeIn(t, b)
	for i, claim := range p.Claims {
		want := string([]rune(stored)[claim.Check.Start:claim.Check.End])
		tab.Show(desk(), h.at(loop))
		tab.Until("the claims", `document.querySelector('[data-part="claims"] a[href*="#here"]')`)
		link := `document.querySelectorAll('[data-part="claims"] a[href*="#here"]')[` + strconv.Itoa(i) + `]`
		if i == 0 {
			_ = browsertest.Ask[bool](tab, link+`.focus(), true`)
			tab.Do(chromedp.KeyEvent(kb.Enter))
		} else {
			p := browsertest.Ask[point](tab, `(a => { a.scrollIntoView({block: "center", behavior: "instant"}); const b = a.getBoundingClientRect(); return {x: b.left + b.width / 2, y: b.top + b.height / 2} })(`+link+`)`)
			tab.Do(chromedp.MouseClickXY(p.X, p.Y))
		}
		tab.Until("the passage", `document.querySelector("mark.here")`)
		if got := browsertest.Ask[string](tab, shownPassage); got != want || want == "" {
			t.Errorf("%s: highlighted is %q, the stored text has %q there", claim.ID, got, want)
		}
		tab.Until("the passage is scrolled into sight", `(() => { const r = document.querySelector("mark.here").getClientRects()[0]; return r.top >= 0 && r.bottom <= innerHeight })()`)
		tab.Quiet(h.ours)
	}
}

// The page follows the loop without changing what a visitor is writing or has selected.
func writeWhileTheLoopMoves(t *testing.T, b *browsertest.Browser) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	tab := h.comeIn(t, b)
	tab.Do(chromedp.Navigate(h.at(loop)))
	tab.Until("the live view", `document.getElementById("live-state").textContent.startsWith("Live.")`)
	open(tab, "gap")
	tab.Do(chromedp.SendKeys(chromedp.CSS(field("gap", "gap")), "What did the tow"))
	if _, err := h.svc.AddGap(t.Context(), loop, "", loopstate.GapInput{Gap: "Who lives there now?"}); err != nil {
		t.Fatal(err)
	}
	tab.Until("the other's gap", `document.querySelector('[data-part="gaps"]').textContent.includes("Who lives there now?")`)
	tab.Do(chromedp.KeyEvent("er cost?"))
	if got := browsertest.Ask[string](tab, `document.activeElement.value`); got != "What did the tower cost?" {
		t.Errorf("what was being written has become %q", got)
	}
	open(tab, "close-gap")
	tab.Do(chromedp.SetValue(chromedp.CSS(field("close-gap", "gap")), "G2"))
	if _, err := h.svc.AddGap(t.Context(), loop, "", loopstate.GapInput{Gap: "Is it open to visitors?"}); err != nil {
		t.Fatal(err)
	}
	tab.Until("the other's second gap can be chosen", `[...document.querySelectorAll('form[action$="/close-gap"] option')].some(o => o.value === "G3")`)
	if got := browsertest.Ask[string](tab, `document.querySelector('form[action$="/close-gap"] select').value`); got != "G2" {
		t.Errorf("the gap that was chosen has become %s", got)
	}
	if _, err := h.svc.Update(t.Context(), loop, "", loopstate.UpdateInput{Contradictions: []loopstate.Contradiction{{Topic: "The year of the tower", Why: "two plaques", SourceIDs: []string{"S1"}}}}); err != nil {
		t.Fatal(err)
	}
	tab.Until("the loop's first contradiction", `document.getElementById("loop").textContent.includes("The year of the tower")`)
	tab.Quiet(h.ours)
}
