package report

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// cells returns the evidence table as texts on one line each, each escaped: a header, and source by source what the sentences say that cite
// it, with their states. Without such a sentence it is an error.
func cells(d Document, escape func(string) string) ([][]string, error) {
	rows := [][]string{{"source", "title", "claim id", "claim", "lines", "verdict", "published", "flags"}}
	states := d.States()
	for _, src := range d.Sources {
		for i, s := range d.Sentences {
			if slices.Contains(s.sources(), src.ID) {
				rows = append(rows, []string{src.ID, src.title(), s.ClaimID, s.Text, src.ID + after(":", s.lines(src.ID)),
					states[i].Verdict().Word, src.PublishedAt, strings.Join(src.Flags, "; ")})
			}
		}
	}
	if len(rows) == 1 {
		return nil, &loopstate.Error{Code: loopstate.CodeNothingToSay, Subject: "claims"}
	}
	for _, row := range rows[1:] {
		for i, text := range row {
			row[i] = escape(sanitize.Line(text))
		}
	}
	return rows, nil
}

func renderCSV(d Document) ([]byte, error) {
	var b bytes.Buffer
	rows, err := cells(d, sanitize.CSV)
	if err == nil {
		err = csv.NewWriter(&b).WriteAll(rows)
	}
	return b.Bytes(), err
}

func renderTable(d Document) ([]byte, error) {
	b := bytes.NewBufferString("# " + md(heading(d)) + "\n\n")
	rows, err := cells(d, sanitize.Markdown)
	for i, line := range rows {
		b.WriteString("| " + strings.Join(line, " | ") + " |\n")
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", len(line)) + "|\n")
		}
	}
	return b.Bytes(), err
}
