package report

import (
	"testing"
	"time"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
	"github.com/citeloop/citeloop/internal/cputime"
)

// A report of 10,000 words, 300 claims and 150 sources is written quickly, has few elements, and opens its last passage.
func TestBigReport(t *testing.T) {
	const maxWork, maxElements = 5 * time.Second, 30_000
	started := cputime.Used()
	page := render(t, HTML, big(t))
	if work := cputime.Used() - started; work > maxWork {
		t.Errorf("writing it took %v of processor time, more than %v", work, maxWork)
	} else {
		t.Logf("written in %v of processor time, %d bytes", work, len(page))
	}
	b := browsertest.Open(t).Tab(t)
	url := served(t, map[string][]byte{"/big": page}) + "/big"
	for _, s := range []browsertest.Screen{{Width: 360, Height: 740, Theme: "dark"}, {Width: 1280, Height: 900, Theme: "light"}} {
		b.Show(s, url)
		if n := browsertest.Ask[int](b, `document.querySelectorAll('*').length`); n > maxElements {
			t.Errorf("%v: %d elements, more than %d", s, n, maxElements)
		} else {
			t.Logf("%v: %d elements", s, n)
		}
		if !browsertest.Ask[bool](b, `(location.hash = '#r300-1', document.querySelector('.receipt:target .cited').getBoundingClientRect().height > 0)`) {
			t.Errorf("%v: the last passage does not open", s)
		}
	}
}
