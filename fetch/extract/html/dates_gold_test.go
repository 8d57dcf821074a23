package html

import (
	"bufio"
	"encoding/json"
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/charset"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// datesFolder holds pages with the day on which they were published. They are not part of the repository; without them
// TestGoldDates is skipped.
var datesFolder = flag.String("dates", "../../../../shared/data/dates", "folder of the dated pages")

// TestGoldDates checks that the dates of pages do not get worse. A date that is missing is honest; a wrong one is not.
func TestGoldDates(t *testing.T) {
	f, err := os.Open(filepath.Join(*datesFolder, "gold.jsonl"))
	if err != nil {
		t.Skip("the dated pages are not here: ", *datesFolder)
	}
	defer f.Close()
	var pages, right, wrong int
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var g struct{ ID, URL, Date string }
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(g.URL)
		if err != nil {
			t.Fatal(err)
		}
		body := gunzip(t, filepath.Join(*datesFolder, "pages", g.ID+".html.gz"))
		d, err := Read(t.Context(), charset.Decode(body, "text/html", document.TypeHTML), u)
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
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if right < pages*84/100 || wrong > pages*4/100 {
		t.Errorf("%d of %d dates are right and %d wrong; want at least 84 %% and at most 4 %%", right, pages, wrong)
	}
	t.Logf("%d pages: %d right, %d wrong, %d without a date", pages, right, wrong, pages-right-wrong)
}
