package report

import (
	"fmt"
	"io"
	"strings"
)

// The formats of Write.
const (
	Markdown     = "markdown"
	FullMarkdown = "markdown-full"
	HTML         = "html"
	BibTeX       = "bibtex"
	CSLJSON      = "csl-json"
	RIS          = "ris"
	JSON         = "json"

	Table = "table"
	CSV   = "csv"
)

// NeedsFields is the argument of the update that a loop must have recorded for an evidence table.
const NeedsFields = "claims.field"

// Needs returns what a format shows of the log, so that no text is checked for it: [NeedsFields] for the evidence table, ""
// for all other formats.
func Needs(format string) string {
	if format == Table || format == CSV {
		return NeedsFields
	}
	return ""
}

// Lacks returns what a format needs and the document does not have, or "".
func (d Document) Lacks(format string) string {
	if need := Needs(format); d.Table == nil {
		return need
	}
	return ""
}

// handler writes a document in one format.
type handler struct {
	format      string
	extension   string
	contentType string
	render      func(Document) ([]byte, error)
}

func handlers() []handler {
	return []handler{
		{Markdown, ".md", "text/markdown; charset=utf-8", renderMarkdown},
		{FullMarkdown, ".full.md", "text/markdown; charset=utf-8", renderFullMarkdown},
		{HTML, ".html", "text/html; charset=utf-8", renderHTML},
		{BibTeX, ".bib", "application/x-bibtex; charset=utf-8", renderBibTeX},
		{CSLJSON, ".csl.json", "application/vnd.citationstyles.csl+json; charset=utf-8", renderCSLJSON},
		{RIS, ".ris", "application/x-research-info-systems; charset=utf-8", renderRIS},
		{JSON, ".json", "application/json; charset=utf-8", renderJSON},
		{Table, ".table.md", "text/markdown; charset=utf-8", renderTable},
		{CSV, ".csv", "text/csv; charset=utf-8", func(d Document) ([]byte, error) { return d.Table.CSV() }},
	}
}

func handlerOf(format string) (handler, bool) {
	for _, h := range handlers() {
		if h.format == format {
			return h, true
		}
	}
	return handler{}, false
}

// Formats lists the formats, the default first.
func Formats() []string {
	var names []string
	for _, h := range handlers() {
		names = append(names, h.format)
	}
	return names
}

// Extension returns the file extension of a format, with the dot; "" for an unknown format.
func Extension(format string) string {
	h, _ := handlerOf(format)
	return h.extension
}

// ContentType returns the media type of a format; "" for an unknown format.
func ContentType(format string) string {
	h, _ := handlerOf(format)
	return h.contentType
}

// Write writes the document in one of [Formats]. The same document gives the same bytes. Its error is for an unknown format,
// that of w, or a number that JSON cannot represent.
func Write(w io.Writer, format string, d Document) error {
	h, ok := handlerOf(format)
	if !ok {
		return fmt.Errorf("report: unknown format %q; valid formats: %s", format, strings.Join(Formats(), ", "))
	}
	if missing := d.Lacks(format); missing != "" {
		return fmt.Errorf("report: %s: the loop has no %s", format, missing)
	}
	out, err := h.render(d)
	if err != nil {
		return fmt.Errorf("report: %s: %w", format, err)
	}
	if _, err := w.Write(out); err != nil {
		return fmt.Errorf("report: %s: %w", format, err)
	}
	return nil
}
