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

	Table     = "table"
	CSV       = "csv"
	XLSX      = "xlsx"
	Prisma    = "prisma"
	PrismaSVG = "prisma-svg"
)

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
		{CSV, ".csv", "text/csv; charset=utf-8", renderCSV},
		{XLSX, ".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", renderXLSX},
		{Prisma, ".prisma.md", "text/markdown; charset=utf-8", renderPrisma},
		{PrismaSVG, ".prisma.svg", "image/svg+xml", renderPrismaSVG},
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

// UnknownFormatError reports an unknown format.
type UnknownFormatError struct {
	Format string
	Valid  []string
}

func (e *UnknownFormatError) Error() string {
	return fmt.Sprintf("report: unknown format %q; valid formats: %s", e.Format, strings.Join(e.Valid, ", "))
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

// Write writes the document in one of [Formats]. The same document gives the same bytes. An unknown format is an
// [*UnknownFormatError]; any other error is that of w, or a number that JSON cannot represent.
func Write(w io.Writer, format string, d Document) error {
	h, ok := handlerOf(format)
	if !ok {
		return &UnknownFormatError{Format: format, Valid: Formats()}
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
