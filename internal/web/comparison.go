package web

import (
	"net/url"

	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/report/table"
	"github.com/citeloop/citeloop/internal/views"
)

// comparedShown bounds the evidence table (chosen: the page stays below 2.5 MB with the worst texts). The report has all of it.
var comparedShown = table.Limits{Rows: 40, Fields: 8, Values: 3, Chars: 240, Total: 25_000}

// comparisonOf returns nil if no claim fills a cell.
func comparisonOf(detail views.LoopDetail) *table.Shown {
	verdicts := map[string]style.Verdict{}
	for _, c := range detail.Claims {
		verdicts[c.ID] = detail.Verdict(c)
	}
	verdict := func(e table.Entry) style.Verdict { return verdicts[e.ClaimID] }
	return detail.Table.Show(comparedShown, verdict, func(id, lines string) table.Link {
		if lines == "" {
			return table.Link{Label: id, Href: sourceAddress(detail.StateID, id)}
		}
		return table.Link{Label: id + ":" + lines, Href: sourceAddress(detail.StateID, id) + "?lines=" + url.QueryEscape(lines) + "#here"}
	})
}
