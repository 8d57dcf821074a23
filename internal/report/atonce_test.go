package report

import (
	"testing"
	"time"

	"github.com/citeloop/citeloop/fetch/browser/browsertest"
)

// A report of 10,000 words, 300 claims and 150 sources is there at once. The bound is for machines that are busy with
// other tests; what a quiet one takes is in the log.
func TestBigReportIsThereAtOnce(t *testing.T) {
	const limit = 10 * time.Second
	b := browsertest.Open(t).Tab(t)
	start := time.Now()
	page := render(t, HTML, big(t))
	t.Logf("written in %v, %d bytes", time.Since(start).Round(time.Millisecond), len(page))
	url := served(t, map[string][]byte{"/big": page}) + "/big"
	for _, s := range []browsertest.Screen{{Width: 360, Height: 740, Theme: "dark"}, {Width: 1280, Height: 900, Theme: "light"}} {
		b.Show(s, url)
		shown := time.Duration(browsertest.Ask[float64](b, `new Promise(done => requestAnimationFrame(() => setTimeout(() => done(performance.now()), 0)))`) * float64(time.Millisecond))
		t.Logf("%v: on the screen %v after it was asked for", s, shown.Round(time.Millisecond))
		if shown > limit {
			t.Errorf("%v: it took %v, more than %v", s, shown, limit)
		}
		begin := time.Now()
		_ = browsertest.Ask[bool](b, `(location.hash = '#r300-1', document.querySelector('.receipt:target mark').getBoundingClientRect().height > 0)`)
		if took := time.Since(begin); took > limit {
			t.Errorf("%v: a passage opened after %v", s, took)
		} else {
			t.Logf("%v: the last passage opened in %v", s, took.Round(time.Millisecond))
		}
	}
}
