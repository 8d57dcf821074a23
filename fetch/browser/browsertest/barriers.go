package browsertest

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Axe is the source of axe-core, which checks the accessibility of pages.
type Axe string

// LoadAxe reads the axe-core that npm installed. Without one the test is skipped.
func LoadAxe(t testing.TB) Axe {
	t.Helper()
	file := os.Getenv("CITELOOP_TEST_AXE")
	if file == "" {
		t.Skip("skipped: CITELOOP_TEST_AXE does not name the axe.min.js that npm installed (.ci/npm does)")
	}
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return Axe(source)
}

// Barriers returns the violations of WCAG 2.2 AA and of best practices that axe-core finds in the current page.
func (b *Tab) Barriers(axe Axe) (violations []string) {
	b.t.Helper()
	if !Ask[bool](b, `!!window.axe`) {
		_ = Ask[bool](b, string(axe)+"\n;true")
	}
	found := Ask[json.RawMessage](b, `axe.run({resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', `+
		`'wcag22aa', 'best-practice']}).then(r => r.violations.map(v => v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => `+
		`n.html.slice(0, 160) + ' // ' + n.failureSummary.slice(0, 300)).join(' | ')))`)
	if err := json.Unmarshal(found, &violations); err != nil {
		b.t.Fatal(err)
	}
	return violations
}

const (
	// stops marks and returns the elements that a keyboard should reach. Of a group of radio buttons it is the chosen one.
	// Links that are excluded from the tab order, as in a drawing, repeat other links.
	markStops = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter(e =>
		!e.disabled && e.type !== 'hidden' && e.checkVisibility({visibilityProperty: true}) && !(e.type === 'radio' && !e.checked) &&
		!(e.matches('a[tabindex="-1"]') && [...document.querySelectorAll('a[href]:not([tabindex="-1"])'), location].some(l => ` +
		`l.href.split('#')[0] === new URL(e.getAttribute('href'), location).href.split('#')[0]))).map((e, i) => { e.dataset.stop = ` +
		`i; return e.outerHTML.slice(0, 120) })`
	// stop returns the element with the keyboard focus, -1 outside the page. It is visible if it has an outline and a part
	// of it is in view and not covered.
	stop = `(() => {
		const e = document.activeElement;
		if (!e || e === document.body || e === document.documentElement) return {at: -1};
		const style = getComputedStyle(e), box = [...e.getClientRects()].find(r => r.width > 0) || e.getBoundingClientRect();
		const x = Math.min(Math.max(box.left + Math.min(box.width / 2, 12), 0), innerWidth - 1), y = Math.min(Math.max(box.top + ` +
		`Math.min(box.height / 2, 8), 0), innerHeight - 1);
		const over = document.elementFromPoint(x, y);
		const inSight = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth && !!over && ` +
		`(e.contains(over) || over.contains(e));
		return {at: e.dataset.stop === undefined ? -2 : +e.dataset.stop, html: e.outerHTML.slice(0, 120), outline: style.outlineStyle ` +
		`!== 'none' && parseFloat(style.outlineWidth) >= 1, inSight};
	})()`
)

// Walk moves through the page with the Tab key. It reports elements that Tab does not reach, and elements without a
// visible focus.
func (b *Tab) Walk(name string) {
	b.t.Helper()
	want := Ask[[]string](b, markStops)
	reached := map[int]bool{}
	for range 2*len(want) + 10 {
		b.Do(chromedp.KeyEvent(kb.Tab))
		got := Ask[struct {
			At      int
			HTML    string
			Outline bool
			InSight bool
		}](b, stop)
		if got.At == -1 { // between the end of the page and its beginning
			continue
		}
		if reached[got.At] {
			break
		}
		if got.At >= 0 {
			reached[got.At] = true
		}
		if !got.Outline || !got.InSight {
			b.t.Errorf("%s: it cannot be seen that the keyboard stands at %s (outline %v, in sight %v)", name, got.HTML, got.Outline,
				got.InSight)
		}
	}
	for i, html := range want {
		if !reached[i] {
			b.t.Errorf("%s: the keyboard does not reach %s", name, html)
		}
	}
}
