package web

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/review"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// logIn opens the page by a one-time link.
func (h fixture) logIn(t *testing.T, b *browsertest.Browser) *browsertest.Tab {
	t.Helper()
	tab := b.Tab(t)
	tab.Show(browsertest.Screens()[1], h.srv.URL+h.page.Link())
	return tab
}

func (h fixture) ours(url string) bool { return strings.HasPrefix(url, h.srv.URL) }

// axe-core finds no violation of WCAG 2.2 AA or of its best practices in any view, nothing is wider than the screen, and
// the keyboard reaches everything.
func TestAccessibility(t *testing.T) {
	axe := browsertest.LoadAxe(t)
	b := browsertest.Open(t)
	h, locked := newFixture(t, nil), newFixture(t, func(c *Config) { c.Auth = tokens{} })
	tab := h.logIn(t, b)
	loop, waiting := h.research(t, t.Context()), h.toReview(t)
	if _, err := h.svc.Verify(t.Context(), loops.VerifyInput{Loop: loop,
		Draft: "# The tower\n\nIt was built in 1874 [S1:1].\n\nIt has 900 steps [S9].\n\nIt is tall."}); err != nil {
		t.Fatal(err)
	}
	asked, err := h.svc.Review(t.Context(), loops.ReviewInput{Loop: waiting, Reader: loopstate.Reader{Kind: loops.ReaderPerson}})
	if err != nil || len(asked.Items) == 0 {
		t.Fatal(err)
	}
	root, at := h.srv.URL+Root, h.srv.URL+Root+"loops/"+loop
	for name, address := range map[string]string{
		"the login form": locked.srv.URL + Root, "the list": root, "a loop": at, "the panel": at + "#e1",
		"a source":           at + "/sources/S1?s=1#here",
		"a loop with claims": root + "loops/" + waiting, "a review": root + "loops/" + waiting + "/review",
		"a review to begin": at + "/review", "a refusal": root + "nowhere",
	} {
		for i, s := range browsertest.Screens() {
			if i == 0 { // loading it for each screen would take most of the time
				tab.Show(s, address)
			}
			tab.On(s)
			_ = browsertest.Ask[bool](tab, `document.querySelectorAll("details").forEach(d => d.open = true), true`)
			tab.Fits(s)
			if i != 0 && i != 4 { // a phone in daylight, a desk at night: the size and the theme change what axe-core sees
				continue
			}
			for _, found := range tab.Barriers(axe) {
				t.Errorf("%s at %v: %s", name, s, found)
			}
		}
		walk(t, tab, name)
		tab.Quiet(func(url string) bool { return h.ours(url) || locked.ours(url) })
	}
}

const (
	// stops are the elements that a keyboard should reach, numbered.
	stops = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter(e => ` +
		`e.type !== 'hidden' && e.checkVisibility({visibilityProperty: true})).map((e, i) => { e.dataset.stop = i; ` +
		`return e.outerHTML.slice(0, 120) })`
	// stop is the number of the one with the focus, -1 outside the page. It is seen if it has an outline and a part of it is in view
	// and not covered.
	stop = `(() => {
		const e = document.activeElement, box = [...e.getClientRects()].find(r => r.width > 0);
		if (!box || e.dataset.stop === undefined) return {at: -1};
		const clamp = (n, most) => Math.min(Math.max(n, 0), most - 1);
		const over = document.elementFromPoint(clamp(box.left + Math.min(box.width / 2, 12), innerWidth),
			clamp(box.top + Math.min(box.height / 2, 8), innerHeight));
		const style = getComputedStyle(e), outline = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
		return {at: +e.dataset.stop, seen: outline && !!over && (e.contains(over) || over.contains(e)) && box.bottom > 0 &&
			box.top < innerHeight && box.right > 0 && box.left < innerWidth};
	})()`
)

// walk moves through the page with the Tab key. It reports elements that Tab does not reach, and those on which it cannot be seen.
func walk(t *testing.T, b *browsertest.Tab, name string) {
	t.Helper()
	want := browsertest.Ask[[]string](b, stops)
	seen := map[int]bool{}
	for range 2*len(want) + 10 {
		b.Do(chromedp.KeyEvent(kb.Tab))
		got := browsertest.Ask[struct {
			At   int
			Seen bool
		}](b, stop)
		if _, again := seen[got.At]; again && got.At >= 0 {
			break
		}
		seen[got.At] = got.Seen
	}
	for i, html := range want {
		if !seen[i] {
			t.Errorf("%s: the keyboard does not reach %s, or nobody sees it there", name, html)
		}
	}
}

// With a script each answer of a review is saved at once, and the answered ones do not return after a reload.
func TestReviewInABrowser(t *testing.T) {
	b := browsertest.Open(t)
	h := newFixture(t, nil)
	loop, tab := h.toReview(t), h.logIn(t, b)
	asked, err := h.svc.Review(t.Context(), loops.ReviewInput{Loop: loop, Reader: loopstate.Reader{Kind: loops.ReaderPerson}})
	if err != nil {
		t.Fatal(err)
	}
	tab.Do(chromedp.Navigate(h.srv.URL + Root + "loops/" + loop + "/review"))
	tab.Until("the items", `document.querySelectorAll("form.item").length > 1`)
	before := h.version(t, loops.LocalOwner, loop)
	tab.Do(chromedp.KeyEvent("4"))
	tab.Until("the answer is saved", `document.getElementById("progress").textContent.startsWith("1 of ")`)
	if h.version(t, loops.LocalOwner, loop) != before+1 {
		t.Error("the answer is not in the log")
	}
	tab.Do(chromedp.Reload())
	tab.Until("the others are left", `document.querySelectorAll("form.item").length === `+strings.Repeat("1+", len(asked.Items)-2)+`1`)
	tab.Quiet(h.ours)

	// The file keeps its answers in the browser.
	var file bytes.Buffer
	towers := reader.Passage{SourceID: "S1", Lines: "3-4", Heading: "Towers", Text: "It is\n\ttall."}
	items := []verify.ReviewItem{{Item: "I1", Claim: "The tower is tall.",
		Passages: []reader.Passage{towers}},
		{Item: "I2", Claim: "It is old.</script>"}}
	path := filepath.Join(t.TempDir(), "review.html")
	if err := review.WriteFile(&file, "b1", items); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	tab.Do(chromedp.Navigate("file://" + path))
	tab.Until("the file", `document.querySelectorAll("form.item").length === 2`)
	if shown := browsertest.Ask[string](tab, `[...document.querySelectorAll(".l")].map(l => l.dataset.n + `+
		`l.textContent).join("|")`); shown != "3It is|4\ttall." {
		t.Errorf("the lines are %q", shown)
	}
	tab.Do(chromedp.KeyEvent("1"), chromedp.Reload())
	tab.Until("the kept answer", `document.getElementById("progress").textContent === "1 of 2 answered"`)
}
