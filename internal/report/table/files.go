package table

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// header names the columns of [Table.values].
var header = []string{"subject", "field", "value", "lines", "verdict", "published", "differs from", "flags", "claim", "claim id", "sources"}

// values returns the entries of the table, one a row.
func (t *Table) values() [][]string {
	out := [][]string{header}
	if t == nil {
		return out
	}
	for _, row := range t.Rows {
		for i, cell := range row.Cells {
			for _, e := range cell {
				line := []string{row.Name, t.Fields[i], e.Value, e.Lines, e.Verdict(), e.published("; "), strings.Join(e.Differs, "; "), strings.Join(e.Flags, "; "),
					e.Claim, e.ClaimID, strings.Join(e.Sources, "; ")}
				for j := range line {
					line[j] = sanitize.Line(line[j])
				}
				out = append(out, line)
			}
		}
	}
	return out
}

// Verdict is the status in a word for people.
func (e Entry) Verdict() string {
	switch e.Status {
	case loopstate.Grounded:
		return "supported"
	case loopstate.Inferred:
		return "not read yet, or partly"
	case loopstate.Unsupported:
		return "not in the source"
	}
	return cmp.Or(e.Status, "not checked")
}

// published joins the dates of the sources that have one.
func (e Entry) published(sep string) string { return strings.Trim(strings.Join(e.Dated, sep), sep) }

// CSV returns the entries, one a row; nil has none.
func (t *Table) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for _, row := range t.values() {
		for i, text := range row {
			row[i] = sanitize.CSV(text)
		}
		if err := w.Write(row); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// Markdown returns the entries as a table.
func (t *Table) Markdown() string {
	if t == nil {
		return "No claim was recorded.\n"
	}
	var b strings.Builder
	b.WriteString("| source | claim | lines | verdict | published | differs from | flags |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, row := range t.Rows {
		for _, cell := range row.Cells {
			for _, e := range cell {
				b.WriteString("|")
				for _, s := range []string{row.Name, e.ClaimID + ": " + e.Value, e.Lines, e.Verdict(), e.published("; "), strings.Join(e.Differs, "; "), strings.Join(e.Flags, "; ")} {
					b.WriteString(" " + sanitize.Markdown(sanitize.Line(s)) + " |")
				}
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}
