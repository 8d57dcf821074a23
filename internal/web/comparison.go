package web

import (
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/table"
	"github.com/citeloop/citeloop/internal/views"
)

// Rows, columns, and claims of a cell that the page shows (chosen: the page stays below 2.5 MB with the worst texts). The report
// has all of them.
const maxComparedRows, maxComparedFields, maxComparedValues = 40, 8, 3

// comparison is the evidence table of a loop.
type comparison struct {
	Fields  []string
	Rows    []comparedRow
	Differs bool // some values do
	Cut     bool // the report has more
}

type comparedRow struct {
	Name  string
	Cells [][]comparedValue
}

// comparedValue is what one claim says in a cell.
type comparedValue struct {
	table.Entry
	Verdict drawing.Verdict
	Refs    []answerCitation
}

// comparisonOf returns nil if no claim fills a cell.
func comparisonOf(detail views.LoopDetail) *comparison {
	t := detail.Table
	if t == nil {
		return nil
	}
	verdicts := map[string]drawing.Verdict{}
	for _, c := range detail.Claims {
		verdicts[c.ID] = verdictOf(detail, c)
	}
	out := &comparison{Fields: t.Fields[:min(len(t.Fields), maxComparedFields)], Cut: len(t.Rows) > maxComparedRows || len(t.Fields) > maxComparedFields}
	for _, row := range t.Rows[:min(len(t.Rows), maxComparedRows)] {
		r := comparedRow{Name: row.Name}
		for _, cell := range row.Cells[:len(out.Fields)] {
			var values []comparedValue
			out.Cut = out.Cut || len(cell) > maxComparedValues
			for _, e := range cell[:min(len(cell), maxComparedValues)] {
				out.Differs = out.Differs || len(e.Differs) > 0
				v := comparedValue{Entry: e, Verdict: verdicts[e.ClaimID]}
				for i, ref := range strings.Split(e.Lines, "; ") {
					if i == maxComparedValues {
						break
					}
					id, lines, _ := strings.Cut(ref, ":")
					href := sourceAddress(detail.StateID, id)
					if lines != "" {
						href += "?lines=" + url.QueryEscape(lines) + "#here"
					}
					v.Refs = append(v.Refs, answerCitation{ID: ref, Href: href})
				}
				values = append(values, v)
			}
			r.Cells = append(r.Cells, values)
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}
