package report

import (
	"fmt"
	"html/template"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/loopstate"
)

// datesView is when the sources are from: a drawing, a sentence, and the same as a table.
type datesView struct {
	Drawing template.HTML
	Says    string
	Rows    []datesRow
}

type datesRow struct {
	Period      string
	Cited, Read []sourceRef
}

// periods are the sources in time.
func (f facts) periods() []drawing.Period {
	dated := make([]drawing.Dated, len(f.Sources))
	for i, s := range f.Sources {
		year, month, _ := loopstate.DateParts(s.PublishedAt)
		dated[i] = drawing.Dated{Year: year, Month: month, Cited: s.Number > 0, Index: i}
	}
	return drawing.Periods(dated, f.AsOf)
}

// datesOf is nil without sources.
func datesOf(f facts) *datesView {
	periods := f.periods()
	if len(periods) == 0 {
		return nil
	}
	v := &datesView{Drawing: template.HTML(drawing.Timeline(periods)), Says: f.dates()} //nolint:gosec // drawing escapes
	refs := func(indexes []int) (out []sourceRef) {
		for _, i := range indexes {
			out = append(out, refTo(f.Sources[i], i))
		}
		return out
	}
	for _, p := range periods {
		if p.Sources() > 0 {
			v.Rows = append(v.Rows, datesRow{Period: p.Name, Cited: refs(p.Cited), Read: refs(p.Read)})
		}
	}
	return v
}

// dates says in words when the sources are from, and of how many nobody knows; "" without sources.
func (f facts) dates() string {
	var years []int
	for _, s := range f.Sources {
		if year, _, _ := loopstate.DateParts(s.PublishedAt); year > 0 {
			years = append(years, year)
		}
	}
	n, undated := len(f.Sources), len(f.Sources)-len(years)
	switch {
	case n == 0:
		return ""
	case len(years) == 0:
		return drawing.Count(n, "source, and no date of publication is known.", "sources, and of none a date of publication is known.")
	}
	first, last := years[0], years[0]
	for _, y := range years {
		first, last = min(first, y), max(last, y)
	}
	says := fmt.Sprintf("%d of %s have a date: from %d to %d", len(years), drawing.Count(n, "source", "sources"), first, last)
	switch {
	case n == 1:
		return fmt.Sprintf("1 source, from %d.", first)
	case first == last:
		says = fmt.Sprintf("%d of %s have a date: %d", len(years), drawing.Count(n, "source", "sources"), first)
	}
	if undated == 0 {
		return says + "."
	}
	return says + fmt.Sprintf("; %s.", drawing.Count(undated, "has none", "have none"))
}
