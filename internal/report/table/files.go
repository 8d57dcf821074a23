package table

import (
	"bytes"
	"encoding/csv"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// header names the columns of [Table.values].
var header = []string{"subject", "field", "value", "lines", "verdict", "published", "differs from", "flags", "claim", "claim id", "sources"}

// values returns the entries of the table, one a row.
func (t *Table) values() [][]string {
	out := [][]string{header}
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

// Verdict is the status in a word.
func (e Entry) Verdict() string {
	if e.Status == "" {
		return "not checked"
	}
	return e.Status
}

// CSV returns the entries, one a row. Texts that a spreadsheet would calculate are made texts by an apostrophe.
func (t *Table) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for _, row := range t.values() {
		for i, text := range row {
			row[i] = inert(text)
		}
		if err := w.Write(row); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// inert returns a text that no spreadsheet takes for a formula. A minus before a digit is a number.
func inert(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r", rune(s[0])) || len(s) > 1 && s[0] == '-' && s[1] >= '0' && s[1] <= '9' && !strings.ContainsAny(s, "=+(|!@") {
		return s
	}
	return "'" + s
}
