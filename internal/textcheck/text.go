package textcheck

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

const (
	textSentenceChars = 240 // of a sentence or a passage on a terminal (chosen: three lines)
	textAddressChars  = 160
)

// writeText writes each finding as compilers do, file:line:column: kind: …, its reasons indented below, and the verdict
// on each file at the end.
func writeText(w io.Writer, r *Result) error {
	b := bufio.NewWriter(w)
	for _, f := range shown(r.Findings()) {
		writeFinding(b, fmt.Sprintf("%s:%d:%d", sanitize.Line(f.File), f.Line, f.Column), f)
	}
	for _, f := range r.Files {
		fmt.Fprintf(b, "%s: %s\n", sanitize.Line(f.File), r.summary(f))
	}
	r.writeSaved(b)
	for _, s := range r.Suppressions {
		if problem := s.problem(); problem != "" {
			fmt.Fprintf(b, "%s:%d: warning: %s\n", sanitize.Line(s.File), s.Line, problem)
		}
	}
	if r.Review != nil {
		fmt.Fprintf(b, "review: %s\n", sanitize.Line(r.Review.String()))
	}
	return b.Flush()
}

// writeSaved names the addresses of which a saved page was read, with their files.
func (r *Result) writeSaved(w io.Writer) {
	for _, src := range r.Sources {
		if src.Saved != "" && src.Cited > 0 {
			fmt.Fprintf(w, "saved page: %s was read from %s in this folder, not from its address\n", sanitize.Short(src.URL, textAddressChars), sanitize.Short(src.Saved, textAddressChars))
		}
	}
}

func writeFinding(w io.Writer, at string, f Finding) {
	level, _, _ := f.Kind.meaning()
	if level = strings.Replace(level, "error", "", 1); level != "" {
		level += ": "
	}
	if f.By != nil {
		fmt.Fprintf(w, "%s: suppressed: %s: %s\n    why: %s\n    accepted: %s\n", at, f.Kind, sanitize.Short(f.Text, textSentenceChars), sanitize.Short(f.Why, 2*textSentenceChars), f.By)
		return
	}
	fmt.Fprintf(w, "%s: %s%s: %s\n    why: %s\n", at, level, f.Kind, sanitize.Short(f.Text, textSentenceChars), sanitize.Short(f.Why, 2*textSentenceChars))
	if len(f.Near) > 0 {
		fmt.Fprintf(w, "    source: %s: %q\n", f.Near[0].place(), sanitize.Short(f.Near[0].words, textSentenceChars))
	} else if len(f.Cited) > 0 {
		fmt.Fprintf(w, "    cited: %s\n", sanitize.Short(strings.Join(f.Cited, ", "), textAddressChars))
	}
}

// Summary returns the verdict on one line.
func (r *Result) Summary() string {
	if len(r.Files) == 1 {
		return r.summary(r.Files[0])
	}
	count := map[string]int{}
	for _, f := range r.Files {
		count[f.Verdict]++
	}
	return fmt.Sprintf("%s: %d files: %d pass, %d fail, %d undecided", r.Verdict, len(r.Files), count[Pass], count[Fail], count[Undecided])
}

func (r *Result) summary(f FileVerdict) string {
	parts := []string{inWords(f.tally)}
	some := func(n int, one, several string) {
		if n == 1 {
			parts = append(parts, "1 "+one)
		} else if n > 1 {
			parts = append(parts, fmt.Sprintf("%d %s", n, several))
		}
	}
	some(f.Findings[Hallucinated], "citation leads to nothing", "citations lead to nothing")
	some(f.Findings[Noted], "sentence to look at", "sentences to look at")
	some(f.Findings[Mistitled], "reference has another title", "references have other titles")
	some(f.Suppressed, "finding suppressed", "findings suppressed")
	if f.Counts.Read > 0 {
		parts = append(parts, fmt.Sprintf("%s of those read supported, %s needed", percent(f.Groundedness), percent(r.Threshold)))
	}
	if f.Corrected > 0 {
		some(f.Corrected, "is supported by other lines than cited", "are supported by other lines than cited")
	}
	if f.Bound != nil {
		parts = append(parts, fmt.Sprintf("of the %d not read at most %s are unsupported (95 %% confidence)", f.Unread, percent(*f.Bound)))
	}
	if f.Cited > 0 {
		read := fmt.Sprintf("%d of %d sources read", f.SourcesRead, f.Cited)
		switch {
		case f.atCheck == 0:
		case f.atCheck == f.SourcesRead:
			read += " at the check"
		default:
			read += fmt.Sprintf(", %d of these at the check", f.atCheck)
		}
		parts = append(parts, read)
	}
	return f.Verdict + ": " + strings.Join(parts, "; ")
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

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
