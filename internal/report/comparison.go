package report

import (
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/table"
)

// comparisonView is the evidence table in a report.
type comparisonView struct {
	Fields  []string
	Rows    []comparedRow
	Differs bool // some values differ
	Linked  bool // references lead to the list of sources
}

type comparedRow struct {
	Name  string
	Cells [][]comparedValue
}

// comparedValue is what one claim says in a cell. Its lists are joined.
type comparedValue struct {
	table.Entry
	Verdict drawing.Verdict
	Refs    []comparedLines
	Dated   string
	Flags   string
	Differs string // ids of the claims that say another number
}

// comparedLines are lines of a source.
type comparedLines struct {
	sourceRef
	Lines string // "" for the whole source
}

// comparisonOf returns nil if no claim fills a cell.
func comparisonOf(f facts) *comparisonView {
	if f.Table == nil {
		return nil
	}
	out := &comparisonView{Fields: f.Table.Fields, Linked: true}
	verdicts := map[string]drawing.Verdict{} // of the report's own check
	for _, s := range f.Sentences {
		verdicts[s.ClaimID] = s.Verdict()
	}
	for _, row := range f.Table.Rows {
		r := comparedRow{Name: row.Name}
		for _, cell := range row.Cells {
			var values []comparedValue
			for _, e := range cell {
				v := comparedValue{Entry: e, Verdict: drawing.VerdictOf(e.Status), Dated: strings.Trim(strings.Join(e.Dated, ", "), ", "), Flags: strings.Join(e.Flags, "; "), Differs: strings.Join(e.Differs, ", ")}
				if own, ok := verdicts[e.ClaimID]; ok {
					v.Verdict = own
				}
				for ref := range strings.SplitSeq(e.Lines, "; ") {
					id, lines, _ := strings.Cut(ref, ":")
					shown := comparedLines{sourceRef{Label: id}, lines}
					if src, at, ok := f.source(id); ok {
						shown.sourceRef = refTo(f.words, src, at)
					}
					v.Refs = append(v.Refs, shown)
				}
				out.Differs = out.Differs || v.Differs != ""
				values = append(values, v)
			}
			r.Cells = append(r.Cells, values)
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}

// renderTable writes the table alone, with its sources.
func renderTable(d Document) ([]byte, error) {
	f := factsOf(d)
	m := markdownReport{view: view{Interface: f.words.Lang(), Comparison: comparisonOf(f)}, Title: mdEscape(heading(d)), f: f}
	m.Comparison.Linked = false
	for i := range f.Sources {
		m.Cited = append(m.Cited, sourceViewOf(f, i))
	}
	out, err := m.part("table")
	return []byte(out), err
}
