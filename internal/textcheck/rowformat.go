package textcheck

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// RowWriter writes the rows of [Claims] and [Synthesis] in one of [RowFormats].
type RowWriter struct {
	b       *bufio.Writer
	format  string
	claims  string // the name of the file of claims
	sources string // and of the texts
	failOn  []Kind
	rows    int
}

// NewRowWriter writes to w; claims and sources are the names of the files.
func NewRowWriter(w io.Writer, format, claims, sources string, failOn []Kind) *RowWriter {
	return &RowWriter{b: bufio.NewWriter(w), format: format, claims: claims, sources: sources, failOn: failOn}
}

// Row writes one row: JSON, or in text its findings.
func (w *RowWriter) Row(r Row) error {
	w.rows++
	switch w.format {
	case JSONL:
		return rowWriter(w.b).Encode(r)
	case JSON:
		before := ",\n    "
		if w.rows == 1 {
			before = "{\n  \"verdicts\": [\n    "
		}
		if _, err := w.b.WriteString(before); err != nil {
			return err
		}
		return encodeInline(w.b, r)
	}
	at := RowPlace(w.claims, r)
	if len(r.Unknown) > 0 {
		fmt.Fprintln(w.b, HallucinatedLine(at, r.Claim, r.Unknown, w.sources))
	}
	found := findingsOf(r.of)
	for i := range found {
		found[i].Near, found[i].Fails = nearest(r.Passages), fails(found[i].Kind, w.failOn)
	}
	for _, f := range shown(found) {
		writeFinding(w.b, at, f)
	}
	return nil
}

// Lost writes a contradiction that cites unknown ids. JSON has it in the summary.
func (w *RowWriter) Lost(x LostContradiction) {
	if w.format == Text {
		fmt.Fprintln(w.b, HallucinatedLine(sanitize.Line(w.claims), x.Topic, x.Unknown, w.sources))
	}
}

// HallucinatedLine describes a citation without a text.
func HallucinatedLine(at, claim string, ids []string, sources string) string {
	shown := make([]string, len(ids))
	for i, id := range ids {
		shown[i] = sanitize.Short(id, 60)
	}
	return fmt.Sprintf("%s: HALLUCINATED CITATION in %q: %s (no text in %s)", at, sanitize.Short(claim, 60), strings.Join(shown, ", "), sanitize.Line(sources))
}

// RowPlace names a row: by its line, or in a file that is one object by its id.
func RowPlace(claims string, r Row) string {
	if r.Line == 0 {
		return sanitize.Line(claims) + ": " + sanitize.Short(strings.Trim(string(r.ID), `"`), 60)
	}
	return fmt.Sprintf("%s:%d", sanitize.Line(claims), r.Line)
}

// Close writes the end of the output and flushes it.
func (w *RowWriter) Close(t RowTally, verdict string, lost []LostContradiction) error {
	switch w.format {
	case JSON:
		before := "\n  ],\n  \"summary\": "
		if w.rows == 0 {
			before = "{\n  \"verdicts\": [],\n  \"summary\": "
		}
		if _, err := w.b.WriteString(before); err != nil {
			return err
		}
		err := encodeInline(w.b, struct {
			Verdict string `json:"verdict"`
			Counts
			Hallucinated int                 `json:"hallucinated"`
			Review       *ReviewSummary      `json:"review,omitempty"`
			Lost         []LostContradiction `json:"hallucinated_in_contradictions"`
		}{verdict, countsOf(t.Tally), t.Hallucinated, t.Review, orEmpty(lost)})
		if err != nil {
			return err
		}
		if _, err := w.b.WriteString("\n}\n"); err != nil {
			return err
		}
	case Text:
		fmt.Fprintf(w.b, "%s: %s: %s\n", sanitize.Line(w.claims), verdict, t)
	}
	return w.b.Flush()
}

// encodeInline writes a value without a line end.
func encodeInline(w io.Writer, v any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, strings.TrimSuffix(b.String(), "\n"))
	return err
}

// Flush flushes the output.
func (w *RowWriter) Flush() error { return w.b.Flush() }
