package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/report/table"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// datesOf says when the sources were published, and how many have no date; "" without sources.
func datesOf(m messages.Table, sources []Source) string {
	var years []int
	for _, s := range sources {
		if year, _, _ := loopstate.DateParts(s.PublishedAt); year > 0 {
			years = append(years, year)
		}
	}
	n := len(sources)
	switch {
	case n == 0:
		return ""
	case len(years) == 0:
		return m.Count(n, strconv.Itoa(n), "1 source, and no date of publication is known.",
			"%s sources, and of none a date of publication is known.")
	case n == 1:
		return m.T("1 source, from %d.", years[0])
	}
	first, last := slices.Min(years), slices.Max(years)
	when := strconv.Itoa(first)
	if first < last {
		when = m.T("from %d to %d", first, last)
	}
	if none := n - len(years); none > 0 {
		when += m.Count(none, strconv.Itoa(none), "; 1 has none", "; %s have none")
	}
	return m.T("%d of %s have a date: %s.", len(years), m.Count(n, strconv.Itoa(n), "1 source", "%s sources"), when)
}

// comparisonOf returns the evidence table, or nil if no claim fills a cell. Its references lead to the list of sources if linked.
func comparisonOf(f facts, linked bool) *table.Shown {
	verdicts := map[string]style.Verdict{} // of the report's own check
	for _, s := range f.Sentences {
		verdicts[s.ClaimID] = s.Verdict()
	}
	verdict := func(e table.Entry) style.Verdict {
		return cmp.Or(verdicts[e.ClaimID], style.VerdictOf(e.Status))
	}
	link := func(id, lines string) (out table.Link) {
		if out.Label = sanitize.Line(id); lines != "" {
			lines = ":" + lines
		}
		if source, at, ok := f.source(id); ok {
			out.Label = source.label()
			if linked {
				out.Href = fmt.Sprintf("#source-%d", at+1)
			}
		}
		out.Label += lines
		return out
	}
	return f.Table.Show(table.Limits{}, verdict, link)
}

// renderTable writes the table alone, with its sources.
func renderTable(d Document) ([]byte, error) {
	f := factsOf(d)
	var sources []sourceView
	for i := range f.Sources {
		sources = append(sources, sourceViewOf(f, i))
	}
	out, err := markdownPart(f.words.Lang(), "table", struct {
		Title   string
		Table   *table.Shown
		Sources []sourceView
	}{mdEscape(heading(d)), comparisonOf(f, false), sources})
	return []byte(out), err
}
