package report

import (
	"fmt"
	"io"
	"strings"
)

// The formats of Write.
const (
	Markdown = "markdown"
	HTML     = "html"
	BibTeX   = "bibtex"
	CSLJSON  = "csl-json"
	RIS      = "ris"
	JSON     = "json"
	Table    = "table"
	CSV      = "csv"
)

// handlers write a document, by format.
var handlers = map[string]struct {
	extension, contentType string
	render                 func(Document) ([]byte, error)
}{
	Markdown: {".md", "text/markdown; charset=utf-8", renderMarkdown},
	HTML:     {".html", "text/html; charset=utf-8", renderHTML},
	BibTeX:   {".bib", "application/x-bibtex; charset=utf-8", renderBibTeX},
	CSLJSON:  {".csl.json", "application/vnd.citationstyles.csl+json; charset=utf-8", renderCSLJSON},
	RIS:      {".ris", "application/x-research-info-systems; charset=utf-8", renderRIS},
	JSON:     {".json", "application/json; charset=utf-8", renderJSON},
	Table:    {".table.md", "text/markdown; charset=utf-8", renderTable},
	CSV:      {".csv", "text/csv; charset=utf-8", renderCSV},
}

// Formats lists the formats, the default first.
func Formats() []string { return []string{Markdown, HTML, BibTeX, CSLJSON, RIS, JSON, Table, CSV} }

// Extension returns the file extension of a format, with the dot; "" for an unknown format.
func Extension(format string) string { return handlers[format].extension }

// ContentType returns the media type of a format; "" for an unknown format.
func ContentType(format string) string { return handlers[format].contentType }

// Write writes a document in one format.
func Write(w io.Writer, format string, d Document) error {
	h, ok := handlers[format]
	if !ok {
		return fmt.Errorf("unknown report format %q: use %s", format, strings.Join(Formats(), ", "))
	}
	out, err := h.render(d)
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}
