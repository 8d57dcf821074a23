package report

import (
	"html/template"
	"slices"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/loopstate"
)

// datesView shows the dates of the sources as a drawing, a sentence and a table.
type datesView struct {
	Drawing template.HTML
	Says    string
	Rows    []datesRow
}

type datesRow struct {
	Period      string
	Cited, Read []sourceRef
}

// dated returns the sources with their dates.
func (f facts) dated() []drawing.Dated {
	out := make([]drawing.Dated, len(f.Sources))
	for i, s := range f.Sources {
		year, month, _ := loopstate.DateParts(s.PublishedAt)
		out[i] = drawing.Dated{Year: year, Month: month, Cited: s.Number > 0, Index: i}
	}
	return out
}

// datesOf returns nil if all sources are of one period.
func datesOf(f facts) *datesView {
	periods := drawing.Periods(f.dated(), f.AsOf)
	filled := slices.DeleteFunc(slices.Clone(periods), func(p drawing.Period) bool { return p.Sources() == 0 })
	if len(filled) < 2 { // a chart with one bar shows nothing
		return nil
	}
	v := &datesView{Drawing: template.HTML(drawing.Timeline(f.words, periods)), Says: drawing.Dates(f.words, f.dated())} //nolint:gosec // drawing escapes
	refs := func(indexes []int) (out []sourceRef) {
		for _, i := range indexes {
			out = append(out, refTo(f.words, f.Sources[i], i))
		}
		return out
	}
	for _, p := range filled {
		v.Rows = append(v.Rows, datesRow{Period: p.Name, Cited: refs(p.Cited), Read: refs(p.Read)})
	}
	return v
}
