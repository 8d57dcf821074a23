package textcheck

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// RowWriter writes the rows of [Claims] and [Synthesis] in one of [RowFormats].
type RowWriter struct {
	b       *bufio.Writer
	format  string
	claims  string // the name of the file of claims
	sources string // and of the texts
	rows    int
}

// NewRowWriter writes to w; claims and sources are the names of the files.
func NewRowWriter(w io.Writer, format, claims, sources string) *RowWriter {
	return &RowWriter{b: bufio.NewWriter(w), format: format, claims: claims, sources: sources}
}

// Row writes one row: JSON, or in text the claims that are not grounded.
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
	at := w.place(r.Line, r.Column)
	if len(r.Unknown) > 0 {
		fmt.Fprintln(w.b, HallucinatedLine(at, r.Claim, r.Unknown, w.sources))
	}
	if r.Status == grounding.Grounded || len(r.Unknown) > 0 && len(r.Passages) == 0 {
		return nil
	}
	status := string(r.Status)
	if len(r.Flags) > 0 && r.Flags[0] == grounding.FlagUncited {
		status = string(Uncited)
	}
	fmt.Fprintf(w.b, "%s: %s: %s\n    why: %s\n", at, status, sanitize.Short(r.Claim, textSentenceChars), sanitize.Short(r.Because, 2*textSentenceChars))
	if len(r.Passages) > 0 {
		p := r.Passages[0]
		fmt.Fprintf(w.b, "    near: %q, characters %d to %d of %s\n", sanitize.Short(p.Text, textSentenceChars), p.Start, p.End, sanitize.Short(p.SourceID, textAddressChars))
	}
	return nil
}

// Lost writes a contradiction that cites unknown ids. JSON has it in the summary.
func (w *RowWriter) Lost(x LostContradiction) {
	if w.format == Text {
		fmt.Fprintln(w.b, HallucinatedLine(w.place(x.Line, x.Column), x.Topic, x.Unknown, w.sources))
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

func (w *RowWriter) place(line, column int) string {
	if column == 0 {
		return fmt.Sprintf("%s:%d", sanitize.Line(w.claims), line)
	}
	return fmt.Sprintf("%s:%d:%d", sanitize.Line(w.claims), line, column)
}

// Close writes the end of the output and flushes it.
func (w *RowWriter) Close(t Tally, verdict string, lost []LostContradiction) error {
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
			Tally
			Lost []LostContradiction `json:"hallucinated_in_contradictions"`
		}{verdict, t, orEmpty(lost)})
		if err != nil {
			return err
		}
		if _, err := w.b.WriteString("\n}\n"); err != nil {
			return err
		}
	case Text:
		fmt.Fprintf(w.b, "%s: %s: %s\n", sanitize.Line(w.claims), verdictWord(verdict), t)
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
