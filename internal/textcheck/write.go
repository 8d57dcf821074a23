package textcheck

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/citeloop/citeloop/internal/outcome"
)

// Write writes the result in one of [Formats]. The same result gives the same bytes.
func Write(w io.Writer, format string, r *Result) error {
	switch format {
	case Text:
		return writeText(w, r)
	case JSON:
		return outcome.JSON(w, true).Encode(r)
	case JSONL:
		return writeRows(w, r)
	case SARIF:
		return writeSARIF(w, r)
	case GitHub:
		return writeGitHub(w, r)
	case HTML:
		return writeHTML(w, r)
	}
	return CheckFormat(format, Formats())
}

// writeRows writes each claim, uncited sentence, dead citation, conflict, wrong title, suppressed finding and source as a line
// with its type, and the summary as the last line.
func writeRows(w io.Writer, r *Result) error {
	return errors.Join(
		typedRows(w, "claim", r.Claims...),
		typedRows(w, "uncited", r.Uncited...),
		typedRows(w, "hallucinated", r.Hallucinated...),
		typedRows(w, "conflict", r.Conflicts...),
		typedRows(w, "mistitled", r.Mistitled...),
		typedRows(w, "suppressed", r.Suppressed...),
		typedRows(w, "source", r.Sources...),
		typedRows(w, "summary", r.Overall),
	)
}

// typedRows writes objects, one a line, with their type as the first key.
func typedRows[T any](w io.Writer, kind string, rows ...T) error {
	for _, row := range rows {
		var b bytes.Buffer
		if err := outcome.JSON(&b, false).Encode(row); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, `{"type":%q,%s`, kind, b.Bytes()[len("{"):]); err != nil {
			return err
		}
	}
	return nil
}
