package report

import (
	"cmp"
	"fmt"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/table"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// comparisonOf returns the evidence table, or nil if no claim fills a cell. Its references lead to the list of sources if linked.
func comparisonOf(f facts, linked bool) *table.Shown {
	verdicts := map[string]drawing.Verdict{} // of the report's own check
	for _, s := range f.Sentences {
		verdicts[s.ClaimID] = s.Verdict()
	}
	verdict := func(e table.Entry) drawing.Verdict {
		return cmp.Or(verdicts[e.ClaimID], drawing.VerdictOf(e.Status))
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
	m := markdownReport{view: view{Interface: f.words.Lang(), Comparison: comparisonOf(f, false)}, Title: mdEscape(heading(d)), f: f}
	for i := range f.Sources {
		m.Cited = append(m.Cited, sourceViewOf(f, i))
	}
	out, err := m.part("table")
	return []byte(out), err
}
