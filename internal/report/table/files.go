package table

import (
	"bytes"
	"encoding/csv"
	"strings"

	"github.com/xuri/excelize/v2"

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

// XLSX returns a workbook: the table, and a sheet with its entries one a row.
func (t *Table) XLSX() ([]byte, error) {
	f := excelize.NewFile()
	defer f.Close()
	wide := [][]string{{""}}
	for _, field := range t.Fields {
		wide[0] = append(wide[0], sanitize.Line(field))
	}
	for _, row := range t.Rows {
		line := []string{sanitize.Line(row.Name)}
		for _, cell := range row.Cells {
			var says []string
			for _, e := range cell {
				says = append(says, sanitize.Line(strings.Join(append([]string{e.Value, "[" + e.Lines + "]", e.Verdict()}, e.Flags...), " ")))
			}
			line = append(line, strings.Join(says, "\n"))
		}
		wide = append(wide, line)
	}
	if err := f.SetSheetName("Sheet1", "Table"); err != nil {
		return nil, err
	}
	if _, err := f.NewSheet("Values"); err != nil {
		return nil, err
	}
	if err := write(f, "Table", wide); err != nil { // in this order, which the shared strings have
		return nil, err
	}
	if err := write(f, "Values", t.values()); err != nil {
		return nil, err
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// write writes rows of texts, none of which is a formula.
func write(f *excelize.File, sheet string, rows [][]string) error {
	for y, row := range rows {
		for x, text := range row {
			at, err := excelize.CoordinatesToCellName(x+1, y+1)
			if err == nil {
				err = f.SetCellStr(sheet, at, text)
			}
			if err != nil {
				return err
			}
		}
	}
	wrap, err := f.NewStyle(&excelize.Style{Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}})
	if err != nil {
		return err
	}
	last, err := excelize.ColumnNumberToName(len(rows[0]))
	if err != nil {
		return err
	}
	if err := f.SetColStyle(sheet, "A:"+last, wrap); err != nil {
		return err
	}
	if err := f.SetColWidth(sheet, "A", last, 32); err != nil {
		return err
	}
	return f.SetPanes(sheet, &excelize.Panes{Freeze: true, XSplit: 1, YSplit: 1, TopLeftCell: "B2", ActivePane: "bottomRight"})
}
