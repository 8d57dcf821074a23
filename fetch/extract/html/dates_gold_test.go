package html

import (
	"flag"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/charset"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// datesFolder holds pages with the day on which they were published. They are not part of the repository; without them
// TestGoldDates is skipped.
var datesFolder = flag.String("dates", "", "folder of the dated pages")

// TestGoldDates checks that the dates of pages do not get worse. A date that is missing is honest; a wrong one is not.
func TestGoldDates(t *testing.T) {
	t.Parallel()
	var pages, right, wrong int
	for g := range goldLines[struct{ ID, URL, Date string }](t, *datesFolder) {
		u, err := url.Parse(g.URL)
		if err != nil {
			t.Fatal(err)
		}
		body := gunzip(t, filepath.Join(*datesFolder, "pages", g.ID+".html.gz"))
		d, err := written(t.Context(), charset.Decode(body, "text/html", document.TypeHTML), u)
		if err != nil {
			t.Fatal(err)
		}
		pages++
		switch d.PublishedAt {
		case g.Date:
			right++
		case "":
		default:
			wrong++
		}
		if d.PublishedAt != g.Date {
			t.Logf("%s: published %q, modified %q, want %s, %s", g.ID, d.PublishedAt, d.ModifiedAt, g.Date, g.URL)
		}
	}
	if right < pages*82/100 || wrong > pages*5/100 {
		t.Errorf("%d of %d dates are right and %d wrong; want at least 82 %% and at most 5 %%", right, pages, wrong)
	}
	t.Logf("%d pages: %d right, %d wrong, %d without a date", pages, right, wrong, pages-right-wrong)
}
