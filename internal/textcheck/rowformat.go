package textcheck

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// WriteRows writes rows in one of [RowFormats]: JSON, or in text their findings.
func WriteRows(w io.Writer, format string, r *Rows, failOn []Kind, threshold float64) error {
	switch format {
	case JSONL:
		e := outcome.JSON(w, false)
		for _, row := range r.Rows {
			if err := e.Encode(row); err != nil {
				return err
			}
		}
		return nil
	case JSON:
		return writeRowsJSON(w, r, r.Verdict(failOn, threshold))
	case Text:
	default:
		return CheckFormat(format, RowFormats())
	}
	b := bufio.NewWriter(w)
	for _, row := range r.Rows {
		at := r.place(row)
		if len(row.Unknown) > 0 {
			fmt.Fprintln(b, r.unknown(at, row.Claim, row.Unknown))
		}
		found := findingsOf(row.of)
		for i := range found {
			found[i].Near, found[i].Fails = nearest(row.Passages), fails(found[i].Kind, failOn)
		}
		for _, f := range shown(found) {
			writeFinding(b, at, f)
		}
	}
	for _, x := range r.Lost {
		fmt.Fprintln(b, r.unknown(sanitize.Line(r.claims), x.Topic, x.Unknown))
	}
	fmt.Fprintf(b, "%s: %s: %s\n", sanitize.Line(r.claims), r.Verdict(failOn, threshold), r)
	return b.Flush()
}

// writeRowsJSON writes one object, with each row on a line.
func writeRowsJSON(w io.Writer, r *Rows, verdict string) error {
	var rows [][]byte
	add := func(v any) error {
		var b bytes.Buffer
		err := outcome.JSON(&b, false).Encode(v)
		rows = append(rows, bytes.TrimSpace(b.Bytes()))
		return err
	}
	for _, row := range r.Rows {
		if err := add(row); err != nil {
			return err
		}
	}
	verdicts := "[]"
	if len(rows) > 0 {
		verdicts = "[\n    " + string(bytes.Join(rows, []byte(",\n    "))) + "\n  ]"
	}
	err := add(struct {
		Verdict string `json:"verdict"`
		Counts
		Hallucinated int                 `json:"hallucinated"`
		Review       *ReviewSummary      `json:"review,omitempty"`
		Lost         []LostContradiction `json:"hallucinated_in_contradictions"`
	}{verdict, countsOf(r.Tally), r.Hallucinated, r.Review, orEmpty(r.Lost)})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "{\n  \"verdicts\": %s,\n  \"summary\": %s\n}\n", verdicts, rows[len(rows)-1])
	return err
}

// Unknown describes each claim and contradiction that cites what is not there.
func (r *Rows) Unknown() []string {
	var out []string
	for _, row := range r.Rows {
		if len(row.Unknown) > 0 {
			out = append(out, r.unknown(r.place(row), row.Claim, row.Unknown))
		}
	}
	for _, x := range r.Lost {
		out = append(out, r.unknown(sanitize.Line(r.claims), x.Topic, x.Unknown))
	}
	return out
}

func (r *Rows) unknown(at, claim string, ids []string) string {
	shown := make([]string, len(ids))
	for i, id := range ids {
		shown[i] = sanitize.Short(id, 60)
	}
	return fmt.Sprintf("%s: HALLUCINATED CITATION in %q: %s (no text in %s)", at, sanitize.Short(claim, 60), strings.Join(shown, ", "), sanitize.Line(r.sources))
}

// place names a row: by its line, or in a file that is one object by its id.
func (r *Rows) place(row Row) string {
	if row.Line == 0 {
		return sanitize.Line(r.claims) + ": " + sanitize.Short(strings.Trim(string(row.ID), `"`), 60)
	}
	return fmt.Sprintf("%s:%d", sanitize.Line(r.claims), row.Line)
}
