package web

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// A draft with a true and a false sentence is checked: nobody has read either yet, and the false one has a remark.
func pasteADraft(t *testing.T, b *browsertest.Browser) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	tab := h.comeIn(t, b)
	tab.Do(chromedp.Navigate(h.at(loop)+"/verify"), chromedp.WaitVisible(chromedp.CSS(`#draft`)))
	const truth, lie = "The last keeper, Anton Brandt, left the tower in 1987.", "The last keeper, Anton Brandt, left the tower in 1911."
	tab.Do(chromedp.SendKeys(chromedp.CSS(`#draft`), strings.TrimSuffix(truth, ".")+" [S1].\r\r"+strings.TrimSuffix(lie, ".")+" [S1]."), chromedp.Click(chromedp.CSS(`form:has(#draft) button`)))
	tab.Until("the verdicts", `document.querySelectorAll(".sentences > li").length === 2`)
	said := browsertest.Ask[[]string](tab, `[...document.querySelectorAll(".sentences > li")].map(li => li.textContent)`)
	for i, want := range [][]string{{truth, "≈ not read yet"}, {lie, "≈ not read yet", "1911"}} {
		for _, w := range want {
			if !strings.Contains(said[i], w) {
				t.Errorf("sentence %d lacks %q: %s", i+1, w, said[i])
			}
		}
	}
	if got := browsertest.Ask[string](tab, `document.getElementById("h-verdict").textContent`); !strings.Contains(got, "Not all is read yet") {
		t.Errorf("the draft as a whole: %s", got)
	}
	tab.Do(chromedp.Click(chromedp.CSS(`.sentences > li:first-child a[href*="#here"]`)))
	tab.Until("the passage", `document.querySelector("mark.here")`)
	if got := browsertest.Ask[string](tab, shownPassage); !strings.Contains(lighthouse, got) || !strings.Contains(got, "1987") {
		t.Errorf("the passage of the true sentence is %q", got)
	}
	tab.Quiet(h.ours)
}
